/** Sessions of the Copilot CLI: which record fills which rows. */

import type { SourceRecord } from '../../../bytes/record.ts';
import type { SourceContext } from '../../harness.ts';
import type { Place, Rows } from '../../parser.ts';
import { nothing } from '../../shared/bounded.ts';
import { lookUp } from '../../shared/fields.ts';
import { advance, type SessionFacts } from '../cli-session.ts';
import { requestedCalls, startedCall } from './calls.ts';
import {
  compaction,
  costRow,
  failure,
  hookEnded,
  hookStarted,
  interruption,
  modelChange,
  permissionMode,
  plainEvent,
} from './events.ts';
import { answerTexts, notification, prompt, reasoningText, skill, systemText } from './messages.ts';
import { completedCall, permission } from './results.ts';
import { gitStartRow, sessionRow, spawnRow } from './sessions.ts';
import type { CliParse } from './state.ts';
import { type Step, stepOf } from './step.ts';
import { currentTurn, turnAnswered, turnEnded, turnStarted } from './turns.ts';
import { answerCall, asksForTools, compactionCall, modelOfAnswer, shutdownRows } from './usage.ts';

type Handler = (step: Step, before: SessionFacts) => void;

const HANDLERS: Readonly<Record<string, Handler>> = {
  abort: interruption,
  'assistant.message': answer,
  'assistant.reasoning': reasoningText,
  'assistant.turn_end': turnEnded,
  'assistant.turn_start': turnStarted,
  'hook.end': hookEnded,
  'hook.start': hookStarted,
  'permission.completed': permission,
  'session.compaction_complete': compacted,
  'session.compaction_start': ({ state, at }) => {
    state.compactionAt = at;
  },
  'session.error': failure,
  'session.model_change': modelChange,
  'session.permissions_changed': permissionMode,
  'session.resume': gitStartRow,
  'session.shutdown': shutdown,
  'session.start': gitStartRow,
  'skill.invoked': skill,
  'subagent.completed': spawnRow,
  'subagent.failed': spawnRow,
  'subagent.started': spawnRow,
  'system.message': systemText,
  'system.notification': notification,
  'tool.execution_complete': completedCall,
  'tool.execution_start': startedCall,
  'user.message': prompt,
};

/** The rows of a record. */
export function readEvent(
  state: CliParse,
  record: SourceRecord,
  place: Place,
  rows: Rows,
  context: SourceContext,
): void {
  const before = state.session.facts;
  const answered = advance(state.session, record.value);
  const step = stepOf(state, record, place, rows, context, answered);
  if (step.session === '') {
    rows.issue(place, 'missing_field', 'session');
    return;
  }
  if (step.session !== state.sessionUid) begin(state, step.session);
  sessionRow(step);
  plainEvent(step);
  lookUp(HANDLERS, step.type)?.(step, before);
}

/** Nothing that is open in one session is so in the next. */
function begin(state: CliParse, session: string): void {
  state.sessionUid = session;
  state.turns = nothing();
  state.calls = nothing();
}

function answer(step: Step): void {
  const model = modelOfAnswer(step);
  currentTurn(step);
  const response = answerCall(step, model);
  turnAnswered(step, model, asksForTools(step));
  answerTexts(step, model);
  requestedCalls(step, response);
}

function compacted(step: Step): void {
  compaction(step);
  compactionCall(step);
}

function shutdown(step: Step): void {
  shutdownRows(step);
  costRow(step);
}
