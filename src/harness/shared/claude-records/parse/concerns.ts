/**
 * Which records have a part in what is wanted.
 *
 * Whoever only sums up what model calls used needs the lines of the model; the others, most of the
 * bytes, are then not decoded. Times and turns are told by other lines, too.
 */

import type { SourceRecord } from '../../../../bytes/record.ts';
import type { Wanted } from '../../../parser.ts';

/** Columns of a model call that its own lines decide. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([
  ...['source', 'source_id', 'file_path', 'line_number', 'byte_offset', 'byte_length'],
  ...['raw_record_origin', 'response_id', 'session_uid', 'agent_id', 'model', 'input_uncached'],
  ...['cache_read', 'cache_write_5m', 'cache_write_1h', 'output', 'reasoning', 'service_tier'],
  ...['web_search_requests', 'web_fetch_requests', 'iterations', 'speed', 'inference_geo'],
  ...['stop_reason', 'request_id', 'line_count'],
]);

/** However a line is laid out, one of the model holds this. */
const OF_THE_MODEL = Buffer.from('"assistant"');

/** The test of records for what is wanted; null when every record may have a part in it. */
export function concernsOf(wanted: Wanted): ((record: SourceRecord) => boolean) | null {
  const columns = wanted.get('llm_call');
  if (wanted.size !== 1 || columns === undefined) return null;
  for (const column of columns) if (!OWN_COLUMNS.has(column)) return null;
  return ({ buffer, start, end }) => buffer.subarray(start, end).includes(OF_THE_MODEL);
}
