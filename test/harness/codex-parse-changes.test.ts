/** What tools of Codex changed, as the parser reads it: files and git. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { event, item, meta } from './codex-home.ts';
import { column, completed, output, parseRollout, pick, shell } from './codex-parsing.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const patch = (id: string, input: string) =>
  item('custom_tool_call', { name: 'apply_patch', input, call_id: id });
const patched = (id: string, text: string) =>
  item('custom_tool_call_output', { call_id: id, output: text });
const UPDATE = '*** Begin Patch\n*** Update File: a.md\n-old\n+new\n*** End Patch';
const TOUCH = ['touch_uid', 'path', 'op', 'lines_added', 'lines_removed', 'move_from'];

describe('a patch', () => {
  it('counts as the completed item tells, not as it was asked for', () => {
    const diff = '@@ -1 +1,2 @@\n-old\n+new\n+newer\n';
    const changes = { 'a.md': { type: 'update', unified_diff: diff, move_path: null } };
    const change = { type: 'FileChange', id: 'c1', status: 'completed', changes };
    const parsed = parseRollout(
      home,
      meta(),
      patch('c1', UPDATE),
      completed(change),
      patched('c1', 'Success.'),
    );
    expect(pick(parsed, 'file_touch', ...TOUCH, 'item_uid', 'call_uid')).toEqual([
      {
        ...{ touch_uid: 'item:c1:0', path: 'a.md', op: 'edit', lines_added: 2, lines_removed: 1 },
        ...{ item_uid: 'c1', call_uid: 'c1' },
      },
    ]);
    expect(pick(parsed, 'tool_op', 'item_type', 'call_uid', 'link_method', 'file_count')).toEqual([
      { item_type: 'FileChange', call_uid: 'c1', link_method: 'item_id', file_count: 1 },
    ]);
  });

  it('counts as it was asked for where nothing else tells', () => {
    const input =
      '*** Begin Patch\n*** Add File: /w/c.md\n+1\n+2\n' +
      '*** Update File: d\n*** Move to: e\n-x\n+y\n' +
      '*** Delete File: f\n*** End Patch';
    const parsed = parseRollout(home, meta(), patch('c1', input), patched('c1', 'Success.'));
    expect(pick(parsed, 'file_touch', ...TOUCH)).toEqual([
      { touch_uid: 'c1:0', path: '/w/c.md', op: 'create', lines_added: 2, lines_removed: 0 },
      {
        ...{ touch_uid: 'c1:1', path: 'e', op: 'move', move_from: 'd' },
        ...{ lines_added: 1, lines_removed: 1 },
      },
      { touch_uid: 'c1:2', path: 'f', op: 'delete', lines_added: 0 },
    ]);
    expect(pick(parsed, 'artifact', 'path', 'action')).toEqual([
      { path: '/w/c.md', action: 'written' },
    ]);
  });

  it.each([
    ['refused', [patched('c1', 'apply_patch verification failed: no such line')]],
    [
      'failed',
      [
        event('patch_apply_end', { call_id: 'c1', success: false, changes: {} }),
        patched('c1', 'x'),
      ],
    ],
    ['stopped', [patched('c1', 'aborted by user')]],
    ['unanswered', []],
  ])('that was %s touches no file', (_how, records) => {
    const parsed = parseRollout(home, meta(), patch('c1', UPDATE), ...records);
    expect(parsed.get('file_touch')).toBeUndefined();
  });

  it('in a shell command counts, and once when an event tells it too', () => {
    const cmd = `apply_patch <<'EOF'\n${UPDATE}\nEOF`;
    const asked = parseRollout(home, meta(), shell('c1', cmd), output('c1', 'Success.'));
    expect(column(asked, 'file_touch', 'path')).toEqual(['a.md']);
    const changes = { 'b.md': { type: 'add', content: 'x' } };
    const told = event('patch_apply_end', { call_id: 'c1', success: true, changes });
    const parsed = parseRollout(home, meta(), shell('c1', cmd), told, output('c1', 'Success.'));
    expect(column(parsed, 'file_touch', 'path')).toEqual(['b.md']);
  });
});

const GIT = ['event_uid', 'op', 'evidence', 'branch', 'sha_short'];

describe('git', () => {
  const run = (command: string, aggregated_output: string, exit_code = 0) => {
    const inner = { command: ['bash', '-lc', command], aggregated_output, exit_code };
    const status = exit_code === 0 ? 'completed' : 'failed';
    return parseRollout(
      home,
      meta(),
      completed({ type: 'CommandExecution', id: 'e1', status, ...inner }),
    );
  };

  it('that succeeds without a word is told by its command', () => {
    expect(pick(run('git commit -qm x && git push -q', ''), 'git_event', ...GIT)).toEqual([
      { event_uid: 'e1:commit:cmd0', op: 'commit', evidence: 'command' },
      { event_uid: 'e1:push:cmd0', op: 'push', evidence: 'command' },
    ]);
  });

  it('that fails is told by nothing', () => {
    expect(run('git commit -qm x && git push -q', '', 1).get('git_event')).toBeUndefined();
  });

  it('that prints what it did is told by that alone', () => {
    const text = '[main 1a2b3c4] x\n   1111111..1a2b3c4  main -> main\n';
    expect(pick(run('git commit -m x && git push', text), 'git_event', ...GIT)).toEqual([
      {
        ...{ event_uid: 'e1:commit:1a2b3c4', op: 'commit', evidence: 'output_regex' },
        ...{ branch: 'main', sha_short: '1a2b3c4' },
      },
      {
        ...{ event_uid: 'e1:push:1a2b3c4', op: 'push', evidence: 'output_regex' },
        ...{ branch: 'main', sha_short: '1a2b3c4' },
      },
    ]);
  });

  it('is seen on no branch, on a new branch and by force', () => {
    const text =
      '[detached HEAD 1a2b3c4] x\nTo o\n * [new branch]      a -> a\n' +
      ' + 1111111...2222222 b -> b (forced update)\n';
    expect(
      pick(run('git commit -m x; git push', text), 'git_event', 'event_uid', 'branch'),
    ).toEqual([
      { event_uid: 'e1:commit:1a2b3c4' },
      { event_uid: 'e1:push:new:a', branch: 'a' },
      { event_uid: 'e1:push:2222222', branch: 'b' },
    ]);
  });

  it('is told by calls of versions that record no operations', () => {
    const text = '{"output":"[main 1a2b3c4] x\\n","metadata":{"exit_code":0}}';
    const old = parseRollout(home, meta(), shell('c1', 'git commit -m x'), output('c1', text));
    expect(pick(old, 'git_event', 'event_uid', 'call_uid')).toEqual([
      { event_uid: 'c1:commit:1a2b3c4', call_uid: 'c1' },
    ]);
  });

  it('is told once when an operation and its call tell it', () => {
    const command = { type: 'CommandExecution', id: 'c1', command: ['git', 'commit', '-m', 'x'] };
    const end = { status: 'completed', exit_code: 0, aggregated_output: '[main 1a2b3c4] x\n' };
    const parsed = parseRollout(
      home,
      ...[meta(), shell('c1', 'git commit -m x'), completed({ ...command, ...end })],
      output('c1', 'Process exited with code 0\nOutput:\n[main 1a2b3c4] x'),
    );
    expect(column(parsed, 'git_event', 'event_uid')).toEqual(['c1:commit:1a2b3c4']);
  });

  it('tells pull requests that gh printed', () => {
    const parsed = run('gh pr create --fill', 'https://github.com/mira/tide/pull/12\n');
    expect(pick(parsed, 'git_event', 'event_uid', 'pr_action', 'pr_number', 'pr_repo')).toEqual([
      { event_uid: 'e1:pr:mira/tide#12', pr_action: 'create', pr_number: 12, pr_repo: 'mira/tide' },
    ]);
  });
});
