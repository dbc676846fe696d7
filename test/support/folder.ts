/** A folder of a test's own, and files in it. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A new folder below the system's temporary one, its path canonical. */
export function makeFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'ahq-')));
}

/** Deletes a folder and what is in it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a file and the folders above it; gives its path. */
export function writeFile(folder: string, name: string, content: string | Uint8Array = ''): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
