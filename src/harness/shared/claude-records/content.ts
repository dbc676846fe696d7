/** The text of Claude Code's records, by record type and kind of row. */

import { member, textOf } from '../../../bytes/json.ts';
import { blocksOf, textOrPlaceholder } from '../blocks.ts';
import { diagnosisOf } from '../diagnosis.ts';
import { at, contentText, lookUp } from '../fields.ts';
import { type ClaudeUnit, isToolResult } from './units.ts';

/** The member that holds the text of a record type, where it is not `content`. */
const TEXT_MEMBER: Readonly<Record<string, string>> = {
  'ai-title': 'aiTitle',
  'custom-title': 'customTitle',
  'last-prompt': 'lastPrompt',
  mode: 'mode',
  'permission-mode': 'permissionMode',
  'pr-link': 'prUrl',
  summary: 'summary',
};

/** The text of a row. */
export function contentOf(unit: ClaudeUnit): string | null {
  const { record, block } = unit;
  switch (unit.kind) {
    case 'error':
      return `Parse error: ${diagnosisOf(record)}`;
    case 'thinking':
      return textOf(member(block, 'thinking'));
    case 'tool_call':
      return null;
    case 'tool_result':
      return resultText(block);
    case 'block':
      return textOf(member(block, 'text')) ?? contentText(member(block, 'content'));
    case 'message':
      return messageText(record.value);
    default:
      return recordText(unit);
  }
}

/** The text of a record that is one row, whatever its type. */
function recordText(unit: ClaudeUnit): string | null {
  const { value } = unit.record;
  const type = member(value, 'type');
  if (typeof type !== 'string') return `Parse error: ${diagnosisOf(unit.record)}`;
  if (type === 'user' || type === 'assistant') return contentText(at(value, 'message', 'content'));
  if (type === 'attachment') return contentText(at(value, 'attachment', 'rendered'));
  const named = lookUp(TEXT_MEMBER, type);
  if (named !== undefined) return textOf(member(value, named));
  return contentText(member(value, 'content') ?? at(value, 'message', 'content'));
}

/** What a message says: text as it is, everything that is no text by its kind. */
function messageText(value: unknown): string | null {
  const content = at(value, 'message', 'content');
  if (!Array.isArray(content)) return contentText(content);
  if (member(value, 'type') === 'assistant') return contentText(content);
  return blocksOf(value)
    .filter(block => !isToolResult(block))
    .map(said)
    .join('\n');
}

function said(block: unknown): string {
  return textOrPlaceholder(block, of => at(of, 'source', 'media_type') ?? member(of, 'tool_name'));
}

/** The text of a tool result; a result without any says so. */
function resultText(block: unknown): string | null {
  const content = member(block, 'content');
  if (content === '' || (Array.isArray(content) && content.length === 0)) {
    return '[empty tool_result]';
  }
  return Array.isArray(content) ? content.map(said).join('\n') : contentText(content);
}
