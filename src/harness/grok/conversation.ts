/**
 * The columns of `conversations` for Grok Build, each a function of a row's unit.
 *
 * The chat has neither times nor tokens nor ids, so they come from beside it:
 * - `timestamp`: the updates' (see `clock.ts`), else the summary's last activity; for `system`
 *   lines the summary's beginning.
 * - Tokens: those of the last completed turn, on every row (`usage_scope` is `session`): take any
 *   row, never the sum. Input includes what came from the cache.
 * - `uuid`: the line's own id, else `<session>:<line>`. `record_id` tells a line's calls apart.
 *
 * `cwd` is the decoded name of the project's folder, or the path that its file `.cwd` holds.
 * The project is the root of the repository, where the summary names one.
 *
 * `author`: what stands in the user's slot is the system's where it has a `synthetic_reason`, the
 * caller's in a sub-agent, else the user's; text, reasoning and calls are the agent's.
 */

import { isObject, member, textOf } from '../../bytes/json.ts';
import { compactJson, type KeyOrder, partAsJson } from '../../bytes/json-print.ts';
import type { conversations } from '../../relations/index.ts';
import type { Cells, Reader, ReadOptions, SourceContext } from '../harness.ts';
import { byteOrderMarkProblem, companionProblems, diagnosisOf } from '../shared/diagnosis.ts';
import { at, contentText, lookUp, nonEmptyText } from '../shared/fields.ts';
import { Clock, type SavedClock, startClock, type Usage } from './clock.ts';
import * as session from './session.ts';
import { blockUnits, type GrokUnit, lineUnit, toolCallsOf, typeOfLine } from './units.ts';

/** The updates that a line takes its time from, by the type of the line. */
const TICKS: Readonly<Record<string, readonly string[]>> = {
  assistant: ['agent_message_chunk', 'tool_call'],
  reasoning: ['agent_thought_chunk'],
  tool_result: ['tool_call_update', 'tool_call'],
  user: ['user_message_chunk'],
};

/** The reader of `conversations`, by block or by line. */
export function conversationsReader(source: string, options: ReadOptions): Reader<GrokUnit> {
  return {
    kinds: ['transcript'],
    start: (_source, context) => startClock(context),
    read(state, record, emit, context) {
      const clock = state as Clock;
      const ticks = lookUp(TICKS, typeOfLine(record.value)) ?? [];
      const known = { timestamp: clock.next(ticks, context), usage: clock.usage };
      if (options.rows === 'block') blockUnits(record, known, emit);
      else emit(lineUnit(record, known));
    },
    save: state => (state as Clock).save(),
    restore: saved => new Clock(saved as SavedClock),
    cells: conversationCells(source),
  };
}

function conversationCells(source: string): Cells<typeof conversations, GrokUnit> {
  return {
    source: () => source,
    session_id: (_unit, context) => session.idOf(context),
    project_path: (_unit, context) => session.projectOf(context),
    project_dir: (_unit, context) => context.source.facts['projectDir'] ?? '',
    is_agent: (_unit, context) => session.isAgent(context),
    message_type: messageType,
    uuid,
    parent_uuid: (_unit, context) => session.parentOf(context),
    timestamp,
    message_role: role,
    message_content: content,
    model,
    tool_name: toolName,
    tool_use_id: toolUseId,
    tool_input: unit => inputOf(unit, 'sorted'),
    ...usageCells,
    slug: (_unit, context) => session.text(context, 'generated_title'),
    git_branch: (_unit, context) => session.text(context, 'head_branch'),
    cwd: (_unit, context) => session.cwdOf(context),
    version: (_unit, context) => session.versionOf(context),
    reasoning_effort: reasoningEffort,
    repository: (_unit, context) => session.repositoryOf(context),
    record_id: recordId,
    event_type: unit => textOf(member(unit.record.value, 'type')),
    parent_session_id: (_unit, context) => session.parentOf(context),
    forked_from_session_id: (_unit, context) => session.forkedFromOf(context),
    git_commit: (_unit, context) => session.text(context, 'head_commit'),
    agent_path: (_unit, context) => context.source.facts['agentPath'] ?? null,
    agent_role: (_unit, context) => session.agentRoleOf(context),
    status: unit =>
      textOf(at(unit.record.value, 'kind', 'status')) ??
      textOf(member(unit.record.value, 'status')),
    session_created_at: (_unit, context) => session.text(context, 'created_at'),
    session_updated_at: (_unit, context) => session.text(context, 'updated_at'),
    parse_error: parseError,
    metadata,
    author,
  };
}

const count = (name: keyof Usage) => (unit: GrokUnit) => unit.usage?.[name] ?? null;

const usageCells: Cells<typeof conversations, GrokUnit> = {
  input_tokens: count('input'),
  output_tokens: count('output'),
  cache_read_tokens: count('cacheRead'),
  reasoning_tokens: count('reasoning'),
  usage_scope: unit => (unit.usage === null ? null : 'session'),
};

function messageType(unit: GrokUnit): string {
  if (unit.kind === 'reasoning' || unit.kind === 'tool_call') return unit.kind;
  return typeOfLine(unit.record.value) ?? '_parse_error';
}

const ROLES: Readonly<Record<string, string>> = {
  assistant: 'assistant',
  backend_tool_call: 'tool',
  reasoning: 'assistant',
  tool_call: 'tool',
  tool_result: 'tool',
  user: 'user',
};

function role(unit: GrokUnit): string | null {
  return lookUp(ROLES, messageType(unit)) ?? null;
}

function author(unit: GrokUnit, context: SourceContext): string {
  switch (messageType(unit)) {
    case 'assistant':
    case 'backend_tool_call':
    case 'reasoning':
    case 'tool_call':
      return 'agent';
    case 'tool_result':
      return 'tool';
    case 'user':
      if (typeof member(unit.record.value, 'synthetic_reason') === 'string') return 'system';
      return session.isAgent(context) ? 'caller' : 'user';
    default:
      return 'system';
  }
}

function uuid(unit: GrokUnit, context: SourceContext): string {
  const own = nonEmptyText(member(unit.record.value, 'id'));
  return own ?? `${session.idOf(context)}:${unit.record.lineNumber}`;
}

function recordId(unit: GrokUnit, context: SourceContext): string {
  const { kind, callIndex, record } = unit;
  const line = `${session.idOf(context)}:${record.lineNumber}`;
  if (kind === 'reasoning') return `${line}:reasoning`;
  return kind === 'tool_call' ? `${line}:tool:${toolUseId(unit) ?? callIndex}` : line;
}

function timestamp(unit: GrokUnit, context: SourceContext): string | null {
  const created = session.text(context, 'created_at');
  if (typeOfLine(unit.record.value) === 'system') return created;
  return (
    unit.timestamp ??
    session.text(context, 'last_active_at') ??
    session.text(context, 'updated_at') ??
    created
  );
}

function content(unit: GrokUnit): string | null {
  const { record, kind } = unit;
  if (kind === 'tool_call') return null;
  if (kind === 'reasoning') return textOf(member(record.value, 'reasoning_content'));
  switch (typeOfLine(record.value)) {
    case null:
      return `Parse error: ${diagnosisOf(record)}`;
    case 'reasoning':
      return contentText(member(record.value, 'summary'));
    default:
      return contentText(member(record.value, 'content'));
  }
}

/** Whether a row is the model's own: only those have a model and an effort. */
function isModels(unit: GrokUnit): boolean {
  const type = messageType(unit);
  return type === 'assistant' || type === 'reasoning' || type === 'tool_call';
}

function model(unit: GrokUnit, context: SourceContext): string | null {
  if (!isModels(unit)) return null;
  const own = textOf(member(unit.record.value, 'model_id'));
  return own ?? session.text(context, 'current_model_id');
}

function reasoningEffort(unit: GrokUnit, context: SourceContext): string | null {
  if (!isModels(unit)) return null;
  const own = textOf(member(unit.record.value, 'reasoning_effort'));
  return own ?? session.text(context, 'reasoning_effort');
}

/** The tool call that a row names: its own; in a row for a whole line, the first. */
function callOf(unit: GrokUnit, root: unknown): unknown {
  const isNone = unit.kind === 'text' || unit.kind === 'reasoning';
  return isNone ? undefined : toolCallsOf(root)[Math.max(unit.callIndex, 0)];
}

/** A member of a call, which the oldest format has one level deeper. */
function ofCall(call: unknown, name: string): unknown {
  return member(call, name) ?? at(call, 'function', name);
}

function toolName(unit: GrokUnit): string | null {
  const { value } = unit.record;
  const backend = textOf(at(value, 'kind', 'tool_type'));
  return backend ?? textOf(ofCall(callOf(unit, value), 'name'));
}

function toolUseId(unit: GrokUnit): string | null {
  const { value } = unit.record;
  const own = textOf(member(value, 'tool_call_id')) ?? textOf(at(value, 'kind', 'id'));
  return own ?? textOf(member(callOf(unit, value), 'id'));
}

/** Arguments as they are when they are text, which is JSON as a rule; else as JSON. */
export function inputOf(unit: GrokUnit, order: KeyOrder): string | null {
  const input = (root: unknown) =>
    at(root, 'kind', 'action') ?? ofCall(callOf(unit, root), 'arguments');
  return textOf(input(unit.record.value)) ?? partAsJson(unit.record, input, order);
}

/** Facts of a line, and of a session that moved. */
function metadata({ record }: GrokUnit, context: SourceContext): string | null {
  const { value } = record;
  if (!isObject(value)) return null;
  const facts = {
    ...picked(value, ['synthetic_reason', 'prompt_index', 'prior_turn_interrupt']),
    ...picked(context.companion('summary'), ['previous_cwd', 'cwd_generation']),
    ...(session.isInherited(record.lineNumber, context) ? { inherited: true } : {}),
  };
  return Object.keys(facts).length === 0 ? null : compactJson(facts);
}

function picked(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  const known = names.filter(name => (member(value, name) ?? null) !== null);
  return Object.fromEntries(known.map(name => [name, member(value, name)]));
}

function parseError({ record }: GrokUnit, context: SourceContext): string | null {
  if (typeOfLine(record.value) === null) return diagnosisOf(record);
  return byteOrderMarkProblem(record) ?? companionProblems(record, context, ['summary', 'meta']);
}
