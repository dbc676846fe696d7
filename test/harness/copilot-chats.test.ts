/** Chats of VS Code: documents, and journals folded to the chat that they describe. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SourceRecord } from '../../src/bytes/record.ts';
import { Work } from '../../src/bytes/work.ts';
import {
  apply,
  type Journal,
  restoreJournal,
  saveJournal,
  startJournal,
} from '../../src/harness/copilot/journal.ts';
import type { ObjectRow } from '../../src/index.ts';
import { ask } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { lineOf } from '../support/record.ts';

const CHATS = 'workspaceStorage/w1/chatSessions';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

async function read(more = ''): Promise<readonly ObjectRow[]> {
  return (await ask(`FROM read_conversations(path = $path${more})`, { path: home })).rows;
}

/** The rows of a document with these requests. */
async function rowsOf(...requests: unknown[]): Promise<readonly ObjectRow[]> {
  writeFile(home, `${CHATS}/c1.json`, JSON.stringify({ sessionId: 's1', requests }));
  return await read();
}

/** The rows of a journal with these lines. */
async function foldedRows(...lines: unknown[]): Promise<readonly ObjectRow[]> {
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  writeFile(home, `${CHATS}/c1.jsonl`, text);
  return await read();
}

const whole = (...requests: unknown[]) => ({ kind: 0, v: { sessionId: 's1', requests } });
const request = (requestId: string, more: object = {}) => ({
  ...{ requestId, message: { text: requestId }, response: [] },
  ...more,
});
const addressed = (rows: readonly ObjectRow[]) =>
  rows.map(row => [row['message_type'], row['message_content'], row['line_number']]);

describe('a request', () => {
  it('gives the prompt, the answer with its usage, then the parts in their order', async () => {
    const tool = {
      ...{ kind: 'toolInvocationSerialized', toolId: 'run', toolCallId: 't1', isComplete: true },
      ...{ invocationMessage: 'Running', pastTenseMessage: { value: 'Ran' } },
    };
    const thinking = { kind: 'thinking', value: 'Hm', id: 'th' };
    const response = [{ value: 'Let ' }, thinking, tool, { value: 'me' }];
    const metadata = { promptTokens: 9, outputTokens: 4, resolvedModel: 'm1' };
    const rows = await rowsOf(
      request('r1', { response, result: { metadata }, responseId: 'a1', timestamp: 0 }),
    );
    expect(addressed(rows)).toEqual([
      ['user', 'r1', 1],
      ['assistant', 'Let me', 1],
      ['reasoning', 'Hm', 1],
      ['tool_start', 'Running', 1],
      ['tool_result', 'Ran', 1],
      ['session_start', null, 0],
    ]);
    expect(rows[0]).toMatchObject({ uuid: 'r1', timestamp: '1970-01-01T00:00:00.000Z' });
    expect(rows[1]).toMatchObject({
      ...{ uuid: 'a1', parent_uuid: 'r1', model: 'm1', author: 'agent' },
      ...{ input_tokens: 9, output_tokens: 4, usage_scope: 'request', usage_source_line: 1 },
    });
    expect(rows.filter(row => row['input_tokens'] !== null)).toHaveLength(1);
  });

  it('follows the request before', async () => {
    const rows = await rowsOf(request('r1'), request('r2'));
    expect(rows.map(row => row['parent_uuid'])).toEqual([null, 'r1', null]);
  });

  it('has the arguments and the result of a tool from the rounds of the model', async () => {
    const tool = {
      ...{ kind: 'toolInvocationSerialized', toolId: 'run', toolCallId: 'c1__vscode-3' },
      toolSpecificData: { commandLine: { original: 'ls' } },
    };
    const toolCalls = [{ id: 'c1', name: 'run', arguments: '{"command": "ls"}' }];
    const metadata = {
      toolCallRounds: [{ toolCalls, thinking: { tokens: 3 } }, { thinking: { tokens: 4 } }],
      toolCallResults: { 'c1__vscode-3': { content: [{ value: 'a' }, { value: 'b' }] } },
    };
    const rows = await rowsOf(request('r1', { response: [tool], result: { metadata } }));
    expect(rows.slice(1, 4)).toMatchObject([
      { message_type: 'assistant', message_content: null, reasoning_tokens: 7 },
      { tool_input: '{"command": "ls"}', tool_name: 'run', tool_use_id: 'c1__vscode-3' },
      { message_content: 'a\nb', tool_input: null, status: null },
    ]);
  });

  it.each([
    ['completed', { modelState: { value: 1 } }],
    ['interrupted', { modelState: { value: 2 } }],
    ['interrupted', { isCanceled: true }],
    ['failed', { result: { errorDetails: { message: 'x' } } }],
    ['in_progress', { modelState: { value: 0 } }],
    [null, {}],
  ])('is %s as its state says', async (status, state) => {
    const rows = await rowsOf(request('r1', { response: [{ value: 'x' }], ...state }));
    expect(rows[1]).toMatchObject({ message_type: 'assistant', status });
  });

  it('that the editor made is by the system', async () => {
    const rows = await rowsOf(request('r1', { isSystemInitiated: true }));
    expect(rows[0]).toMatchObject({ message_type: 'user', author: 'system' });
  });

  it('is one row by line, with its usage', async () => {
    await rowsOf(request('r1', { response: [{ value: 'x' }], promptTokens: 5 }));
    expect(await read(", rows = 'line'")).toMatchObject([
      { message_type: 'user', message_content: 'r1', input_tokens: 5, line_number: 1 },
      { message_type: 'session_start', line_number: 0 },
    ]);
  });
});

describe('the project of a chat', () => {
  it('is the folder of its workspace', async () => {
    writeFile(home, 'workspaceStorage/w1/workspace.json', '{"folder":"file:///home/mi%C5%82a"}');
    const [row] = await rowsOf(request('r1'));
    expect(row).toMatchObject({ project_path: '/home/miła', cwd: '/home/miła', project_dir: 'w1' });
  });

  it('has no one folder where the workspace is a file', async () => {
    const workspace = '{"workspace":"file:///home/all.code-workspace"}';
    writeFile(home, 'workspaceStorage/w1/workspace.json', workspace);
    const [row] = await rowsOf(request('r1'));
    expect(row).toMatchObject({ project_path: '/home/all.code-workspace', cwd: null });
  });
});

describe('a journal', () => {
  it('gives the chat that it ends with, each row by the line that last wrote it', async () => {
    const rows = await foldedRows(
      whole(),
      { kind: 2, k: ['requests'], v: [request('r1')] },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ kind: 'thinking', value: 'old' }] },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ kind: 'thinking', value: 'new' }], i: 0 },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Yes' }] },
      { kind: 1, k: ['requests', 0, 'modelState'], v: { value: 1 } },
      { kind: 1, k: ['customTitle'], v: 'Title' },
    );
    expect(addressed(rows)).toEqual([
      ['session_start', 'Title', 7],
      ['user', 'r1', 2],
      ['assistant', 'Yes', 6],
      ['reasoning', 'new', 4],
    ]);
    expect(rows[3]?.['raw_event']).toContain('"new"');
  });

  it('forgets a request that is sent anew', async () => {
    const rows = await foldedRows(whole(request('r1'), request('r2')), {
      kind: 2,
      k: ['requests'],
      v: [request('r3')],
      i: 1,
    });
    expect(addressed(rows).slice(1)).toEqual([
      ['user', 'r1', 1],
      ['user', 'r3', 2],
    ]);
  });

  it('begins anew with each whole chat, and deletes', async () => {
    const rows = await foldedRows(
      whole(request('r1')),
      whole(request('r2', { response: [{ value: 'x' }] })),
      { kind: 3, k: ['requests', 0, 'response'] },
    );
    expect(addressed(rows)).toEqual([
      ['session_start', null, 2],
      ['user', 'r2', 2],
    ]);
  });

  it('diagnoses a line that does not fit and goes on', async () => {
    const rows = await foldedRows(
      whole(request('r1')),
      { kind: 1, k: ['requests', 5, 'message'], v: 'x' },
      { kind: 7, k: ['x'] },
      { kind: 1, k: ['requests', 0, 'message'], v: { text: 'still' } },
    );
    expect(rows.map(row => [row['message_type'], row['line_number'], row['parse_error']])).toEqual([
      ['_parse_error', 2, 'the chat has no place at requests.5.message'],
      ['_parse_error', 3, 'the journal entry is of a kind that is not known: 7'],
      ['session_start', 1, null],
      ['user', 4, null],
    ]);
    expect(rows.at(-1)).toMatchObject({ message_content: 'still', session_id: 's1' });
  });

  it('by line tells what each line changes', async () => {
    await foldedRows(
      whole(),
      { kind: 1, k: ['customTitle'], v: 'x' },
      { kind: 2, k: ['requests'], v: [request('r1')] },
      { kind: 3, k: ['requests', 0] },
    );
    expect(addressed(await read(", rows = 'line'"))).toEqual([
      ['chat', null, 1],
      ['set', 'customTitle', 2],
      ['append', 'requests', 3],
      ['delete', 'requests.0', 4],
    ]);
  });
});

/** A change of a list, and what it makes of a plain one. */
interface Change {
  readonly line: unknown;
  apply(list: string[]): string[];
}

const texts = fc.array(fc.string(), { maxLength: 3 });
const changes: fc.Arbitrary<Change> = fc.oneof(
  texts.map(v => ({
    line: { kind: 2, k: ['requests'], v: v.map(text => ({ text })) },
    apply: (list: string[]) => [...list, ...v],
  })),
  fc.tuple(texts, fc.nat(3)).map(([v, i]) => ({
    line: { kind: 2, k: ['requests'], v: v.map(text => ({ text })), i },
    apply: (list: string[]) => (i > list.length ? list : [...list.slice(0, i), ...v]),
  })),
  fc.tuple(fc.string(), fc.nat(4)).map(([text, at]) => ({
    line: { kind: 1, k: ['requests', at], v: { text } },
    apply: (list: string[]) => (at > list.length ? list : list.toSpliced(at, 1, text)),
  })),
  texts.map(v => ({
    line: { kind: 0, v: { requests: v.map(text => ({ text })) } },
    apply: () => v,
  })),
);

function record(value: unknown, lineNumber: number): SourceRecord {
  const bytes = Buffer.from(JSON.stringify(value));
  return new SourceRecord(lineOf(bytes, 0, bytes.length, { lineNumber }), new Work());
}

describe('the fold', () => {
  it('is what the changes make of a list, also when it is stopped after every line', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), all => {
        let journal: Journal = startJournal();
        let list: string[] = [];
        apply(journal, record({ kind: 0, v: { requests: [] } }, 1));
        for (const [index, change] of all.entries()) {
          apply(journal, record(change.line, index + 2));
          list = change.apply(list);
          journal = restoreJournal(JSON.parse(JSON.stringify(saveJournal(journal))));
        }
        const requests = list.map(text => ({ text: Buffer.from(text).toString('latin1') }));
        expect(journal.chat).toEqual({ requests });
        expect(journal.requests).toHaveLength(list.length);
      }),
    );
  });

  it('survives a journal that is cut at any byte', async () => {
    const lines = [
      whole(request('r1')),
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'Ł' }] },
      { kind: 1, k: ['customTitle'], v: 'x' },
    ];
    const bytes = Buffer.from(lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    for (let length = 1; length <= bytes.length; length++) {
      writeFile(home, `${CHATS}/${length}.jsonl`, bytes.subarray(0, length));
    }
    const torn = (await read()).filter(row => row['message_type'] === '_parse_error');
    const wanted = lengthsBelow(bytes.length + 1).filter(length => !isWholeLine(bytes, length));
    const found = torn.map(row => Number.parseInt(String(row['file_name']), 10));
    expect(found.sort((one, other) => one - other)).toEqual(wanted);
  });

  it('survives a document that is cut at any byte', async () => {
    const bytes = Buffer.from(JSON.stringify({ sessionId: 's1', requests: [request('Ł')] }));
    const lengths = lengthsBelow(bytes.length);
    for (const length of lengths) {
      writeFile(home, `${CHATS}/${length}.json`, bytes.subarray(0, length));
    }
    const rows = await read();
    const torn = rows.filter(row => row['message_type'] === '_parse_error');
    expect(torn.map(row => row['line_number'])).toEqual(lengths.map(() => 0));
    expect(rows.filter(row => row['message_type'] === 'user').length).toBeGreaterThan(0);
  });
});

function lengthsBelow(end: number): number[] {
  return Array.from({ length: end - 1 }, (_, index) => index + 1);
}

/** Whether so many bytes end with a line that parses, with or without its ending. */
function isWholeLine(bytes: Buffer, length: number): boolean {
  const last = bytes.subarray(0, length).toString().trimEnd().split('\n').at(-1) ?? '';
  try {
    JSON.parse(last);
    return true;
  } catch {
    return false;
  }
}
