/**
 * Turns: from `task_started` to `task_complete` or `turn_aborted`, with the settings that
 * `turn_context` tells.
 *
 * - What opened a turn: a person's prompt (`human`; `sdk` from `codex exec`), the brief of a
 *   sub-agent's first turn, or the message of another agent (`peer`); NULL where nothing tells.
 * - Versions until autumn 2025 name no turns. There a prompt begins one, named like its record.
 * - A turn that some record names is a row, even when its beginning was not recorded.
 */

import { isObject, member } from '../../../bytes/json.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { type Line, ownerOf, told } from './line.ts';
import { addMessage } from './message-row.ts';
import { addEvent } from './session-event.ts';
import { type ParseState, remember, type TurnState } from './state.ts';

const MAX_TURNS = 256;

/** The turn of a record, with its state; made when a record is the first to name it. */
export function turnStateOf(line: Line): TurnState | null {
  const { state, turn } = line;
  if (turn === null) return null;
  const known = state.turns.get(turn);
  if (known) return known;
  line.rows.add('turn', line.place, { ...ownerOf(line), turn_key: turn });
  return newTurn(state, turn, false);
}

function newTurn(state: ParseState, key: string, isOpen: boolean): TurnState {
  const turn: TurnState = {
    ...{ hasOrigin: false, isPeer: false, isOpen, model: null, effort: null, window: null },
    ...{ boundaryAt: null, boundaryLine: 0 },
  };
  remember(state.turns, key, turn, MAX_TURNS);
  state.ownTurns++;
  return turn;
}

const STARTS: ReadonlySet<string> = new Set(['task_started', 'turn_started']);
const ENDS: ReadonlySet<string> = new Set([
  ...['task_complete', 'task_completed', 'turn_complete', 'turn_completed', 'turn_aborted'],
]);

/** Whether an event begins a turn. */
export function isTurnStart({ type, subtype }: Pick<Line, 'type' | 'subtype'>): boolean {
  return type === 'event_msg' && STARTS.has(subtype);
}

/** Whether an event ends a turn. */
export function isTurnEnd({ type, subtype }: Pick<Line, 'type' | 'subtype'>): boolean {
  return type === 'event_msg' && ENDS.has(subtype);
}

/** `task_started`. */
export function startTurn(line: Line): void {
  const { state, payload, ownTurn } = line;
  if (ownTurn === null) return;
  const isFirst = state.ownTurns === 0;
  state.hasTurnIds = true;
  state.turn = ownTurn;
  const turn = state.turns.get(ownTurn) ?? newTurn(state, ownTurn, true);
  turn.isOpen = true;
  turn.window = strictCount(member(payload, 'model_context_window')) ?? turn.window;
  turn.boundaryAt = line.at;
  turn.boundaryLine = line.place.lineNumber;
  const isBriefed = state.isSubagent && isFirst;
  turn.hasOrigin ||= isBriefed;
  line.rows.add('turn', line.place, {
    ...ownerOf(line),
    turn_key: ownTurn,
    origin: isBriefed ? 'subagent_brief' : null,
    started_at: line.at ?? instantMicros(member(payload, 'started_at')),
    status: 'open',
    context_window: turn.window,
    collaboration_mode: told(line, 'collaboration_mode_kind'),
    trace_id: told(line, 'trace_id'),
    root_turn_key: told(line, 'root_turn_id'),
  });
}

/** `turn_context`: the settings of the turn, and of what follows. */
export function readTurnContext(line: Line): void {
  const { state, payload, ownTurn } = line;
  if (!isObject(payload)) return;
  if (ownTurn !== null) {
    state.hasTurnIds = true;
    state.turn = ownTurn;
  }
  const model = told(line, 'model');
  const effort = told(line, 'effort') ?? told(line, 'reasoning_effort');
  const named = { ...line, turn: ownTurn ?? state.turn };
  tellSwitches(named, model, effort);
  if (state.cwd === null && told(line, 'cwd') !== null) {
    state.cwd = told(line, 'cwd');
    line.rows.add('session', line.place, {
      ...ownerOf(line),
      is_subagent: state.isSubagent,
      cwd: state.cwd,
    });
  }
  const turn = turnStateOf(named);
  if (!turn) return;
  turn.model = model ?? turn.model;
  turn.effort = effort ?? turn.effort;
  addSettings(named, model, effort);
}

function addSettings(line: Line, model: string | null, effort: string | null): void {
  const { payload, turn } = line;
  const mode = member(payload, 'collaboration_mode');
  line.rows.add('turn', line.place, {
    ...ownerOf(line),
    turn_key: turn ?? '',
    ...{ model, effort },
    approval_policy: told(line, 'approval_policy'),
    sandbox_type: kindIn(member(payload, 'sandbox_policy')),
    permission_mode: kindIn(member(payload, 'permission_profile')),
    collaboration_mode: nonEmptyText(mode) ?? nonEmptyText(member(mode, 'mode')),
    reasoning_summary: told(line, 'summary'),
    trace_id: told(line, 'trace_id'),
    root_turn_key: told(line, 'root_turn_id'),
  });
}

/** A setting that is a name, or an object of that type. */
function kindIn(setting: unknown): string | null {
  return (
    nonEmptyText(setting) ??
    nonEmptyText(member(setting, 'type')) ??
    nonEmptyText(member(setting, 'mode'))
  );
}

/** Another model or effort than before is an event; the first is none. */
export function tellSwitches(line: Line, model: string | null, effort: string | null): void {
  const { state } = line;
  if (model !== null && state.model !== null && model !== state.model) {
    addEvent(line, 'model_switch', model, { from: state.model });
  }
  if (effort !== null && state.effort !== null && effort !== state.effort) {
    addEvent(line, 'effort_change', effort, { from: state.effort });
  }
  state.model = model ?? state.model;
  state.effort = effort ?? state.effort;
}

/** A prompt came: where turns have no names it begins one; gives the line within its turn. */
export function enterPromptedTurn(line: Line): Line {
  const { state } = line;
  if (line.ownTurn !== null || state.hasTurnIds) return line;
  const isBriefed = state.isSubagent && state.ownTurns === 0;
  state.turn = line.uid;
  const turn = newTurn(state, line.uid, false);
  turn.model = state.model;
  turn.effort = state.effort;
  turn.hasOrigin = isBriefed;
  line.rows.add('turn', line.place, {
    ...ownerOf(line),
    turn_key: line.uid,
    origin: isBriefed ? 'subagent_brief' : null,
    started_at: line.at,
    ...{ model: state.model, effort: state.effort },
  });
  return { ...line, turn: line.uid };
}

/** A person, or the program that runs Codex, spoke: the first to do so opened the turn. */
export function openedByPrompt(line: Line): void {
  setOrigin(line, line.state.isExec ? 'sdk' : 'human');
}

/** Another agent spoke: it opened the turn unless somebody else did. */
export function heardPeer(line: Line): void {
  const turn = turnStateOf(line);
  if (turn) turn.isPeer = true;
}

function setOrigin(line: Line, origin: string): void {
  const turn = turnStateOf(line);
  if (!turn || turn.hasOrigin || line.turn === null) return;
  turn.hasOrigin = true;
  line.rows.add('turn', line.place, { ...ownerOf(line), turn_key: line.turn, origin });
}

/** The end of a turn. A sub-agent's last words are its report. */
export function endTurn(line: Line): void {
  const { state, payload, subtype } = line;
  const turn = turnStateOf(line);
  if (!turn || line.turn === null) return;
  const isAborted = subtype === 'turn_aborted';
  const error = member(payload, 'error');
  const hasError = !isAborted && error !== undefined && error !== null;
  if (turn.isPeer) setOrigin(line, 'peer');
  else if (state.isExec) setOrigin(line, 'sdk');
  turn.isOpen = false;
  line.rows.add('turn', line.place, {
    ...ownerOf(line),
    turn_key: line.turn,
    completed_at: line.at ?? instantMicros(member(payload, 'completed_at')),
    duration_ms: strictCount(member(payload, 'duration_ms')),
    ttft_ms: strictCount(member(payload, 'time_to_first_token_ms')),
    status: isAborted ? 'aborted' : hasError ? 'error' : 'complete',
    abort_reason: isAborted ? told(line, 'reason') : null,
  });
  if (hasError) addEvent(line, 'error', errorName(error), null);
  reportOf(line);
}

function reportOf(line: Line): void {
  const text = told(line, 'last_agent_message');
  if (!line.state.isSubagent || text === null) return;
  addMessage(line, {
    role: 'assistant',
    messageClass: 'subagent_report',
    text,
    detail: { source: line.subtype },
  });
}

/** The kind of an error: a name, or an object whose first member is the name. */
function errorName(error: unknown): string | null {
  const info = member(error, 'codex_error_info');
  if (isObject(info)) return Object.keys(info)[0] ?? null;
  return nonEmptyText(info) ?? nonEmptyText(member(error, 'message')) ?? nonEmptyText(error);
}
