/** pi: who launched whom, as the launching session and the places of files tell it. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import {
  answer,
  BASE,
  call,
  custom,
  entry,
  header,
  lines,
  PROJECT,
  pick,
  result,
  rowsIn,
  rowsOf,
  runId,
  second,
  user,
} from './pi-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

/** A call of the tool for sub-agents, and its result. */
const launched = (id: string, args: object, details: object, more: object = {}) => [
  answer(`a-${id}`, 'toolUse', { content: [call(id, 'subagent', args)] }),
  result(id, 'subagent', 'Async: checker', { details, ...more }),
];

const single = (run: string, more: object = {}) => ({
  ...{ mode: 'single', runId: run, asyncId: run, results: [] },
  ...more,
});

const directory = (run: string, at = '/tmp/async-subagent-runs') =>
  `Retention-managed async directory: ${at}/${run}`;

const done = (status: string, ...body: string[]) =>
  custom(
    'notice',
    'subagent-notify',
    [`Background task ${status}: **Tide checker**`, '', ...body].join('\n'),
  );

describe('a launch in the background', () => {
  it('has the type that was asked for, its run, and its limits', () => {
    const deadlineAt = Date.parse(second(99));
    const limits = { timeoutMs: 60_000, deadlineAt, runFanoutBudget: { limit: 64, used: 2 } };
    const args = { agent: 'checker', task: 'Check the heights.', async: true, model: 'm' };
    const rows = rowsOf(home, ...launched('c1', args, single(runId(1), limits)));
    const [spawn = {}] = rows('subagent_spawn');
    expect(spawn).toMatchObject({
      ...{ spawn_uid: 'c1', call_uid: 'c1', requested_type: 'checker', background: true },
      ...{ requested_type_source: 'explicit', requested_model: 'm', workflow_id: runId(1) },
      ...{ launch_status: 'launched', timeout_ms: 60_000, deadline_at: deadlineAt * 1000 },
      ...{ run_fanout_budget: 64, spawn_budget: null, line_number: 2 },
    });
    expect(pick(rows('message'), 'event_uid', 'message_class', 'text')).toEqual([
      ['tide:a-c1:brief:c1:0', 'subagent_brief', 'Check the heights.'],
    ]);
    expect(pick(rows('tool_call'), 'tool_family', 'meta')).toEqual([
      [
        'subagent',
        `{"async":true,"mode":"single","run_id":"${runId(1)}","subagent_type":"checker"}`,
      ],
    ]);
  });

  const task = { agent: 'checker', task: 'Check.' };

  it.each([
    ['says so', task, single(runId(1)), {}, 1],
    ['has no task', { agent: 'checker', task: ' ' }, single(runId(1)), {}, 0],
    ['stays in the foreground', { ...task, async: false }, single(runId(1)), {}, 0],
    ['has another run', task, single(runId(1), { runId: runId(2) }), {}, 0],
    ['has no identifier of a run', task, single('run'), {}, 0],
    ['is of several', task, single(runId(1), { mode: 'parallel' }), {}, 0],
    ['failed', task, single(runId(1)), { isError: true }, 0],
    ['looks', { ...task, action: 'status' }, single(runId(1)), {}, 0],
    ['lists', { action: 'list' }, { mode: 'management', results: [] }, {}, 0],
  ])('is one or none where the result %s', (_what, args, details, more, spawns) => {
    const rows = rowsOf(home, ...launched('c1', args, details, more));
    expect(rows('subagent_spawn')).toHaveLength(spawns);
  });
});

describe('launches in the foreground', () => {
  it('have a row each, with what came of them', () => {
    const sessionFile = `/home/mira/${BASE}/${runId(7)}/run-0/session.jsonl`;
    const progressSummary = { tokens: 900, toolCount: 3, durationMs: 4000 };
    const results = [
      { agent: 'checker', exitCode: 0, sessionFile, model: 'm', progressSummary },
      { agent: 'writer', exitCode: 1 },
    ];
    const tasks = [{ task: 'Check.' }, { task: ' ' }, { task: 'Write.' }];
    const rows = rowsOf(home, ...launched('c1', { tasks }, { mode: 'parallel', results }));
    const columns = ['spawn_uid', 'requested_type', 'child_task_name', 'completion_status'];
    const reported = ['reported_tokens', 'reported_tool_uses', 'reported_duration_ms'];
    expect(pick(rows('subagent_spawn'), ...columns, ...reported)).toEqual([
      ['c1:0', 'checker', `${runId(7)}/run-0`, 'completed', 900, 3, 4000],
      ['c1:1', 'writer', null, 'failed', null, null, null],
    ]);
    expect(pick(rows('message'), 'text').flat()).toEqual(['Check.', 'Write.']);
    expect(pick(rows('tool_call'), 'trigger_class')).toEqual([['orchestrate']]);
  });
});

describe('a notice', () => {
  it('has the name of the sub-agent, which tells nothing about its kind', () => {
    const child = [
      'Workflow child failed (gave up): **Tide checker**',
      `Workflow run: ${runId(1)}`,
      `Child run: ${runId(2)}`,
      `Output: /home/mira/${BASE}/${runId(7)}/run-3/session.jsonl`,
    ];
    const workflow = { workflowScript: 'run()' };
    const rows = rowsOf(
      home,
      ...launched('c1', workflow, { mode: 'workflow', asyncId: runId(1), results: [] }),
      custom('notice', 'subagent-incremental-child-notify', child.join('\n')),
    );
    const columns = ['spawn_uid', 'name', 'requested_type', 'workflow_id', 'call_uid'];
    const more = ['completion_status', 'lifecycle_status', 'child_task_name'];
    expect(pick(rows('subagent_spawn'), ...columns, ...more)).toEqual([
      [runId(2), 'Tide checker', null, runId(1), 'c1', 'failed', 'failed', `${runId(7)}/run-3`],
    ]);
  });

  it('of a workflow names its children with how they stand', () => {
    const runs = `Child runs: check=${runId(2)} (completed), ${runId(3)} (paused), x=${runId(4)}`;
    const rows = rowsOf(home, done('completed', 'Done.', `Workflow run: ${runId(1)}`, runs));
    const columns = ['spawn_uid', 'name', 'completion_status', 'lifecycle_status', 'workflow_id'];
    expect(pick(rows('subagent_spawn'), ...columns)).toEqual([
      [runId(2), 'check', 'completed', 'completed', runId(1)],
      [runId(3), null, null, 'paused', runId(1)],
      [runId(4), 'x', null, null, runId(1)],
    ]);
  });

  const two = [1, 2].flatMap(number =>
    launched(`c${number}`, { agent: 'checker', task: 'Check.' }, single(runId(number))),
  );
  const ends = (...notices: object[]) =>
    pick(
      rowsOf(home, ...two, ...notices)('subagent_spawn'),
      ...['spawn_uid', 'requested_type', 'name', 'completion_status'],
    );

  it('that quotes the folder of another run ends only its own', () => {
    const notice = done('completed', directory(runId(1)), '', directory(runId(2)));
    expect(ends(notice)).toEqual([
      ['c1', 'checker', null, null],
      ['c2', 'checker', 'Tide checker', 'completed'],
    ]);
  });

  it('finds its run below a home with blanks in its path', () => {
    const at = '/home/mira of the tides/tmp/async-subagent-runs';
    expect(ends(done('failed', directory(runId(1), at)))).toEqual([
      ['c1', 'checker', 'Tide checker', 'failed'],
      ['c2', 'checker', null, null],
    ]);
  });

  it('of a run that nobody launched, or that does not open the text, ends nothing', () => {
    const inside = custom('x', 'subagent-notify', `I quote: ${directory(runId(1))}`);
    const other = custom('y', 'reminder', `Background task failed: **x**\n${directory(runId(1))}`);
    const open = [
      ['c1', 'checker', null, null],
      ['c2', 'checker', null, null],
    ];
    expect(ends(done('completed', directory(runId(9))), inside, other)).toEqual(open);
  });
});

describe('the place of a sub-agent', () => {
  const write = (below: string, id: string, ...more: object[]) =>
    writeFile(home, `${PROJECT}/${BASE}${below}.jsonl`, lines(header({ id }), ...more));

  it('tells its root, its depth and its path, and its parent by the transcript above it', () => {
    write('', 'tide');
    write(`/${runId(1)}/run-0/session`, 'child');
    write(`/${runId(1)}/run-0/session/${runId(2)}/run-1/session`, 'grandchild');
    const columns = ['session_uid', 'root_session_uid', 'parent_session_uid', 'spawn_depth'];
    expect(pick(rowsIn(home)('session'), ...columns, 'agent_path', 'spawn_kind')).toEqual([
      ['tide', null, null, null, null, null],
      ['child', 'tide', 'tide', 1, `tide/${runId(1)}/run-0`, 'pi_subagent'],
      [
        ...['grandchild', 'tide', 'child', 2],
        ...[`tide/${runId(1)}/run-0/${runId(2)}/run-1`, 'pi_subagent'],
      ],
    ]);
  });

  it('tells the parent of the first level only, when transcripts are gone', () => {
    write(`/${runId(1)}/run-0/session`, 'child');
    const columns = ['session_uid', 'parent_session_uid', 'spawn_depth'];
    expect(pick(rowsIn(home)('session'), ...columns)).toEqual([['child', 'tide', 1]]);
    removeFolder(`${home}/sessions`);
    write(`/${runId(1)}/run-0/session/${runId(2)}/run-1/session`, 'grandchild');
    expect(pick(rowsIn(home)('session'), ...columns)).toEqual([['grandchild', null, 2]]);
  });

  it('of the copies of its work leaves them to the census', () => {
    const name = `${PROJECT}/subagent-artifacts/${runId(1)}_checker_transcript.jsonl`;
    const said = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
    const copy = { recordType: 'message', runId: runId(1), agent: 'checker', message: said };
    writeFile(home, name, lines({ version: 1, timestamp: second(1), ...copy }));
    const rows = rowsIn(home);
    const columns = ['record_type', 'record_subtype', 'is_known', 'seen_count'];
    expect(pick(rows('record_type_seen'), ...columns)).toEqual([['message', 'assistant', true, 1]]);
    for (const relation of ['session', 'turn', 'message', 'llm_call', 'parse_issue'] as const) {
      expect(rows(relation)).toEqual([]);
    }
  });
});

describe('a fork', () => {
  it('leaves the entries that it copied to its parent, whose they are', () => {
    const copied = [user('ask', 'Go.'), answer('done', 'stop')];
    const parentSession = `C:\\pi\\${BASE}.jsonl`;
    const fork = header({ id: 'fork', timestamp: '2026-05-05T00:00:00.000Z', parentSession });
    const own = { ...user('else', 'Otherwise.'), timestamp: '2026-05-05T00:00:01.000Z' };
    const forked = lines(fork, ...copied, own);
    writeFile(home, `${PROJECT}/2026-05-05T00-00-00-000Z_fork.jsonl`, forked);
    const alone = rowsIn(home);
    const both = rowsOf(home, ...copied);
    for (const rows of [alone, both]) {
      expect(pick(rows('message'), 'event_uid', 'turn_key')).toEqual([
        ['tide:ask', 'ask'],
        ['fork:else', 'else'],
      ]);
      expect(pick(rows('turn'), 'session_uid', 'turn_key')).toEqual([
        ['tide', 'ask'],
        ['fork', 'else'],
      ]);
      expect(rows('llm_call')).toHaveLength(1);
    }
    const columns = ['session_uid', 'forked_from_uid', 'inherited_skipped'];
    expect(pick(both('session'), ...columns)).toEqual([
      ['tide', null, null],
      ['fork', 'tide', 2],
    ]);
    expect(pick(both('session_continuation'), 'child_uid', 'parent_uid', 'kind')).toEqual([
      ['fork', 'tide', 'fork'],
    ]);
  });

  it('that is a sub-agent with the context of its parent counts only its own', () => {
    const copied = [user('ask', 'Go.'), answer('done', 'stop')];
    const started = { timestamp: '2026-05-05T00:00:00.000Z', parentSession: `/x/${BASE}.jsonl` };
    const task = { ...user('task', 'Check.'), timestamp: '2026-05-05T00:00:01.000Z' };
    const path = `${PROJECT}/${BASE}/${runId(1)}/run-0/session.jsonl`;
    writeFile(home, path, lines(header({ id: 'child', ...started }), ...copied, task));
    const rows = rowsOf(home, ...copied);
    expect(pick(rows('message'), 'event_uid', 'message_class', 'is_sidechain')).toEqual([
      ['tide:ask', 'human_prompt', false],
      ['child:task', 'agent_message', true],
    ]);
    expect(pick(rows('turn'), 'session_uid', 'origin')).toEqual([
      ['tide', 'human'],
      ['child', 'subagent_brief'],
    ]);
    expect(pick(rows('session'), 'session_uid', 'forked_from_uid', 'inherited_skipped')).toEqual([
      ['tide', null, null],
      ['child', null, 2],
    ]);
    expect(rows('session_continuation')).toEqual([]);
  });

  it('of the first format, whose entries have no identifiers, keeps all of them', () => {
    const { version: _version, ...old } = header({ id: 'old', branchedFrom: '/x/y_tide.jsonl' });
    const { id: _id, ...ask } = user('ask', 'Go.');
    const text = lines(old, { ...ask, timestamp: '2026-05-03T00:00:00.000Z' });
    writeFile(home, `${PROJECT}/old.jsonl`, text);
    const rows = rowsIn(home);
    const offset = text.indexOf('\n') + 1;
    expect(pick(rows('message'), 'event_uid', 'session_uid')).toEqual([[`old:o${offset}`, 'old']]);
    expect(pick(rows('session'), 'inherited_skipped')).toEqual([[null]]);
  });
});

describe('the header', () => {
  it('may come late or never, which is an issue', () => {
    const name = `${PROJECT}/2026-05-04T08-00-00-000Z_name.jsonl`;
    const records = [user('ask', 'Go.'), user('more', 'On.')];
    writeFile(home, name, lines(...records));
    const without = rowsIn(home);
    expect(pick(without('message'), 'session_uid')).toEqual([['name'], ['name']]);
    expect(pick(without('parse_issue'), 'kind', 'line_number')).toEqual([
      ['missing_session_header', 1],
    ]);
    writeFile(home, name, lines(...records, header(), header(), entry('label', { id: 'l' })));
    const late = rowsIn(home);
    expect(pick(late('message'), 'session_uid')).toEqual([['tide'], ['tide']]);
    expect(pick(late('session'), 'session_uid', 'cwd')).toEqual([['tide', '/home/mira/tide']]);
    expect(pick(late('parse_issue'), 'kind', 'line_number')).toEqual([
      ['missing_session_header', 1],
      ['late_session_header', 4],
    ]);
  });
});
