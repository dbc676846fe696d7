/** Columns that several relations share: where a row comes from, and whose it is. */

import { integer, requiredInteger, requiredText, text } from './column.ts';

/** The harness and the file of a row. */
export const origin = {
  source: requiredText('Harness that wrote the file', { merge: 'KEEP' }),
  source_id: requiredText('File that the row comes from; joins to source_file', { merge: 'KEEP' }),
  file_path: requiredText('Path of that file', { merge: 'KEEP' }),
};

/** The record of a row: the first that told of it. */
export const place = {
  line_number: requiredInteger('Line in the file, from 1; 0 for the rest of a document', {
    merge: 'NOTHING',
  }),
  byte_offset: integer('Offset of the first byte of the record; NULL for rows of a database', {
    merge: 'NOTHING',
  }),
  byte_length: requiredInteger('Length of the record in bytes, without its line ending', {
    merge: 'NOTHING',
  }),
  raw_record_origin: text('Type of the record as the harness names it', { merge: 'NOTHING' }),
};

/** The session that a row belongs to. */
export const owner = {
  session_uid: requiredText("The harness's identifier of the session", { merge: 'KEEP' }),
  agent_id: requiredText("Sub-agent within the session; '' for the session itself", {
    merge: 'KEEP',
  }),
};

/** Position of a row in its file. */
export const seq = integer(
  'Place in the file: line × 10, plus 0 for reasoning, 1 for other messages, 2 for tool calls, ' +
    '3 for operations; ties in the order of their identifiers',
  { merge: 'KEEP' },
);
