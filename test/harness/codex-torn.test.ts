/** Rollouts of Codex that end at any byte: what is whole is read, what is torn is a diagnosis. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engine, ObjectRow } from '../../src/index.ts';
import { open } from '../../src/index.ts';
import { all, machine } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { call, counted, event, lines, meta, rolloutPath, said } from './codex-home.ts';

const LF = 10;

let home: string;
let engine: Engine;

beforeAll(async () => {
  home = makeFolder();
  engine = await open({ environment: machine() });
});
afterAll(() => {
  engine.close();
  removeFolder(home);
});

async function rowsAt(name: string, text: string | Buffer): Promise<readonly ObjectRow[]> {
  const path = writeFile(home, name, text);
  const columns = 'message_type, message_content, line_number, session_id, output_tokens';
  return all(engine.query(`SELECT ${columns} FROM read_conversations(path = $path)`, { path }));
}

it('a rollout cut anywhere has the rows of its whole lines and one for the torn one', async () => {
  const records = [
    meta(),
    said('user', 'Why é?'),
    event('user_message', { message: 'Why é?' }),
    said('assistant', 'So.'),
    call('c1'),
    counted(5, 5),
  ];
  const linesWithRows = [2, 4, 5, 6];
  const whole = Buffer.from(lines(records));
  // A prime that meets every part of a line in the course of the file.
  for (let end = 1; end < whole.length; end += 13) {
    const isTorn = whole[end - 1] !== LF && whole[end] !== LF;
    const started = whole.subarray(0, end).filter(byte => byte === LF).length + 1;
    const rows = await rowsAt(rolloutPath(), whole.subarray(0, end));
    const wanted = linesWithRows.filter(line => line < started || (line === started && !isTorn));
    const found = rows.map(row => row['line_number']);
    expect([end, ...found]).toEqual([end, ...wanted, ...(isTorn ? [started] : [])]);
    if (isTorn) expect([end, rows.at(-1)?.['message_type']]).toEqual([end, '_parse_error']);
  }
});

it('a document cut at any byte has its whole items, and the session of its header', async () => {
  const items = ['one', 'two'].map(content => ({ type: 'message', role: 'user', content }));
  const session = { id: 'doc', timestamp: '2025-04-22T16:03:11.512Z' };
  const whole = JSON.stringify({ session, items });
  const headerEnd = whole.indexOf('"items":[') + '"items":['.length;
  const ends = ['one', 'two'].map(text => whole.indexOf('}', whole.indexOf(text)) + 1);
  const name = join('sessions', 'rollout-2025-04-22-file.json');
  for (let end = 1; end < whole.length; end++) {
    const rows = await rowsAt(name, whole.slice(0, end));
    const messages = rows.filter(row => row['message_type'] === 'user');
    expect([end, messages.length]).toEqual([end, ends.filter(itemEnd => itemEnd <= end).length]);
    expect([end, rows.at(-1)?.['message_type']]).toEqual([end, '_parse_error']);
    if (end >= headerEnd)
      expect(new Set(rows.map(row => row['session_id']))).toEqual(new Set(['doc']));
  }
  expect(await rowsAt(name, whole)).toHaveLength(2);
});
