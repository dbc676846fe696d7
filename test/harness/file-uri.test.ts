/** The paths that `file:` addresses name. */

import { expect, it } from 'vitest';
import { fromWire, toWire } from '../../src/bytes/text.ts';
import { pathOfUri } from '../../src/harness/shared/file-uri.ts';

it.each([
  ['file:///home/a%20b', '/home/a b'],
  ['file:///home/mi%C5%82a', '/home/miła'],
  ['file:///home/miła', '/home/miła'],
  ['file:///c%3A/Users/mira', 'c:\\Users\\mira'],
  ['file://server/share/x', '\\\\server\\share\\x'],
  ['file:///bad%zz/ł', '/bad%zz/ł'],
  ['file://', 'file://'],
  ['vscode-remote://wsl%2Bubuntu/home', 'vscode-remote://wsl%2Bubuntu/home'],
  ['', ''],
])('is read from %j as %j', (uri, path) => {
  expect(fromWire(pathOfUri(toWire(uri)))).toBe(path);
});
