/** The text of pi's records, by record type and kind of row. */

import { member, textOf } from '../../bytes/json.ts';
import { blocksOf, textOrPlaceholder } from '../shared/blocks.ts';
import { diagnosisOf } from '../shared/diagnosis.ts';
import { at, contentText, lookUp, nonEmptyText } from '../shared/fields.ts';
import { type PiUnit, roleOf } from './units.ts';

/** The member that holds the text of a record type, where it is not `content`. */
const TEXT_MEMBER: Readonly<Record<string, string>> = {
  branch_summary: 'summary',
  compaction: 'summary',
  label: 'label',
  session_info: 'name',
};

/** The text of a row. */
export function contentOf(unit: PiUnit): string | null {
  const { record, blockIndex } = unit;
  const block = blocksOf(record.value)[blockIndex];
  switch (unit.kind) {
    case 'thinking':
      return textOf(member(block, 'thinking'));
    case 'tool_call':
      return null;
    case 'block':
      return textOf(member(block, 'text')) ?? contentText(member(block, 'content'));
    default:
      return recordText(unit);
  }
}

function recordText({ record }: PiUnit): string | null {
  const { value } = record;
  const type = member(value, 'type');
  if (typeof type !== 'string') return `Parse error: ${diagnosisOf(record)}`;
  if (type === 'message') return messageText(value);
  const named = lookUp(TEXT_MEMBER, type);
  return named === undefined ? said(member(value, 'content')) : textOf(member(value, named));
}

/** What a message says. A call of the model that failed says why. */
function messageText(value: unknown): string | null {
  const message = member(value, 'message');
  switch (roleOf(value)) {
    case 'assistant': {
      const text = contentText(member(message, 'content'));
      return nonEmptyText(text) ?? textOf(member(message, 'errorMessage')) ?? text;
    }
    case 'bashExecution':
      return textOf(member(message, 'output'));
    case 'branchSummary':
    case 'compactionSummary':
      return textOf(member(message, 'summary'));
    default:
      return said(at(value, 'message', 'content'));
  }
}

/** Text as it is, and everything that is no text by its kind. */
function said(content: unknown): string | null {
  if (!Array.isArray(content)) return contentText(content);
  return content.map(block => textOrPlaceholder(block, of => member(of, 'mimeType'))).join('\n');
}
