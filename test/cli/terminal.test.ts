/** `ahq` in a terminal: tables, colours, help, and the line that tells how far a scan is. */

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ahq, ahqInTerminal, writeHome } from '../support/ahq.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => {
  removeFolder(folder);
});

const BOLD = '\u001b[1m';
const CLEAR_LINE = '\r\u001b[K';

describe('in a terminal', () => {
  it('the answer is a table in colours', () => {
    const { status, stdout } = ahqInTerminal(['select 1 as a, null as b']);
    expect(status).toBe(0);
    expect(stdout).toContain(`│ ${BOLD}a`);
    expect(stdout).toContain('1 row\n');
  });

  it.each([
    ['--colour never', ['--colour', 'never'], {}],
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['a terminal that knows no colours', [], { TERM: 'dumb' }],
  ])('%s takes the colours away', (_, args, variables) => {
    const { stdout } = ahqInTerminal([...args, 'select 1 as a'], { variables });
    expect(stdout).toContain('│ a │');
    expect(stdout).not.toContain('\u001b');
  });

  it('an empty NO_COLOR is none', () => {
    expect(ahqInTerminal(['select 1'], { variables: { NO_COLOR: '' } }).stdout).toContain(BOLD);
  });

  it('a file still gets csv', () => {
    const { stdout } = ahqInTerminal(['-o', '/dev/stdout', 'select 1 as a']);
    expect(stdout).toBe('a\n1\n');
  });

  it('no SQL at all shows the help', () => {
    const { status, stdout } = ahqInTerminal([]);
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: ahq [options] [SQL]');
  });

  it('an error ends with its exit code', () => {
    const { status, stdout } = ahqInTerminal(['select nonsense']);
    expect(status).toBe(2);
    expect(stdout).toContain('ahq: Binder Error');
  });
});

describe('the progress of a scan', () => {
  /** A scan of several chunks that takes over a second. */
  const slow = () => {
    const home = writeHome(path.join(folder, 'slow'), 40_000);
    const wait = 'count(sleep_ms(if(line_number = 1, 1100, 0)))';
    return `select count(*) + ${wait} as n from read_conversations('${home}')`;
  };

  it('is one line, which is gone before the answer comes', () => {
    const { stdout } = ahqInTerminal([slow()]);
    const [before, ...lines] = stdout.split(CLEAR_LINE);
    expect(before).toBe('');
    expect(lines.at(-1)).toContain('40000');
    const shown = lines.slice(0, -1);
    expect(shown.length).toBeGreaterThan(0);
    for (const line of shown) {
      expect(line).toMatch(/^1 file, \d+\.\d [kM]B of \d\.\d MB, \d+ %(, \d+ s left)?$/);
    }
  });

  it('is not told to a pipe, nor to a terminal that cannot take it back', () => {
    expect(ahq([slow()])).toEqual({ status: 0, stdout: 'n\n40000\n', stderr: '' });
    const { stdout } = ahqInTerminal([slow()], { variables: { TERM: 'dumb' } });
    expect(stdout).not.toContain('left');
  });
});
