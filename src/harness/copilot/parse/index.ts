/**
 * What the records of Copilot mean: sessions of the CLI have a parser of their own, the chats of
 * VS Code and the documents of autumn 2025 that of chats.
 */

import { member } from '../../../bytes/json.ts';
import type { SourceContext } from '../../harness.ts';
import type { Parser } from '../../parser.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { chats } from './chats.ts';
import { unfinishedHooks } from './events.ts';
import { readEvent } from './session-parser.ts';
import { type CliParse, startParse } from './state.ts';

type State =
  | { readonly format: 'cli'; readonly session: CliParse }
  | { readonly format: 'chat'; readonly chat: ReturnType<typeof chats.start> };

const CHAT_FORMATS: ReadonlySet<string | null | undefined> = new Set(['chat', 'journal', 'old']);

/** The parser of all relations. */
export const parser: Parser<State> = {
  version: 1,
  kinds: chats.kinds,
  start(source, context: SourceContext) {
    if (CHAT_FORMATS.has(source.facts['format'])) {
      return { format: 'chat', chat: chats.start(source, context) };
    }
    return { format: 'cli', session: startParse(context) };
  },
  read(state, record, place, rows, context) {
    if (state.format === 'cli') readEvent(state.session, record, place, rows, context);
    else chats.read(state.chat, record, place, rows, context);
  },
  finish(state, rows, context) {
    if (state.format === 'cli') unfinishedHooks(state.session, rows);
    else chats.finish?.(state.chat, rows, context);
  },
  save(state) {
    return state.format === 'cli' ? state : { ...state, chat: chats.save?.(state.chat) };
  },
  restore(saved) {
    const state = saved as State;
    if (state.format === 'cli' || !chats.restore) return state;
    return { format: 'chat', chat: chats.restore(state.chat) };
  },
  harnessVersion(state) {
    return state.format === 'cli' ? state.session.session.facts.version : null;
  },
  instantOf: value => instantMicros(member(value, 'timestamp')),
};
