/**
 * What the lines of a chat tell as they come, whatever becomes of them later.
 *
 * What is left of a chat is known at its end only (see `fold.ts`), but a model call was made also
 * when its message was taken back afterwards: every message with tokens is one. Written again, a
 * message keeps its identifier, so the call stays one.
 *
 * Tokens: `input` holds what came from the cache. `tool` is input of tools, and apart from it where
 * `total` is the sum of all four; `thoughts` is apart from `output` unless `total` says it is not.
 */

import { member, textOf } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { SourceContext } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { at, nonEmptyText } from '../fields.ts';
import { instantMicros } from '../prompt/instants.ts';
import { strictCount } from '../prompt/numbers.ts';
import { isAgentChat, isHeader, sessionOf } from './chat.ts';
import { isSnapshot } from './meaning.ts';
import { chatRecordType } from './record-types.ts';
import { checkpointOf } from './units.ts';

/** What is remembered of the lines before; plain JSON. */
export interface LineState {
  /** The turn of the last prompt. */
  turn: string | null;
}

/** A line on its way, and where its rows go. */
interface Line {
  readonly state: LineState;
  readonly record: SourceRecord;
  readonly place: Place;
  readonly rows: Rows;
  readonly context: SourceContext;
  readonly session: string;
}

/** Adds the model calls of a line, and what it tells of the session. */
export function lineRows(
  state: LineState,
  record: SourceRecord,
  place: Place,
  rows: Rows,
  context: SourceContext,
): void {
  const session = sessionOf(context);
  if (session === '') return;
  const line: Line = { state, record, place, rows, context, session };
  const { value } = record;
  if (record.isRest || isHeader(value) || chatRecordType(value) === '$set') sessionFacts(line);
  if (record.isRest || chatRecordType(value) === 'session') return;
  const checkpoint = checkpointOf(value);
  if (chatRecordType(value) !== '$set') messageFacts(line, value, -1);
  else for (const [index, message] of checkpoint.entries()) messageFacts(line, message, index);
}

/** The title, and the times that the header tells. */
function sessionFacts({ record, place, rows, context, session }: Line): void {
  if (!rows.wants('session')) return;
  const { value } = record;
  const first = instantMicros(member(value, 'startTime'));
  const last = member(value, 'lastUpdated') ?? at(value, '$set', 'lastUpdated');
  rows.add('session', place, {
    session_uid: session,
    agent_id: '',
    is_subagent: isAgentChat(context),
    title: nonEmptyText(member(value, 'summary')) ?? nonEmptyText(at(value, '$set', 'summary')),
    first_event_at: first,
    last_event_at: instantMicros(last),
  });
}

function messageFacts(line: Line, message: unknown, index: number): void {
  const { state, place, session, context, rows } = line;
  const id = nonEmptyText(member(message, 'id')) ?? `o${place.byteOffset}`;
  const type = chatRecordType(message);
  if (type === 'user' && !isSnapshot(message)) beginTurn(line, `${session}:${id}`, message);
  const tokens = tokensOf(member(message, 'tokens'));
  if (type !== 'gemini' || tokens === null || !rows.wants('llm_call')) return;
  const hasId = nonEmptyText(member(message, 'id')) !== null;
  rows.add('llm_call', place, {
    response_id: `${session}:${id}${hasId || index <= 0 ? '' : `:${index}`}`,
    session_uid: session,
    agent_id: '',
    turn_key: state.turn,
    ts: instantMicros(member(message, 'timestamp')),
    model: textOf(member(message, 'model')),
    is_sidechain: isAgentChat(context),
    ...tokens,
  });
}

/** A prompt that is taken back later has begun a turn, too: its model calls are there. */
function beginTurn({ state, rows, place, session }: Line, turn_key: string, message: unknown) {
  state.turn = turn_key;
  const started_at = instantMicros(member(message, 'timestamp'));
  rows.add('turn', place, { session_uid: session, agent_id: '', turn_key, started_at });
}

/** Disjoint counts; null where there are none, or where all are zero. */
function tokensOf(tokens: unknown) {
  const count = (name: string) => strictCount(member(tokens, name));
  const input = count('input');
  const output = count('output');
  const cached = count('cached');
  const thoughts = count('thoughts');
  const tool = count('tool');
  const total = count('total');
  const counts = [input, output, cached, thoughts, tool];
  if (counts.every(known => (known ?? 0) === 0)) return null;
  const inAndOut = (input ?? 0) + (output ?? 0);
  const isToolApart = total === inAndOut + (thoughts ?? 0) + (tool ?? 0);
  const areThoughtsInside = total === inAndOut && (thoughts ?? 0) > 0;
  const whole = input === null ? null : input + (isToolApart ? (tool ?? 0) : 0);
  return {
    input_uncached: whole === null ? null : Math.max(whole - (cached ?? 0), 0),
    cache_read: cached,
    output: output === null ? null : output + (areThoughtsInside ? 0 : (thoughts ?? 0)),
    reasoning: thoughts,
  };
}
