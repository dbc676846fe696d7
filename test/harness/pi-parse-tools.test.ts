/** pi: tools, what went in and came out, and what they did to files and to git. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { answer, call, entry, pick, type Rows, result, rowsOf, second } from './pi-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const calls = (id: string, ...blocks: object[]) => answer(id, 'toolUse', { content: blocks });

/** The rows of one call with its result. */
const ran = (name: string, args: object, text: string, more: object = {}): Rows =>
  rowsOf(home, calls('a', call('c1', name, args)), result('c1', name, text, more));

describe('a call and its result', () => {
  it('are one row, where the call stands, with where the result stands', () => {
    const asked = { ...calls('a', call('c1', 'bash', { command: 'make' })), timestamp: second(5) };
    const made = { ...result('c1', 'bash', 'made\n'), timestamp: second(7) };
    const rows = rowsOf(home, asked, made);
    const [resultOffset] = pick(rows('tool_io'), 'output_byte_offset').flat();
    expect(resultOffset).toBeGreaterThan(0);
    expect(rows('tool_call')).toMatchObject([
      {
        ...{ call_uid: 'c1', response_id: 'pi:tide:a', tool_family: 'builtin', outcome: 'ok' },
        ...{ duration_ms: 2000, is_error: false, trigger_class: 'work', seq: 22 },
        ...{ meta: '{"cmd_verb":"make"}', input_bytes: 18, output_byte_offset: resultOffset },
        ...{ line_number: 2, byte_length: Buffer.byteLength(JSON.stringify(asked)) },
      },
    ]);
    const columns = ['io_uid', 'input_text', 'output_text', 'seq', 'line_number'];
    const unknown = ['result_json', 'output_truncated', 'output_parts'];
    expect(pick(rows('tool_io'), ...columns, ...unknown)).toEqual([
      ['c1', '{"command":"make"}', 'made\n', 22, 2, null, null, null],
    ]);
    expect(rows('parse_issue')).toEqual([]);
  });

  it('keep what was recorded in its order, pictures by their size alone', () => {
    const picture = { type: 'image', data: 'aGVpZ2h0cw==', mimeType: 'image/png' };
    const text = { type: 'text', text: 'a picture' };
    const rows = ran('read', { path: 'b.png', limit: 2, at: 1 }, '', {
      ...{
        content: [text, picture],
        details: { z: 1, a: `data:image/png;base64,${picture.data}` },
      },
    });
    const columns = ['input_text', 'output_text', 'result_json', 'output_parts'];
    expect(pick(rows('tool_io'), ...columns)).toEqual([
      [
        '{"path":"b.png","limit":2,"at":1}',
        'a picture',
        '{"z":1,"a":{"type":"binary","mime":"image/png","bytes":7}}',
        '[{"index":1,"type":"image","mime":"image/png","bytes":7}]',
      ],
    ]);
    expect(pick(rows('attachment'), 'attached_to', 'call_uid', 'size_bytes')).toEqual([
      ['tool_result', 'c1', 7],
    ]);
  });

  it('are an issue each where the other is missing, and kept', () => {
    const { toolCallId: _id, ...nameless } = {
      role: 'toolResult',
      toolCallId: 'x',
      toolName: 'ls',
    };
    const rows = rowsOf(
      home,
      result('lost', 'bash', 'out'),
      entry('message', { message: nameless }),
      calls('a', { type: 'toolCall', name: 'bash', arguments: {} }),
    );
    expect(pick(rows('parse_issue'), 'kind', 'detail', 'line_number')).toEqual([
      ['orphan_output', 'lost', 2],
      ['missing_call_id', 'ls', 3],
      ['missing_call_id', 'bash', 4],
    ]);
    expect(pick(rows('tool_io'), 'io_uid', 'output_text')).toEqual([
      ['lost', 'out'],
      ['tide:a:call:0', null],
    ]);
  });

  it('tell how a command ended', () => {
    const failed = { isError: true };
    const exited = ran('bash', { command: 'false' }, 'no\n\nCommand exited with code 3', failed);
    expect(pick(exited('tool_call'), 'outcome', 'exit_code')).toEqual([['error', 3]]);
    const told = ran('bash', { command: 'x' }, '', { details: { exitCode: 0, timedOut: false } });
    expect(pick(told('tool_call'), 'exit_code', 'deadline_hit')).toEqual([[0, false]]);
    const odd = ran('bash', { command: 'x' }, '', { details: { exitCode: true } });
    expect(pick(odd('tool_call'), 'exit_code', 'deadline_hit')).toEqual([[null, null]]);
  });

  it('belong to the session even where their tool is an extension’s', () => {
    const rows = ran('web_search', { q: 'tide' }, 'found');
    expect(pick(rows('tool_call'), 'tool_family', 'meta')).toEqual([['extension', null]]);
  });
});

describe('the output of read', () => {
  const cut = (text: string, more: object = {}) =>
    pick(ran('read', { path: 'a.md' }, text, more)('tool_io'), 'output_truncated').flat();

  it.each([
    ['more lines', 'a\nb\n\n[5 more lines in file. Use offset=3 to continue.]', true],
    ['the last of fewer lines', 'a\n\n[Showing lines 1-2 of 9. Use offset=3 to continue.]', true],
    ['a long line', '[Line 1 is 1.2MB, exceeds 50.0KB limit. Use bash: sed]', true],
    ['as many lines as there are', 'a\n\n[Showing lines 1-9 of 9]', false],
    ['a notice in the middle', '[5 more lines in file. Use offset=3]\nb', false],
    ['nothing else', 'a\nb', false],
  ])('that ends with %s', (_what, text, isCut) => {
    expect(cut(text)).toEqual([isCut]);
  });

  it.each([
    [{ truncated: true }, true],
    [{ truncated: false }, false],
    [{ totalLines: 5, outputLines: 5 }, false],
    [{ totalLines: 6, outputLines: 5 }, true],
    [{ totalLines: '5', outputLines: 5 }, true],
    ['cut', true],
    [null, false],
  ])('with %j recorded', (truncation, isCut) => {
    expect(cut('a', { details: { truncation } })).toEqual([isCut]);
  });

  it('is not known to be whole for other tools, and for errors', () => {
    const rows = ran('grep', { pattern: 'x' }, 'a\n\n[5 more lines in file. Use offset=3]');
    expect(pick(rows('tool_io'), 'output_truncated')).toEqual([[null]]);
    expect(cut('ENOENT', { isError: true })).toEqual([null]);
  });
});

describe('a file', () => {
  const touched = (name: string, args: object, more: object = {}) => {
    const rows = ran(name, args, 'done', more);
    const columns = ['path', 'op', 'lines_added', 'lines_removed'];
    const named = pick(rows('artifact'), 'path', 'action', 'kind', 'display_name');
    return [...pick(rows('file_touch'), ...columns), ...named];
  };

  it('is read, written and edited by tools that succeed', () => {
    expect(touched('read', { path: '../a.csv' })).toEqual([
      ['/home/mira/a.csv', 'read', null, null],
      ['/home/mira/a.csv', 'read', 'spreadsheet', 'a.csv'],
    ]);
    expect(touched('write', { path: '/tmp/b', content: 'one\ntwo' })).toEqual([
      ['/tmp/b', 'create', 2, null],
      ['/tmp/b', 'written', 'path', 'b'],
    ]);
    expect(touched('edit', { path: 'c.md', oldText: 'a\nb\n', newText: 'a\nc\nd\n' })).toEqual([
      ['/home/mira/tide/c.md', 'edit', 2, 1],
      ['/home/mira/tide/c.md', 'edited', 'document', 'c.md'],
    ]);
    const edits = [
      { oldText: 'a', newText: 'b' },
      { oldText: 'c\nd', newText: '' },
    ];
    expect(touched('edit', { path: '~/c.md', edits })[0]).toEqual(['~/c.md', 'edit', 1, 3]);
  });

  it('is not touched by a tool that failed, or that is another', () => {
    expect(touched('edit', { path: 'c.md', edits: [] }, { isError: true })).toEqual([]);
    expect(touched('grep', { path: 'c.md' })).toEqual([]);
    expect(touched('write', { content: 'x' })).toEqual([]);
  });

  it('that an answer links to is named', () => {
    const text = 'See [the tide](/home/mira/tide.png) and [more](https://example.org/x).';
    const rows = rowsOf(home, answer('a', 'stop', { content: [{ type: 'text', text }] }));
    expect(pick(rows('artifact'), 'path', 'action', 'kind', 'evidence_type')).toEqual([
      ['/home/mira/tide.png', 'linked', 'image', 'assistant-markdown'],
    ]);
  });
});

describe('git', () => {
  const git = (command: string, text: string, more: object = {}) =>
    pick(
      ran('bash', { command }, text, more)('git_event'),
      ...['event_uid', 'op', 'evidence', 'branch', 'sha_short'],
    );

  it('is known by what it printed, and by what a command is proved to have done', () => {
    expect(git('git commit -m x && git push', '[main 1a2b3c4] x')).toEqual([
      ['c1:commit:0', 'commit', 'output_regex', 'main', '1a2b3c4'],
      ['c1:push:cmd0', 'push', 'command', null, null],
    ]);
    expect(git('git push', '   1a2b3c4..5d6e7f8  main -> main')).toEqual([
      ['c1:push:0', 'push', 'output_regex', 'main', '5d6e7f8'],
    ]);
  });

  it('did nothing where the command failed, or where another tool shows it', () => {
    expect(git('git commit -m x', '[main 1a2b3c4] x', { isError: true })).toEqual([]);
    const rows = ran('read', { path: 'log' }, '[main 1a2b3c4] x');
    expect(rows('git_event')).toEqual([]);
  });
});

describe('a person’s own command', () => {
  it('is told with what it printed, and wakes nobody', () => {
    const message = { role: 'bashExecution', command: 'ls', output: 'a\n', exitCode: 0 };
    const rows = rowsOf(home, entry('message', { id: 'ls', message }), answer('a', 'stop'));
    expect(pick(rows('message'), 'message_class', 'text', 'detail', 'trigger_class')).toEqual([
      ['context_injection', '$ ls\na', '{"source":"bashExecution"}', null],
    ]);
    expect(pick(rows('turn'), 'turn_key', 'origin')).toEqual([['a', 'unknown']]);
  });
});

describe('what the system is told', () => {
  it('is a text, sections, and tools that come and go', () => {
    const message = {
      ...{
        role: 'system',
        content: 'You draw tides.',
        sections: { rules: 'Be brief.', old: null },
      },
      ...{ toolsAdded: [{ name: 'read' }], toolsRemoved: ['bash'] },
    };
    const rows = rowsOf(home, entry('message', { message }));
    expect(pick(rows('message'), 'role', 'message_class', 'text', 'detail')).toEqual([
      [
        ...['system', 'system_prompt', 'You draw tides.\n\nBe brief.'],
        '{"source":"system","tools_added":["read"],"tools_removed":["bash"]}',
      ],
    ]);
  });
});

describe('marks in a session', () => {
  it('are labels and edits of the context', () => {
    const rows = rowsOf(
      home,
      entry('label', { targetId: 't1', label: 'good' }),
      entry('context_edit', { targetId: 't1', replacement: null }),
      entry('context_edit', { targetId: 't2', replacement: 'less' }),
      entry('context_edit', { edits: [] }),
    );
    expect(pick(rows('session_event'), 'kind', 'value', 'detail')).toEqual([
      ['label', 'good', '{"target":"t1"}'],
      ['context_edit', 'omit', '{"target":"t1"}'],
      ['context_edit', 'replace', '{"target":"t2"}'],
      ['context_edit', null, null],
    ]);
  });
});
