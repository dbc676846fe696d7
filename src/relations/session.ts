/** Sessions and turns: who worked, on whose behalf, from when to when. */

import { flag, instant, integer, json, requiredFlag, requiredText, text } from './column.ts';
import { origin, owner, place } from './origin.ts';
import { relation } from './relation.ts';

/** Rows of `read_sessions()`: one per session and sub-agent. */
export const session = relation({
  name: 'session',
  functionName: 'read_sessions',
  meaning: 'Sessions and sub-agents: identity, lineage as recorded, when they began and ended',
  key: ['source', 'session_uid', 'agent_id'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    ...owner,
    is_subagent: requiredFlag('Another agent launched it', { merge: 'OR' }),
    root_session_uid: text('Session at the top, as the records tell it'),
    parent_session_uid: text('Session that launched it or that it was forked from'),
    parent_agent_id: text("Sub-agent of the parent session that launched it; '' for the session"),
    parent_call_uid: text('Tool call that launched it'),
    spawn_kind: text('agent, fork, workflow, codex_fork, codex_spawn, codex_exec, pi_subagent …'),
    spawn_depth: integer('How many launches below the root'),
    agent_type: text('Kind of sub-agent'),
    agent_type_source: text('explicit or default'),
    agent_role: text('Role of the sub-agent'),
    agent_path: text('Path of the sub-agent below its root'),
    agent_nickname: text('Name of the sub-agent'),
    forked_from_uid: text('Session it was forked from'),
    workflow_id: text('Workflow that launched it'),
    title: text('Title that the harness gave'),
    custom_title: text('Title that a person gave'),
    cwd: text('Working directory at the start', { merge: 'KEEP' }),
    git_branch: text('Branch at the start', { merge: 'KEEP' }),
    git_commit_start: text('Commit at the start', { merge: 'KEEP' }),
    git_remote_url: text('Address of the remote'),
    cli_version_first: text('Version of the harness at the start', { merge: 'KEEP' }),
    cli_version_last: text('Version of the harness at the end'),
    entrypoint: text('Front end: cli, sdk-cli, vscode, exec …'),
    model_provider: text('Who serves the model'),
    thread_source: text('How the session came to be, as recorded'),
    history_mode: text('How the history is kept, as recorded'),
    first_event_at: instant('First record with a time', { merge: 'MIN' }),
    last_event_at: instant('Last record with a time', { merge: 'MAX' }),
    first_human_at: instant('First words of a person', { merge: 'MIN' }),
    last_human_at: instant('Last words of a person', { merge: 'MAX' }),
    inherited_skipped: integer('Records copied from the parent, which count there', {
      merge: 'MAX',
    }),
    ...place,
  },
});

/** Rows of `read_turns()`: one per turn. */
export const turn = relation({
  name: 'turn',
  functionName: 'read_turns',
  meaning: 'Turns: what set the agent to work, and how that ended',
  key: ['source', 'session_uid', 'agent_id', 'turn_key'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    ...owner,
    turn_key: requiredText('Identifier of the turn within its session', { merge: 'KEEP' }),
    origin: text('What opened it: human, sdk, task_notification, subagent_brief, peer …', {
      merge: 'KEEP',
    }),
    started_at: instant('When it began', { merge: 'MIN' }),
    completed_at: instant('When it ended', { merge: 'MAX' }),
    duration_ms: integer('How long it took, as recorded'),
    ttft_ms: integer('Time to the first token, as recorded'),
    status: text('open, complete, error, aborted; NULL where the harness does not tell'),
    abort_reason: text('Why it was aborted'),
    message_count: integer('Messages, as the harness counts them', { merge: 'MAX' }),
    model: text('Model that answered'),
    effort: text('Reasoning effort that was asked for'),
    permission_mode: text('What the agent could do without asking'),
    approval_policy: text('When the agent must ask'),
    sandbox_type: text('What the agent could reach'),
    collaboration_mode: text('How person and agent worked together, as recorded'),
    context_window: integer('Size of the context window in tokens'),
    reasoning_summary: text('Whether summaries of the reasoning were asked for'),
    trace_id: text('Trace of the turn'),
    root_turn_key: text('Turn of the root session'),
    origin_hint: text('Origin that the record states'),
    prompt_index: integer('Number of the prompt in the session, as recorded'),
    turn_index: integer('Number of the turn in the session, as recorded'),
    pending_bg_agents: integer('Agents still at work when it ended'),
    pending_workflows: integer('Workflows still at work when it ended'),
    ...place,
  },
});

/** Rows of `read_session_continuations()`: one per hand-over from a session to another. */
export const sessionContinuation = relation({
  name: 'session_continuation',
  functionName: 'read_session_continuations',
  meaning: 'Sessions that go on from another session',
  key: ['source', 'child_uid', 'parent_uid', 'kind'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    child_uid: requiredText('Session that goes on'),
    parent_uid: requiredText('Session that it goes on from'),
    kind: requiredText('resume, fork, compaction_continuation, clear or other'),
    ...owner,
    ts: instant('When it was recorded'),
    evidence: text('What tells it'),
    ...place,
  },
});

/** Rows of `read_session_events()`: one per thing that happened beside the talk. */
export const sessionEvent = relation({
  name: 'session_event',
  functionName: 'read_session_events',
  meaning: 'What happened beside the talk: interrupts, mode and model switches, skills, errors …',
  key: ['source', 'event_uid', 'kind'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Identifier of the event'),
    kind: requiredText('interrupt, denial, model_switch, slash_command, api_error …'),
    ...owner,
    turn_key: text('Turn it happened in'),
    ts: instant('When it happened'),
    value: text('What it was about, up to 200 characters'),
    detail: json('Further facts'),
    ...place,
  },
});

/** Rows of `read_compactions()`: one per compaction of the context. */
export const compaction = relation({
  name: 'compaction',
  functionName: 'read_compactions',
  meaning: 'Compactions of the context, as they are recorded',
  key: ['source', 'event_uid'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Identifier of the compaction'),
    ...owner,
    turn_key: text('Turn it happened in'),
    ts: instant('When it happened'),
    trigger: text('auto or manual'),
    pre_tokens: integer('Tokens before'),
    post_tokens: integer('Tokens after'),
    duration_ms: integer('How long it took'),
    dropped_tokens: integer('Tokens dropped so far'),
    window_number: integer('Number of the context window'),
    window_id: text('Identifier of the context window'),
    previous_window_id: text('Identifier of the window before'),
    ...place,
  },
});

/** Rows of `read_hook_events()`: one per run of a hook. */
export const hookEvent = relation({
  name: 'hook_event',
  functionName: 'read_hook_events',
  meaning: 'Runs of hooks',
  key: ['source', 'event_uid'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Identifier of the run'),
    ...owner,
    turn_key: text('Turn it happened in'),
    call_uid: text('Tool call that it ran for'),
    ts: instant('When it ran'),
    hook_event: text('Event that it hangs on: PreToolUse, Stop …'),
    outcome: text('success, blocking_error, cancelled …'),
    hook_name: text('Name of the hook'),
    command_sha256: text('SHA-256 of its command'),
    exit_code: integer('Exit code'),
    duration_ms: integer('How long it ran'),
    timed_out: flag('It ran out of time'),
    prevented_continuation: flag('It stopped the agent'),
    output_bytes: integer('Length of what it wrote'),
    ...place,
  },
});
