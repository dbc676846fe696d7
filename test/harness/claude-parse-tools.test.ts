/** Claude Code's tool calls: their halves, how they end, what they tell of git and files. */

import { describe, expect, it } from 'vitest';
import {
  answer,
  attached,
  call,
  column,
  micros,
  parse,
  pick,
  result,
  said,
  shell,
} from './claude-parsing.ts';

const asks = (ms: number, id: string, name: string, input: object) =>
  answer(ms, `a${id}`, { id: `m${id}`, content: [call(id, name, input)] });
const runs = (id: string, command: string, more: object = {}) =>
  asks(0, id, 'Bash', { command, ...more });

describe('a call and its result', () => {
  it('are one row whichever comes first', () => {
    const columns = ['tool_name', 'outcome', 'exit_code', 'duration_ms', 'trigger_class'];
    const before = result(40, 'r', 't', 'x', { toolUseResult: shell('x') });
    const rows = parse(before, runs('t', 'ls'));
    expect(pick(rows, 'tool_call', ...columns)).toEqual([
      { tool_name: 'Bash', outcome: 'ok', exit_code: 0, duration_ms: 40, trigger_class: 'work' },
    ]);
    expect(rows.get('parse_issue')).toBeUndefined();
    const after = parse(runs('t', 'ls'), before);
    expect(pick(after, 'tool_call', ...columns)).toEqual(pick(rows, 'tool_call', ...columns));
    expect(pick(after, 'tool_io', 'input_text', 'output_text', 'stdout_text', 'ts')).toEqual([
      { input_text: '{"command":"ls"}', output_text: 'x', stdout_text: 'x', ts: micros(0) },
    ]);
  });

  it('have no result after a day of the transcript', () => {
    const rows = parse(runs('t', 'ls'), said(86_400_000, 'q', 'still there?'));
    expect(column(rows, 'tool_call', 'outcome')).toEqual(['no_result']);
  });

  it.each([
    ["The user doesn't want to proceed with this tool use.", true, 'denied', 'user-rejected'],
    ['[Request interrupted by user]', true, 'interrupted', null],
    ['Exit code 143\nCommand timed out after 2m', true, 'timeout', null],
    ['Exit code 1\nno', true, 'error', null],
  ])('end as the result begins: %s', (content, isError, outcome, denial) => {
    const rows = parse(runs('t', 'ls'), result(1, 'r', 't', content, { isError }));
    expect(column(rows, 'tool_call', 'outcome')).toEqual([outcome]);
    const denials = denial === null ? [] : [{ event_uid: 't:denial', value: denial }];
    expect(pick(rows, 'session_event', 'event_uid', 'value')).toEqual(denials);
  });

  it('keep pictures out of the texts', () => {
    const data = 'iVBORw0KGgoAAAAN';
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const rows = parse(asks(0, 't', 'Read', { file_path: '/a.png' }), result(1, 'r', 't', [image]));
    expect(pick(rows, 'tool_io', 'output_text', 'output_parts')[0]?.['output_parts']).toContain(
      '"bytes":12',
    );
    expect(pick(rows, 'attachment', 'attached_to', 'size_bytes', 'call_uid')).toEqual([
      { attached_to: 'tool_result', size_bytes: 12, call_uid: 't' },
    ]);
  });

  it('know from a later notice that a file was not read to its end', () => {
    const notice = { type: 'read_truncation_notice', toolUseID: 't', banner: 'Only 2000 lines' };
    const rows = parse(
      asks(0, 't', 'Read', { file_path: '/a' }),
      result(1, 'r', 't', 'x'),
      attached(2, 'n', notice),
      answer(3, 'b', { id: 'n' }),
    );
    expect(pick(rows, 'tool_io', 'output_text', 'output_truncated')).toEqual([
      { output_text: 'x', output_truncated: true },
    ]);
  });
});

describe('what a result makes of the next call', () => {
  const trigger = (name: string, input: object, more: { readonly toolUseResult?: unknown } = {}) =>
    column(
      parse(asks(0, 't', name, input), result(1, 'r', 't', 'x', more)),
      'tool_call',
      'trigger_class',
    );

  it('is decided by the tool, the command and the result', () => {
    expect(trigger('Bash', { command: 'git status' })).toEqual(['status']);
    expect(trigger('AskUserQuestion', {})).toEqual(['user']);
    expect(trigger('Agent', {})).toEqual(['orchestrate']);
    const running = { toolUseResult: { task: { status: 'running' } } };
    expect(trigger('TaskOutput', {}, running)).toEqual(['wait']);
    const command = 'gh run watch 7';
    expect(trigger('Bash', { command }, { toolUseResult: shell('') })).toEqual(['event']);
    const cut = { toolUseResult: shell('', { backgroundTaskId: 'b' }) };
    expect(trigger('Bash', { command }, cut)).toEqual(['wait']);
  });

  it('does not depend on times', () => {
    const rows = parse(runs('t', 'git status'), {
      ...result(1, 'r', 't', 'x'),
      timestamp: '2000-01-01T00:00:00Z',
    });
    expect(pick(rows, 'tool_call', 'trigger_class', 'duration_ms')).toEqual([
      { trigger_class: 'status' },
    ]);
  });
});

describe('a launch', () => {
  it('of no type is of the general one, and goes on beside as a text tells', () => {
    const input = { prompt: 'Look', description: 'look', run_in_background: 'true' };
    const told = { agentId: 'a1', status: 'completed', totalTokens: 9, resolvedModel: 'x' };
    const rows = parse(
      asks(0, 't', 'Agent', input),
      result(5, 'r', 't', 'ok', { toolUseResult: told }),
    );
    const columns = ['requested_type', 'requested_type_source', 'background', 'child_agent_id'];
    expect(pick(rows, 'subagent_spawn', ...columns, 'reported_tokens', 'completed_at')).toEqual([
      {
        requested_type: 'general-purpose',
        requested_type_source: 'default',
        background: true,
        child_agent_id: 'a1',
        reported_tokens: 9,
        completed_at: micros(5),
      },
    ]);
    expect(pick(rows, 'message', 'event_uid', 'message_class', 'text')).toEqual([
      { event_uid: 't:brief', message_class: 'subagent_brief', text: 'Look' },
    ]);
  });
});

describe('git', () => {
  const git = (command: string, toolUseResult: unknown, content = 'x', isError = false) =>
    pick(
      parse(runs('t', command), result(1, 'r', 't', content, { toolUseResult, isError })),
      'git_event',
      'event_uid',
      'op',
      'evidence',
      'branch',
    );
  const COMMIT = '[main abc1234] Fix\n 1 file changed';

  it('is told once by what the harness recorded and what git printed', () => {
    const recorded = { gitOperation: { commit: { sha: 'abc1234def', kind: 'committed' } } };
    const event_uid = 't:commit:abc1234';
    expect(git('git commit -m x', shell(COMMIT, recorded))).toEqual([
      { event_uid, op: 'commit', evidence: 'gitOperation' },
    ]);
    expect(git('git commit -m x', shell(COMMIT))).toEqual([
      { event_uid, op: 'commit', evidence: 'output_regex', branch: 'main' },
    ]);
  });

  it('tells of a push on the error stream, and of none that failed', () => {
    const stderr = 'To github.com:a/b.git\n   1111111..2222222  main -> main';
    const pushed = [
      { event_uid: 't:push:main', op: 'push', evidence: 'output_regex', branch: 'main' },
    ];
    expect(git('git push', shell('', { stderr }))).toEqual(pushed);
    expect(git('git push', 'Error: Exit code 1', 'Exit code 1\nrejected', true)).toEqual([]);
  });

  it('sees detached heads, new branches and forced pushes', () => {
    expect(git('git commit -m x', shell('[detached HEAD abc1234] x'))).toHaveLength(1);
    const created = 'To x\n * [new branch]      fix -> fix';
    expect(git('git push', shell('', { stderr: created }))[0]?.['event_uid']).toBe('t:push:fix');
    const forced = 'To x\n + 1111111...2222222 fix -> fix (forced update)';
    expect(git('git push -f', shell('', { stderr: forced }))[0]?.['event_uid']).toBe('t:push:fix');
  });

  it('believes a command that succeeded in silence', () => {
    expect(git('git commit -qm x && git push -q', shell(''))).toEqual([
      { event_uid: 't:commit:cmd0', op: 'commit', evidence: 'command' },
      { event_uid: 't:push:cmd0', op: 'push', evidence: 'command' },
    ]);
  });
});

describe('files', () => {
  it('are touched as their call asks, and are artifacts by absolute path', () => {
    const rows = parse(
      asks(0, '1', 'Read', { file_path: '/a/x.md' }),
      asks(1, '2', 'Write', { file_path: '/a/y.csv', content: 'a\nb\n' }),
      asks(2, '3', 'Edit', { file_path: 'z.ts', old_string: 'a\nb', new_string: 'a\nc\nd' }),
    );
    expect(pick(rows, 'file_touch', 'path', 'op', 'lines_added', 'lines_removed')).toEqual([
      { path: '/a/x.md', op: 'read' },
      { path: '/a/y.csv', op: 'create', lines_added: 2 },
      { path: 'z.ts', op: 'edit', lines_added: 2, lines_removed: 1 },
    ]);
    expect(pick(rows, 'artifact', 'path', 'action', 'kind')).toEqual([
      { path: '/a/x.md', action: 'read', kind: 'document' },
      { path: '/a/y.csv', action: 'written', kind: 'spreadsheet' },
    ]);
  });
});
