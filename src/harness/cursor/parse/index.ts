/**
 * What the chats of Cursor mean: those of the editor's database, and the agent's transcripts.
 *
 * - A prompt is a turn, called by its `requestId`, else by its bubble.
 * - Tokens stand on the last bubble of a turn, if anywhere: that is a model call. Two zeros mean
 *   that nothing was counted.
 * - The model of a bubble is its own, else that of the bubbles before it; the model that is chosen
 *   for the chat now may be another, and stands only where there are tokens and no other is known.
 * - Files count as touched unless the call was refused, cancelled or failed. What a command gave
 *   lies in its result, with the exit code.
 */

import { member } from '../../../bytes/json.ts';
import type { CellFunction, Reader, SourceContext, Unit } from '../../harness.ts';
import type { Parser } from '../../parser.ts';
import { at, lookUp, nonEmptyText } from '../../shared/fields.ts';
import { chatParser } from '../../shared/parsed/chats/parser.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { timeOf, tokensOf } from '../bubble.ts';
import { conversationsReader } from '../conversation.ts';
import { description } from '../describe.ts';
import type { CursorUnit } from '../units.ts';
import { moreRows } from './more.ts';
import { commandOf, isResult, type OpenCalls, parsedUnits, statusOf } from './units.ts';

const base = conversationsReader(description.name, { rows: 'block' });

/** The state of the reader, and what lies between two records: plain JSON. */
interface State {
  readonly inner: unknown;
  readonly open: OpenCalls;
}

type CursorCell = (unit: CursorUnit, context: SourceContext) => ReturnType<CellFunction<Unit>>;

/** Cells that the parser is to see instead of those of `conversations`. */
const cells: Readonly<Record<string, CursorCell>> = {
  // In `conversations` a chat in which the agent may act is one too: a person speaks in that.
  is_agent: unit => unit.chat.parentSession !== null,
  status: unit => {
    if (unit.type === 'turn_ended') return turnStatus(unit);
    return isResult(unit) ? statusOf(unit) : null;
  },
  turn_id: unit => (unit.role === 'user' ? nonEmptyText(member(unit.bubble, 'requestId')) : null),
  model: unit => {
    const own = nonEmptyText(at(unit.bubble, 'modelInfo', 'modelName'));
    const hasTokens = unit.isMain && tokensOf(unit.bubble, 'inputTokens') !== null;
    return own ?? (hasTokens ? unit.chat.model : null);
  },
  tool_output: unit => commandOf(unit)?.output ?? unit.text,
  mcp_server: unit => mcpNames(unit)[1] ?? null,
  mcp_tool: unit => mcpNames(unit)[2] ?? null,
  agent_type: unit => unit.chat.agentRole,
};

const TURN_STATUSES: Readonly<Record<string, string>> = {
  aborted: 'aborted',
  cancelled: 'aborted',
  completed: 'complete',
  error: 'error',
  failed: 'error',
};

function turnStatus({ record }: CursorUnit): string | null {
  return lookUp(TURN_STATUSES, member(record.value, 'status')) ?? null;
}

/** `mcp_<server>_<tool>`; the names of servers have no underline as a rule. */
function mcpNames({ tool }: CursorUnit): readonly string[] {
  return /^mcp_([^_]+)_(?!_)(.+)$/.exec(tool?.name ?? '') ?? [];
}

const reader: Reader<CursorUnit> = {
  kinds: base.kinds,
  ...(base.tables ? { tables: base.tables } : {}),
  readsBlankLines: true,
  start: (source, context): State => ({ inner: base.start(source, context), open: [] }),
  read(state, record, emit, context) {
    const { inner, open } = state as State;
    emitAll(units => base.read(inner, record, unit => units.push(unit), context), open, emit);
  },
  finish(state, emit, context) {
    const { inner, open } = state as State;
    emitAll(units => base.finish?.(inner, unit => units.push(unit), context), open, emit);
  },
  save(state) {
    const { inner, open } = state as State;
    return { open, inner: base.save ? base.save(inner) : inner };
  },
  restore(saved): State {
    const { inner, open } = saved as State;
    return { open, inner: base.restore ? base.restore(inner) : inner };
  },
  cells: { ...base.cells, ...cells },
};

function emitAll(
  read: (units: CursorUnit[]) => void,
  open: OpenCalls,
  emit: (unit: CursorUnit) => void,
): void {
  const units: CursorUnit[] = [];
  read(units);
  for (const unit of parsedUnits(units, open)) emit(unit);
}

/** The parser of all relations. */
export const parser: Parser = {
  ...chatParser(description, reader, {
    version: 1,
    inputIncludes: 'nothing',
    outputIncludesReasoning: true,
    callScopes: new Set(['response']),
    fileTools: {},
    spawnTools: new Set(['task', 'task_v2']),
    compactionTypes: new Set(),
    eventTypes: {},
    turnEndTypes: { turn_ended: null },
    more: moreRows,
  }),
  isText: ({ fileName }) => fileName.endsWith('.txt'),
  instantOf: value => instantMicros(timeOf(value)),
};
