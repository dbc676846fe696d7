/** What the records of Qwen Code mean: transcripts, and the chats that earlier versions wrote. */

import type { Parser } from '../parser.ts';
import { COMPACTION, EVENT_TYPES, FILE_TOOLS } from '../shared/gemini-chats/meaning.ts';
import { type LineState, lineRows } from '../shared/gemini-chats/records.ts';
import { chatParser } from '../shared/parsed/chats/parser.ts';
import type { ChatRules } from '../shared/parsed/chats/rules.ts';
import { type WithLines, withLines } from '../shared/parsed/chats/with-lines.ts';
import { description } from './describe.ts';
import { moreQwenRows, qwenReader } from './meaning.ts';
import { recordRows, whoseFile } from './records.ts';
import { flushResponse, startTelemetry, type Telemetry } from './telemetry.ts';

/** What is remembered of the records before; plain JSON. */
interface QwenState extends LineState {
  readonly telemetry: Telemetry;
}

const rules: ChatRules = {
  version: 1,
  inputIncludes: 'cache_reads',
  outputIncludesReasoning: false,
  callScopes: new Set(['response']),
  fileTools: FILE_TOOLS,
  spawnTools: new Set(['agent', 'task']),
  compactionTypes: new Set(['compression', COMPACTION]),
  eventTypes: EVENT_TYPES,
  turnEndTypes: {},
  more: moreQwenRows,
};

const chats = chatParser(description, qwenReader(description.name), rules);

/** The parser of all relations. */
export const parser: Parser<WithLines<QwenState>> = withLines(chats, {
  start: () => ({ turn: null, telemetry: startTelemetry() }),
  read({ chat, own }, record, place, rows, context) {
    if (context.source.form === 'elements') lineRows(own, record, place, rows, context);
    else recordRows(own.telemetry, chat.turn, record, place, rows, context);
  },
  finish({ own }, rows, context) {
    flushResponse({ telemetry: own.telemetry, rows, ...whoseFile(context) });
  },
});
