/**
 * What the records of pi mean.
 *
 * Sessions of all formats are read, entry after entry, on whatever branch they lie. The copies that
 * the extension for sub-agents keeps of their work are only counted: what they say is in the
 * transcripts of the sub-agents themselves.
 *
 * pi records the version of its format, not its own: the census tells the formats apart by it, and
 * the version of the program is not known.
 */

import { isObject, member } from '../../../bytes/json.ts';
import type { Parser } from '../../parser.ts';
import { lookUp, nonEmptyText } from '../../shared/fields.ts';
import { readAnswer } from './answers.ts';
import { readBash, readCustom } from './custom.ts';
import {
  addSummary,
  readBranchSummary,
  readCompaction,
  readContextEdit,
  readCustomEntry,
  readEffortChange,
  readLabel,
  readModelChange,
  readSessionInfo,
  readUsage,
} from './events.ts';
import { addSession, missHeader, readHeader } from './header.ts';
import { readSystem, readUser } from './prompts.ts';
import { type PiParserState, type Step, startState, stepOf } from './state.ts';
import { readToolResult } from './tools.ts';

type Take = (step: Step) => void;

const BY_TYPE: Readonly<Record<string, Take>> = {
  branch_summary: readBranchSummary,
  compaction: readCompaction,
  context_edit: readContextEdit,
  custom: readCustomEntry,
  custom_message: step => readCustom(step, step.value),
  label: readLabel,
  message: readMessage,
  model_change: readModelChange,
  session_info: readSessionInfo,
  thinking_level_change: readEffortChange,
  usage: readUsage,
};

const BY_ROLE: Readonly<Record<string, Take>> = {
  assistant: readAnswer,
  bashExecution: readBash,
  branchSummary: step => addSummary(step, member(step.message, 'summary'), 'branch_summary'),
  compactionSummary: step => addSummary(step, member(step.message, 'summary'), 'compaction'),
  custom: step => readCustom(step, step.message),
  hookMessage: step => readCustom(step, step.message),
  system: readSystem,
  toolResult: readToolResult,
  user: readUser,
};

function readMessage(step: Step): void {
  const { message, rows, place } = step;
  const role = nonEmptyText(member(message, 'role'));
  const field = isObject(message) ? 'message.role' : 'message';
  if (role === null) rows.issue(place, 'missing_field', field);
  lookUp(BY_ROLE, role)?.(step);
}

/** The parser. */
export const piParser: Parser<PiParserState> = {
  version: 1,
  kinds: ['transcript', 'journal'],
  start: startState,
  read(state, record, place, rows, context) {
    if (state.isJournal) return;
    const { value } = record;
    const type = nonEmptyText(member(value, 'type'));
    if (type === 'session') {
      readHeader(state, value, place, rows);
      return;
    }
    if (type === null) rows.issue(place, 'missing_field', 'type');
    missHeader(state, value, place, rows, context);
    const step = stepOf(state, record, place, rows);
    lookUp(BY_TYPE, type)?.(step);
  },
  finish(state, rows) {
    if (!state.isJournal) addSession(state, rows);
  },
  harnessVersion: state => state.version,
};
