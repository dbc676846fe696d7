/** What was read, what was in it, and what was wrong with it. */

import { instant, requiredFlag, requiredInteger, requiredText, text } from './column.ts';
import { origin, place } from './origin.ts';
import { relation } from './relation.ts';

/** Rows of `read_record_types_seen()`: the census of a file. */
export const recordTypeSeen = relation({
  name: 'record_type_seen',
  functionName: 'read_record_types_seen',
  meaning: 'Census: how many records of which type and version each file holds',
  key: ['source_id', 'record_type', 'record_subtype', 'cli_version'],
  merge: 'UPDATE',
  columns: {
    ...origin,
    record_type: requiredText("Type as the harness names it; '<none>' without one"),
    record_subtype: requiredText("Second-level type; '' where there is none"),
    cli_version: requiredText("Version of the harness; '' where it is not known"),
    is_known: requiredFlag('Whether this version of ahq knows the type'),
    seen_count: requiredInteger('Records in the file'),
    key_set: text('All top-level members, sorted, comma between them'),
    first_seen: instant('Earliest time of such a record'),
    last_seen: instant('Latest time of such a record'),
    ...place,
  },
});

/** Rows of `read_parse_issues()`: one per diagnosis. */
export const parseIssue = relation({
  name: 'parse_issue',
  functionName: 'read_parse_issues',
  meaning: 'Diagnoses: records that could not be read, or that do not fit the others',
  key: ['source_id', 'line_number', 'byte_offset', 'kind'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    kind: requiredText('json_error, not_object, unknown_type, orphan_output, missing_field …'),
    detail: text('What is wrong, up to 120 characters'),
    ...place,
  },
});

/** Rows of `read_source_files()`: one per file; none is opened. */
export const sourceFile = relation({
  name: 'source_file',
  functionName: 'read_source_files',
  meaning: 'Files of the harness homes, and which of them are read',
  key: ['source_id'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    file_name: requiredText('Name of the file'),
    file_role: text('main, subagent, workflow_agent, workflow_journal …'),
    kind: requiredText('transcript, journal, plan, todo, history, stats or other'),
    form: requiredText('lines, zstd, elements, document or sqlite'),
    session_uid: text('Session, where the place of the file tells it'),
    size_bytes: requiredInteger('Length in bytes'),
    modified_at: instant('When it was last changed'),
    skipped: text('Why nothing reads it'),
  },
});
