/** What running a command is for, and what the results of tool calls mean to an agent. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeResultClass } from '../../src/harness/shared/efficiency/claude.ts';
import { codexResultClass } from '../../src/harness/shared/efficiency/codex.ts';
import { execClass } from '../../src/harness/shared/efficiency/exec-class.ts';
import type { FinishedCall } from '../../src/harness/shared/efficiency/finished-call.ts';
import { genericResultClass } from '../../src/harness/shared/efficiency/generic.ts';
import { piResultClass } from '../../src/harness/shared/efficiency/pi.ts';

function call(tool: string, input: unknown, rest: Partial<FinishedCall> = {}): FinishedCall {
  return { tool, input, result: undefined, outputText: null, isInterrupted: false, ...rest };
}

describe('a shell command', () => {
  it.each([
    ['gh run watch 17'],
    ['gh pr checks 5 --watch'],
    ['sleep 30 && gh run view 17'],
    ['echo a; sleep 5'],
    ['until test -f done; do true; done'],
    ['while true; do\n  check\n  sleep $N\ndone'],
    ['timeout 60 tail -f log'],
    ['timeout 5 sh -c "wait $PID"'],
    ['printf \'{"chars" : ""}\''],
  ])('waits: %s', text => {
    expect(execClass(text)).toBe('wait');
  });

  it.each([
    ['gh run view 17 --log'],
    ['gh run list'],
    ['gh pr checks 5'],
    ['gh pr status'],
    ['gh api repos/a/b/actions/runs?per_page=1'],
    ['gh api repos/a/b/commits/c/check-runs'],
    ['gh api repos/a/b/pulls/5'],
    ['git status'],
    ['git status --short'],
    ['git fetch origin'],
    ['git log -1'],
    ['git rev-parse HEAD'],
    ['git ls-remote origin'],
    ['git worktree list'],
    ['git -C /repo status'],
    ['git --no-pager log'],
    ['cd /repo && git status'],
    ['backlog task list --plain'],
    ['backlog task view 7'],
    ['cat /tmp/state-1.json'],
    ['tail -5 report-a.md'],
    ['head outcomes-b.md'],
    ["sed -n '1,20p' a.notified"],
    ['wc -l x.claim'],
    ['cat lanes/a.md'],
    ['cat loop3.md'],
    ['cat wave2/a.md'],
    ['ps aux'],
    ['pgrep -f server'],
  ])('looks: %s', text => {
    expect(execClass(text)).toBe('status');
  });

  it.each([
    ['ls'],
    ['npm test'],
    ['echo $HOME'],
    ['gh pr create'],
    ['gh run rerun 17'],
    ['gh api repos/a/b/issues'],
    ['gh api user\necho pulls'],
    ['git commit -m x'],
    ['git worktree add x'],
    ['digit status'],
    ['backlog task create x'],
    ['cat README.md'],
    ['cat airplane.md'],
    [`cat ${'a'.repeat(161)} state-1`],
    ['echo state-1'],
    ['ls ps/ a.ps /bin/ps maps'],
    ['sleep soundly'],
    ['vitest --watcher'],
    ['gh run rewatch'],
    ['until true; true\ndo'],
    [`until ${'a'.repeat(201)}; do x; done`],
    ['sleep; while true'],
    ['timeout 60 npm test'],
    ['timeout 60 npm test\nwait'],
    ['tail -f log'],
    ['await_agents'],
  ])('works: %s', text => {
    expect(execClass(text)).toBe('work');
  });

  it('is nothing only when it is blank', () => {
    expect(execClass('')).toBe('noop');
    expect(execClass(' \n')).toBe('noop');
    expect(execClass('x')).toBe('work');
  });

  it('counts the distance from the nearest reader, not from the first', () => {
    expect(execClass(`cat a; ${'b'.repeat(200)}; cat state-1`)).toBe('status');
    expect(execClass(`cat ${'a'.repeat(158)} state-1`)).toBe('status');
  });
});

describe('a cell', () => {
  it.each([
    ['', 'noop'],
    ['text("done")', 'noop'],
    ['git status', 'noop'],
    ['new Promise(r => setTimeout(r, 9))', 'noop'],
    ['é'.repeat(79), 'noop'],
    ['é'.repeat(80), 'work'],
    ['a'.repeat(80), 'work'],
    ['text($a)', 'work'],
    ['await tools.apply_patch(p)', 'work'],
    ['text(await tools.clock__curr_time({}))', 'status'],
    ['await tools.list_agents({})', 'status'],
    ['await tools.wait({ id: 1 })', 'wait'],
    ['await tools.wait_agent({})', 'wait'],
    ['await tools.sleep({ seconds: 1 })', 'wait'],
    ['await tools.clock__sleep({ seconds: 1 })', 'wait'],
    ['tools.x; setTimeout(f, 9)', 'wait'],
    ['await tools.write_stdin({ session_id: 1, chars: "" })', 'wait'],
    ["await tools.write_stdin({ session_id: 1, chars: '' })", 'wait'],
    ['await tools.write_stdin({ "chars": "" })', 'wait'],
    ['await tools.write_stdin({ session_id: 1, chars: "y" })', 'work'],
    ["await tools.other({ chars: '' })", 'work'],
    ['await tools.waiter({})', 'work'],
    ['await tools.exec_command({ cmd: "git status" })', 'status'],
    ["await tools.exec_command({ cmd: 'git status' })", 'status'],
    ['await tools.exec_command({ cmd: `git status` })', 'status'],
    ['await tools.exec_command({ "cmd": "echo \\"a\\"; git log" })', 'status'],
    ['tools.e({cmd: "git status"}); tools.e({cmd: "git log"})', 'status'],
    ['tools.e({cmd: "git status"}); tools.e({cmd: "npm test"})', 'work'],
    ['tools.e({cmd: "npm test"}); text("git status")', 'work'],
    ['tools.e({cmd: "git status', 'status'],
  ])('%j is %s', (text, expected) => {
    const wire = Buffer.from(text, 'utf8').toString('latin1');
    expect(execClass(wire, 'cell')).toBe(expected);
  });
});

describe('texts of a megabyte', () => {
  it.each([
    'until ',
    'while ',
    'timeout 1 ',
    'cat ',
    'cat lan ',
    'gh api ',
    'write_stdin ',
    'cmd: "',
    'cmd: "\\',
    'cmd: `"\' ',
    'tools.a__',
    'tools.',
    'git -C ',
    'git ',
    'sleep ',
    'gh run ',
    '"chars" ',
    ' ',
    '\n',
    ';\n',
    'exit_code"',
    'a',
    '\xa0',
  ])('take no time: %j', piece => {
    const text = piece.repeat(1_000_000 / piece.length);
    const start = performance.now();
    for (const form of ['shell', 'cell'] as const) execClass(text, form);
    claudeResultClass(call('Bash', { command: `sleep 1\n${text}` }));
    codexResultClass(call('exec', `tools.wait(${text}`, { outputText: text }));
    codexResultClass(call('exec_command', { cmd: `${text} sleep 1` }, { outputText: text }));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('in Claude Code', () => {
  it.each<[string, unknown, unknown, string]>([
    ['TaskOutput', {}, { task: { status: 'running' } }, 'wait'],
    ['TaskOutput', {}, { task: { status: 'pending' } }, 'wait'],
    ['TaskOutput', {}, { status: 'running' }, 'wait'],
    ['TaskOutput', {}, { task: { status: 'completed' } }, 'event'],
    ['TaskOutput', {}, undefined, 'event'],
    ['BashOutput', {}, { interrupted: true }, 'wait'],
    ['BashOutput', {}, { interrupted: false, backgroundTaskId: null }, 'event'],
    ['Monitor', {}, { timedOutAfterMs: 1000 }, 'wait'],
    ['Monitor', {}, {}, 'event'],
    ['ScheduleWakeup', {}, { backgroundTaskId: 'b1' }, 'wait'],
    ['ScheduleWakeup', {}, 'scheduled', 'event'],
    ['Sleep', {}, { interrupted: true }, 'wait'],
    ['Sleep', {}, undefined, 'event'],
    ['TaskList', {}, {}, 'status'],
    ['TaskGet', {}, {}, 'status'],
    ['ListAgents', {}, {}, 'status'],
    ['Agent', {}, {}, 'orchestrate'],
    ['Task', {}, {}, 'orchestrate'],
    ['SendMessage', {}, {}, 'orchestrate'],
    ['TaskStop', {}, {}, 'orchestrate'],
    ['KillShell', {}, {}, 'orchestrate'],
    ['Workflow', {}, {}, 'orchestrate'],
    ['TeamCreate', {}, {}, 'orchestrate'],
    ['AskUserQuestion', {}, {}, 'user'],
    ['Bash', { command: 'git status' }, {}, 'status'],
    ['PowerShell', { command: 'git status' }, {}, 'status'],
    ['Bash', { command: 'ls' }, {}, 'work'],
    ['Bash', {}, {}, 'work'],
    ['Bash', { command: 'git status', run_in_background: true }, {}, 'work'],
    ['Bash', { command: 'sleep 9', run_in_background: 'true' }, {}, 'work'],
    ['Bash', { command: 'sleep 9', run_in_background: false }, {}, 'wait'],
    ['Bash', { command: 'echo a; sleep 9' }, {}, 'wait'],
    ['Bash', { command: 'cd /r && sleep 9 && ls' }, {}, 'wait'],
    ['Bash', { command: 'until test -f a; do sleep 1; done' }, {}, 'wait'],
    ['Bash', { command: 'x\nwhile true; do sleep 1; done' }, {}, 'wait'],
    ['Bash', { command: 'gh run watch 1' }, {}, 'event'],
    ['Bash', { command: 'gh run watch 1' }, { interrupted: true }, 'wait'],
    ['Bash', { command: 'gh run watch 1' }, { timedOutAfterMs: 1 }, 'wait'],
    ['Bash', { command: 'gh run watch 1' }, { backgroundTaskId: 'b1' }, 'wait'],
    ['Edit', {}, {}, 'work'],
    ['mcp__a__b', {}, {}, 'work'],
    ['toString', {}, {}, 'work'],
  ])('%s of %j with the result %j is %s', (tool, input, result, expected) => {
    expect(claudeResultClass(call(tool, input, { result }))).toBe(expected);
  });

  it('a wait that was interrupted brought nothing, whoever tells it', () => {
    const rest = { isInterrupted: true };
    expect(claudeResultClass(call('Monitor', {}, rest))).toBe('wait');
    expect(claudeResultClass(call('Bash', { command: 'gh run watch 1' }, rest))).toBe('wait');
  });
});

describe('in Codex', () => {
  const exited = 'Wall time: 1 s\nProcess exited with code 0\nOutput:\n';

  it.each<[string, unknown, string | null, string]>([
    ['wait', '{"cell_id":"1"}', exited, 'event'],
    ['wait', '{"cell_id":"1"}', '{"exit_code":0}', 'event'],
    ['wait', '{"cell_id":"1"}', '{\\"exit_code\\": -1}', 'event'],
    ['wait', '{"cell_id":"1"}', 'Script running with cell ID 1', 'wait'],
    ['clock.sleep', '{}', null, 'wait'],
    ['sleep', '{}', 'exit_code: 3', 'event'],
    ['wait_agent', '{}', '{"status":{},"timed_out":false}', 'event'],
    ['wait_agent', '{}', '{"status":{},"timed_out":true}', 'wait'],
    ['collaboration.wait_agent', '{}', null, 'wait'],
    ['list_agents', '{}', '', 'status'],
    ['get_goal', '{}', '', 'status'],
    ['spawn_agent', '{}', '', 'orchestrate'],
    ['collaboration.send_message', '{}', '', 'orchestrate'],
    ['followup_task', '{}', '', 'orchestrate'],
    ['interrupt_agent', '{}', '', 'orchestrate'],
    ['request_user_input', '{}', '', 'user'],
    ['request_user_input_async', '{}', '', 'user'],
    ['exec_command', '{"cmd":"git status"}', exited, 'status'],
    ['exec_command', { cmd: 'git status' }, exited, 'status'],
    ['exec_command', '{"cmd":"ls"}', exited, 'work'],
    ['exec_command', '{"cmd":""}', exited, 'noop'],
    ['exec_command', '{"cmd":"git sta', null, 'work'],
    ['exec_command', undefined, null, 'work'],
    ['exec_command', '{"cmd":"gh run watch 1"}', exited, 'event'],
    ['exec_command', '{"cmd":"gh run watch 1"}', 'Process running', 'wait'],
    ['exec_command', '{"cmd":"sleep 9"}', exited, 'event'],
    ['shell', '{"command":["bash","-lc","git status"]}', '', 'status'],
    ['shell', '{"command":["git","status"]}', '', 'status'],
    ['shell', '{"command":["/bin/zsh","-c","ls"]}', '', 'work'],
    ['shell_command', '{"command":"git log"}', '', 'status'],
    ['local_shell', { type: 'exec', command: ['git', 'log'] }, '', 'status'],
    ['run', '{"script":"text(1)"}', '', 'noop'],
    ['run', '{"command":"ls"}', '', 'work'],
    ['js', '{"code":"text(1)"}', '', 'noop'],
    ['js', '{"code":"await tools.x({})"}', '', 'work'],
    ['exec', 'text("done")', '', 'noop'],
    ['functions.exec', 'await tools.exec_command({cmd:"git status"})', exited, 'status'],
    ['exec', 'await tools.wait({})', exited, 'event'],
    ['exec', 'await tools.wait({})', 'Script running', 'wait'],
    ['exec', 'await tools.sleep({}); tools.exec_command(c)', exited, 'wait'],
    ['exec', 'tools.x(); setTimeout(f, 1)', exited, 'wait'],
    ['write_stdin', '{"session_id":1,"chars":"","yield_time_ms":1000}', '', 'wait'],
    ['write_stdin', '{"session_id":1,"yield_time_ms":1000}', '', 'wait'],
    ['write_stdin', { session_id: 1, chars: '' }, exited, 'event'],
    ['write_stdin', '{"session_id":01,"chars":""}', '', 'wait'],
    ['write_stdin', '{"session_id":1,"chars":"\\u0003"}', exited, 'work'],
    ['write_stdin', '{"session_id":1,"chars":"git status\\n"}', '', 'status'],
    ['apply_patch', '*** Begin Patch', 'Done', 'work'],
    ['update_plan', '{}', '', 'work'],
  ])('%s of %j with the output %j is %s', (tool, input, outputText, expected) => {
    expect(codexResultClass(call(tool, input, { outputText }))).toBe(expected);
  });
});

describe('in pi', () => {
  const some = { results: [{ id: 1 }] };

  it.each<[string, unknown, unknown, string]>([
    ['bash', { command: 'git status' }, undefined, 'status'],
    ['bash', { command: 'sleep 9' }, undefined, 'wait'],
    ['bash', { command: 'ls' }, undefined, 'work'],
    ['bash', null, undefined, 'work'],
    ['subagent', { action: 'list' }, undefined, 'status'],
    ['subagent', { action: 'status', tasks: [1] }, undefined, 'status'],
    ['subagent', { action: 'wait' }, some, 'event'],
    ['subagent', { action: 'wait' }, { results: [] }, 'wait'],
    ['subagent', { action: 'wait' }, undefined, 'wait'],
    ['wait', {}, some, 'event'],
    ['wait', {}, undefined, 'wait'],
    ['subagent', { workflowScript: '' }, undefined, 'orchestrate'],
    ['subagent', { workflowScript: null, task: 'x' }, some, 'work'],
    ['subagent', { action: 'run' }, undefined, 'orchestrate'],
    ['subagent', { action: 'start' }, undefined, 'orchestrate'],
    ['subagent', { action: 'spawn' }, undefined, 'orchestrate'],
    ['subagent', { tasks: [{ task: 'x' }] }, some, 'orchestrate'],
    ['subagent', { tasks: [] }, undefined, 'work'],
    ['subagent', { action: { toString: 1 } }, undefined, 'work'],
    ['watch_start', {}, undefined, 'orchestrate'],
    ['wake_at', {}, undefined, 'orchestrate'],
    ['read', {}, undefined, 'work'],
  ])('%s of %j with the details %j is %s', (tool, input, result, expected) => {
    expect(piResultClass(call(tool, input, { result }))).toBe(expected);
  });
});

describe('in other harnesses', () => {
  it.each<[string, unknown, string]>([
    ['run_shell_command', { command: 'git status' }, 'status'],
    ['run_terminal_cmd', '{"command":"sleep 9"}', 'wait'],
    ['Shell', { command: 'ls' }, 'work'],
    ['bash', 'git status', 'status'],
    ['bash', {}, 'work'],
    ['read_file', { command: 'git status' }, 'work'],
    ['AskUserQuestion', {}, 'work'],
  ])('%s of %j is %s', (tool, input, expected) => {
    expect(genericResultClass(call(tool, input))).toBe(expected);
  });
});

describe('calls of any form', () => {
  const classes = ['noop', 'status', 'wait', 'event', 'orchestrate', 'user', 'work'];
  const tools = [
    'Bash',
    'bash',
    'exec',
    'exec_command',
    'write_stdin',
    'subagent',
    'TaskOutput',
    '',
  ];
  const input = fc.oneof(
    fc.jsonValue(),
    fc.json(),
    fc.record({ command: fc.jsonValue(), cmd: fc.jsonValue(), action: fc.jsonValue() }),
  );

  it('have a class and never throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tools), input, fc.jsonValue(), (tool, given, result) => {
        const all = [claudeResultClass, codexResultClass, piResultClass, genericResultClass];
        for (const rule of all) expect(classes).toContain(rule(call(tool, given, { result })));
      }),
    );
  });
});
