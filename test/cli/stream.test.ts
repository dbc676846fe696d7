/** Long answers, readers that are slow or gone, and signals. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ahq, startAhq, writeHome } from '../support/ahq.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { run } from '../support/run.ts';

/** Has Node say at its end how much memory it held at most, in KiB. */
const TELL_PEAK = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "process.on('exit', () => process._rawDebug(process.resourceUsage().maxRSS))",
  )}`,
];
const LONG = 'from range(10000000)';
const LONG_BYTES = 'range\n'.length + 78_888_890;
/** Longer than any test may take. */
const ENDLESS = 'select sleep_ms(600000)';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => {
  removeFolder(folder);
});

/** How a started program ends, and what it says on stderr. */
async function end(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', chunk => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

describe('a long answer', () => {
  it('is not kept in memory, also when its reader is slow', async () => {
    const short = Number(ahq(['from range(10)'], { node: TELL_PEAK }).stderr);
    const child = startAhq([LONG], { node: TELL_PEAK });
    const ended = end(child);
    // Half of it would be written by now, if nobody waited for the reader.
    await pause(2000);
    let bytes = 0;
    child.stdout?.on('data', chunk => {
      bytes += chunk.length;
    });
    const { code, stderr } = await ended;
    expect({ code, bytes }).toEqual({ code: 0, bytes: LONG_BYTES });
    expect((Number(stderr) - short) * 1024).toBeLessThan(LONG_BYTES / 2);
  });

  it('ends quietly when its reader has seen enough', () => {
    const pipe = (sql: string) => {
      const ahqToHead = `"${process.execPath}" dist/cli.js "${sql}" | head -n 1`;
      const command = `${ahqToHead}; echo "\${PIPESTATUS[0]}"`;
      return run('bash', ['-c', command], { cwd: '.' });
    };
    expect(pipe(LONG)).toEqual({ status: 0, stdout: 'range\n0\n', stderr: '' });
    const home = writeHome(path.join(folder, 'piped'), 20_000);
    expect(pipe(`select raw from read_events('${home}')`)).toEqual({
      status: 0,
      stdout: 'raw\n0\n',
      stderr: '',
    });
  });

  it('ends quietly when nobody reads at all', async () => {
    const child = startAhq(['schema', '--format', 'json']);
    child.stdout?.destroy();
    expect(await end(child)).toEqual({ code: 0, stderr: '' });
  });
});

describe('a signal', () => {
  /** Starts a query that writes a file and waits until it does. */
  async function writing(sql: string): Promise<{ child: ChildProcess; place: string }> {
    const place = path.join(folder, String(Math.random()));
    const home = path.join(place, 'home');
    writeHome(home, 1);
    const child = startAhq(['-o', path.join(place, 'answer.csv'), sql], { home });
    while (!readdirSync(place).some(name => name.endsWith('.part'))) await pause(10);
    return { child, place };
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the running query with %i and leaves no file', async (signal, code) => {
    const { child, place } = await writing(ENDLESS);
    child.kill(signal);
    expect(await end(child)).toEqual({ code, stderr: '' });
    expect(readdirSync(place)).toEqual(['home']);
  });

  it('ends the wait for a reader', async () => {
    const child = startAhq([LONG]);
    await once(child.stdout ?? child, 'readable');
    child.kill('SIGINT');
    child.stdout?.resume();
    expect(await end(child)).toEqual({ code: 130, stderr: '' });
  });

  it('ends at once when it comes twice, and still leaves no file', async () => {
    const place = path.join(folder, 'twice');
    const home = path.join(place, 'home');
    writeHome(home, 1);
    // Nobody opens the other end of the pipe, and DuckDB cannot be interrupted while it waits.
    run('mkfifo', [path.join(place, 'pipe')], { cwd: '.' });
    const args = ['-o', path.join(place, 'answer.csv'), `from read_csv('${place}/pipe')`];
    const child = startAhq(args, { home });
    while (!readdirSync(place).some(name => name.endsWith('.part'))) await pause(10);
    const ended = once(child, 'close');
    while (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT');
      await pause(50);
    }
    expect(await ended).toEqual([null, 'SIGINT']);
    expect(readdirSync(place).sort()).toEqual(['home', 'pipe']);
  });
});

describe('many programs at once', () => {
  it('give the same answer, and write nothing', async () => {
    const home = path.join(folder, 'many');
    writeHome(home, 100);
    const sql = 'select count(*) as rows, max(line_number) as line from read_conversations()';
    const answers = Array.from({ length: 28 }, async () => {
      const child = startAhq([sql], { home });
      let text = '';
      child.stdout?.on('data', chunk => {
        text += chunk;
      });
      const { code, stderr } = await end(child);
      return { code, stderr, text };
    });
    const expected = { code: 0, stderr: '', text: 'rows,line\n100,100\n' };
    expect(await Promise.all(answers)).toEqual(answers.map(() => expected));
    expect(readdirSync(home)).toEqual(['.claude']);
  });

  it('run in a home that cannot be written to', () => {
    // Nobody can make a file there, not even root.
    const home = '/proc';
    expect(ahq(['select 1 as a'], { home })).toEqual({ status: 0, stdout: 'a\n1\n', stderr: '' });
  });
});
