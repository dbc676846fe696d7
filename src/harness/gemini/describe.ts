/**
 * Gemini CLI: what it is called and where it lies.
 *
 * `GEMINI_CLI_HOME` stands for the user's home folder, so the data lie in `.gemini` below it.
 */

import { member } from '../../bytes/json.ts';
import type { Environment } from '../../places.ts';
import type { Description } from '../harness.ts';
import { parsedCoverage } from '../shared/coverage.ts';
import { chatRecordType, chatRecordTypes } from '../shared/gemini-chats/record-types.ts';

function homes({ home, path, variables }: Environment): readonly string[] {
  const base = variables['GEMINI_CLI_HOME'] || home;
  return base === '' ? [] : [path.join(base, '.gemini')];
}

/** Relations that the chats cannot fill. */
const UNFILLED = {
  artifact: 'the chats name no files as results',
  cost_state: 'the chats count tokens, not money',
  git_event: 'the chats know no commits but in the texts of shell commands',
  hook_event: 'the chats do not record hooks',
  rate_limit_sample: 'the chats tell of limits only in the words of errors',
  session_continuation: 'a resumed session goes on in its own chat',
  tool_op: 'a call and what it did are one record',
} as const;

/** What Gemini CLI says about itself. */
export const description: Description = {
  name: 'gemini',
  title: 'Gemini CLI',
  variables: ['GEMINI_CLI_HOME'],
  marks: 'a folder `tmp/` with `installation_id` beside it, or with `chats/` in a folder in it',
  homes,
  coverage: {
    ...parsedCoverage(UNFILLED),
    conversations: true,
    events: true,
    plans: true,
    todos: { missing: 'Gemini CLI keeps todo lists in its tool calls only' },
    history: true,
    stats: { missing: 'Gemini CLI keeps no activity by day; count from conversations' },
  },
  recordTypes: chatRecordTypes,
  typeOf: chatRecordType,
  subtypeOf: value =>
    Array.isArray(member(member(value, '$set'), 'messages')) ? 'messages' : null,
};
