/** `events`: the raw records with their addresses; nothing is dropped, nothing is changed. */

import { bytes, flag, integer, requiredFlag, requiredText, text } from './column.ts';
import { relation } from './relation.ts';

/** Rows of `read_events()`: the 15 columns of agent_data, then ours. */
export const events = relation({
  name: 'events',
  functionName: 'read_events',
  meaning: 'Every line of every transcript, byte for byte, with its address',
  key: ['file_path', 'byte_offset', 'record_key'],
  columns: {
    source: requiredText('Harness that wrote the file'),
    session_id: text('Session, from the file name'),
    file_path: requiredText('Absolute path of the file'),
    file_name: requiredText('Name of the file'),
    line_number: integer('Line in the file, from 1, blank lines counted'),
    byte_offset: integer('Offset of the first byte of the line in the file'),
    byte_length: integer('Length of the line in bytes, without its line ending'),
    line_ending: text('LF, CRLF, or NULL for a last line that has none'),
    raw: text('The line as text, without its line ending; NULL over 256 MiB'),
    raw_is_exact: requiredFlag('False when invalid UTF-8 had to be replaced in `raw`'),
    is_valid_json: requiredFlag('Whether the line parses as JSON'),
    parse_error: text('Why it does not'),
    event_type: text('Top-level `type`, verbatim'),
    timestamp: text('Top-level `timestamp`, verbatim'),
    raw_bytes: bytes('The exact bytes of the line, without its line ending'),
    record_subtype: text('Second-level type, where the harness has one'),
    is_known_type: flag('Whether this version knows the type; NULL when there is none'),
    offset_space: requiredText('What the offset counts in: file, decompressed, element, none'),
    record_key: text('Table and key of a record that has no offset'),
  },
});
