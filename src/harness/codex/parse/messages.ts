/** Messages that stand for themselves: answers, messages of agents, snapshots, summaries, hooks. */

import { fnv1a64 } from '../../../bytes/fnv.ts';
import { member } from '../../../bytes/json.ts';
import { partAsJson } from '../../../bytes/json-print.ts';
import { listOf, nonEmptyText } from '../../shared/fields.ts';
import { textBlocks } from '../../shared/prompt/blocks.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { linkedPaths } from '../../shared/prompt/links.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';
import { isBlank } from '../../shared/prompt/wire-space.ts';
import { payloadOf } from '../record-types.ts';
import { type Line, ownerOf, told } from './line.ts';
import { addMessage } from './message-row.ts';
import { sizeOf, tokensIn } from './tokens.ts';
import { addArtifactRow } from './touches.ts';
import { heardPeer } from './turns.ts';

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'Text']);

/** What the model answered, and the files that it links to. */
export function readAnswer(line: Line): void {
  const text = textBlocks(member(line.payload, 'content'), TEXT_TYPES);
  if (text === '') return;
  const phase = told(line, 'phase') ?? told(line, 'channel');
  const detail = { source: 'message' };
  addMessage(line, { role: 'assistant', messageClass: 'assistant_text', text, detail, phase });
  if (!line.rows.wants('artifact')) return;
  for (const path of linkedPaths(text)) {
    const evidence = 'assistant-markdown';
    addArtifactRow(line, { path, action: 'linked', uid: line.uid, call: null, evidence });
  }
}

/** A message of one agent to another. */
export function readAgentMessage(line: Line): void {
  const { state, payload } = line;
  const content = member(payload, 'content') ?? member(payload, 'text');
  const text = textBlocks(content, TEXT_TYPES, false);
  const [author, recipient] = [told(line, 'author'), told(line, 'recipient')];
  const isOwn = author !== null && author === (state.ownPath ?? ROOT);
  if (!isOwn) heardPeer(line);
  if (isBlank(text)) return;
  addMessage(line, {
    role: isOwn ? 'assistant' : 'user',
    messageClass: 'agent_message',
    text,
    detail: { source: 'agent_message', author, recipient },
    ...(isOwn ? {} : { trigger: 'agent_msg' as const }),
  });
}

/** The path of an agent that nobody launched. */
const ROOT = '/root';

/** What the model is told of the world; the same twice is told once. */
export function readWorldState(line: Line): void {
  const { state, record } = line;
  const text = partAsJson(record, root => member(payloadOf(root), 'state'), 'recorded');
  if (text === null) return;
  const hash = fnv1a64(text);
  if (state.worldState === hash) return;
  state.worldState = hash;
  const detail = { source: 'world_state' };
  addMessage(line, { role: 'system', messageClass: 'context_injection', text, detail });
}

/** A compaction, and the summary that stands for what was said before. */
export function readCompaction(line: Line): void {
  const { state, payload } = line;
  const recorded = member(member(payload, 'latest_token_usage_record'), 'usage');
  const tokens = tokensIn(recorded);
  const id = (name: string) => {
    const value = member(payload, name);
    return typeof value === 'number' ? String(value) : nonEmptyText(value);
  };
  line.rows.add('compaction', line.place, {
    ...ownerOf(line),
    event_uid: line.uid,
    turn_key: line.turn,
    ts: line.at,
    pre_tokens: tokens === null ? state.contextTokens : sizeOf(tokens),
    window_number: strictCount(member(payload, 'window_number')),
    window_id: id('window_id'),
    previous_window_id: id('previous_window_id'),
  });
  const text = told(line, 'message');
  if (text === null || isBlank(text)) return;
  const detail = { source: 'compacted' };
  addMessage(line, { role: 'user', messageClass: 'compaction_summary', text, detail });
}

/** What hooks put into the conversation: a row for each fragment that is a text. */
export function readHookPrompt(line: Line): void {
  const fragments = listOf(member(line.item, 'fragments'));
  const digits = String(Math.max(fragments.length - 1, 0)).length;
  fragments.forEach((fragment, index) => {
    const text = member(fragment, 'text');
    if (typeof text !== 'string') return;
    const run = member(fragment, 'hookRunId') ?? member(fragment, 'hook_run_id');
    addMessage(line, {
      uid: `${line.uid}:${String(index).padStart(digits, '0')}`,
      role: 'system',
      messageClass: 'hook_output',
      text,
      detail: {
        source: 'HookPrompt',
        fragment_index: index,
        item_id: nonEmptyText(member(line.item, 'id')),
        hook_run_id: nonEmptyText(run),
      },
    });
  });
}

/** A hook ran. */
export function readHookRun(line: Line): void {
  const run = member(line.payload, 'run');
  const text = (name: string) => nonEmptyText(member(run, name));
  const entries = listOf(member(run, 'entries'));
  const written = textBlocks(
    entries.map(entry => ({ type: 'text', text: member(entry, 'text') })),
    TEXT_TYPES,
    false,
  );
  const status = text('status');
  line.rows.add('hook_event', line.place, {
    ...ownerOf(line),
    event_uid: text('id') === null ? line.uid : `${line.uid}:${text('id')}`,
    turn_key: line.turn,
    ts: instantMicros(member(run, 'completed_at')) ?? line.at,
    hook_event: text('event_name'),
    outcome: status,
    hook_name: text('name') ?? text('source_path'),
    duration_ms: strictCount(member(run, 'duration_ms')),
    prevented_continuation: status === null ? null : status === 'stopped' || status === 'blocked',
    output_bytes: entries.length === 0 ? null : written.length,
  });
}
