/**
 * The parts of a response of VS Code's chat.
 *
 * - Text comes in pieces: without a `kind`, or as `markdownContent`, `markdownVuln`, or
 *   `inlineReference` (a file or symbol named in the text). They are put together as they are.
 * - `thinking` is reasoning; a part without text marks its end.
 * - `toolInvocationSerialized` is a tool call with what became of it. What the model asked for lies
 *   in `result.metadata.toolCallRounds`, what it got back in `toolCallResults`, by the same
 *   identifier.
 * - Some parts only move the view: they are no rows. Any other part is a row of its kind.
 */

import { member, textOf } from '../../bytes/json.ts';
import { compactJson } from '../../bytes/json-print.ts';
import { at, contentText, listOf, nonEmptyText } from '../shared/fields.ts';

/** What a part of a response is. */
export type PartKind = 'text' | 'reasoning' | 'tool' | 'view' | 'other';

const TEXT_KINDS: ReadonlySet<string> = new Set([
  'inlineReference',
  'markdownContent',
  'markdownVuln',
]);

const VIEW_KINDS: ReadonlySet<string> = new Set([
  'codeblockUri',
  'mcpServersStarting',
  'prepareToolInvocation',
  'progressMessage',
  'progressTask',
  'progressTaskSerialized',
  'undoStop',
]);

/** What a part is. */
export function partKind(part: unknown): PartKind {
  const kind = member(part, 'kind');
  if (kind === undefined || kind === null) return pieceOf(part) === null ? 'other' : 'text';
  if (typeof kind !== 'string') return 'other';
  if (kind === 'toolInvocationSerialized' || kind === 'toolInvocation') return 'tool';
  if (kind === 'thinking') return thinkingText(part) === null ? 'view' : 'reasoning';
  if (TEXT_KINDS.has(kind)) return 'text';
  return VIEW_KINDS.has(kind) ? 'view' : 'other';
}

/** The text of a response, or null when it has none. */
export function responseText(parts: readonly unknown[]): string | null {
  const pieces = parts.filter(part => partKind(part) === 'text').map(pieceOf);
  return pieces.length === 0 ? null : pieces.join('');
}

/** The text of a thinking part, or null. */
export function thinkingText(part: unknown): string | null {
  const value = member(part, 'value');
  return nonEmptyText(Array.isArray(value) ? value.map(textOf).join('') : value);
}

/** The text of a part that is neither text nor tool: its words, or the file that it is about. */
export function otherText(part: unknown): string | null {
  for (const name of ['content', 'value', 'message', 'title', 'uri']) {
    const text = markdown(member(part, name)) ?? nonEmptyText(at(part, name, 'path'));
    if (text !== null) return text;
  }
  return null;
}

/** The arguments of a tool call: as the model wrote them, else what the editor made of them. */
export function toolArguments(request: unknown, part: unknown): string | null {
  const wanted = callId(member(part, 'toolCallId'));
  const rounds = at(member(request, 'result'), 'metadata', 'toolCallRounds');
  for (const round of listOf(rounds)) {
    for (const call of listOf(member(round, 'toolCalls'))) {
      if (wanted === null || callId(member(call, 'id')) !== wanted) continue;
      return textOrJson(member(call, 'arguments'));
    }
  }
  return textOrJson(at(part, 'resultDetails', 'input') ?? member(part, 'toolSpecificData'));
}

function textOrJson(value: unknown): string | null {
  return typeof value === 'string' ? value : compactJson(value);
}

/** What a tool gave back, or null while nothing is known. */
export function toolResult(request: unknown, part: unknown): string | null {
  const results = at(member(request, 'result'), 'metadata', 'toolCallResults');
  const id = textOf(member(part, 'toolCallId'));
  const given = id === null ? undefined : member(results, id);
  return (
    joined(member(given, 'content')) ??
    joined(at(part, 'resultDetails', 'output')) ??
    textOf(at(member(part, 'toolSpecificData'), 'terminalCommandOutput', 'text')) ??
    markdown(member(part, 'pastTenseMessage'))
  );
}

/** Whether a tool succeeded, as `completed` or `failed`; null while it runs. */
export function toolStatus(part: unknown): string | null {
  if (at(part, 'resultDetails', 'isError') === true) return 'failed';
  return member(part, 'isComplete') === true ? 'completed' : null;
}

/** A text of VS Code: a string, or an object with the string as its `value`. */
export function markdown(value: unknown): string | null {
  return nonEmptyText(value) ?? nonEmptyText(member(value, 'value'));
}

function pieceOf(part: unknown): string | null {
  if (typeof part === 'string') return part;
  if (member(part, 'kind') === 'inlineReference') return referenceText(part);
  const content = member(part, 'content');
  const text = textOf(member(part, 'value')) ?? textOf(member(content, 'value'));
  return text ?? textOf(content);
}

function referenceText(part: unknown): string | null {
  const reference = member(part, 'inlineReference');
  const name = textOf(member(part, 'name')) ?? textOf(member(reference, 'name'));
  if (name !== null) return name;
  const place = member(reference, 'uri') ?? reference;
  return textOf(member(place, 'path'))?.split('/').at(-1) ?? null;
}

function joined(items: unknown): string | null {
  if (!Array.isArray(items)) return nonEmptyText(items);
  const texts = items.map(item => textOf(member(item, 'value')) ?? contentText(item) ?? '');
  return texts.length === 0 ? null : texts.join('\n');
}

/** VS Code adds a number of its own to the identifiers of the models. */
function callId(value: unknown): string | null {
  return textOf(value)?.replace(/__vscode-\d+$/, '') ?? null;
}
