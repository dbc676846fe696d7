/** The relations that come from files beside the transcripts: plans, todos, history, stats. */

import { integer, requiredInteger, requiredText, text } from './column.ts';
import { relation } from './relation.ts';

/** Where a row of a side file comes from; the columns of agent_data stand before these. */
const address = {
  byte_offset: integer('Offset of the record in the file; NULL for rows of a database'),
  byte_length: integer('Length of the record in bytes, without its line ending'),
};

const fileAndAddress = {
  file_path: requiredText('Path of the file'),
  ...address,
};

/** Rows of `read_plans()`: one per plan file. */
export const plans = relation({
  name: 'plans',
  functionName: 'read_plans',
  meaning: 'Plan files, whole',
  key: ['file_path'],
  columns: {
    source: requiredText('Harness that wrote the file'),
    session_id: text('Session of the plan, where its place tells it'),
    plan_name: requiredText('Name of the plan; equals the slug of its session in Claude Code'),
    file_name: requiredText('Name of the file'),
    file_path: requiredText('Path of the file'),
    content: text('The whole text', { compressed: true }),
    file_size: requiredInteger('Length of the file in bytes'),
    ...address,
  },
});

/** Rows of `read_todos()`: one per item of a todo list. */
export const todos = relation({
  name: 'todos',
  functionName: 'read_todos',
  meaning: 'Items of todo lists',
  key: ['file_path', 'item_index'],
  columns: {
    source: requiredText('Harness that wrote the file'),
    session_id: requiredText('Session the list belongs to'),
    agent_id: text('Agent the list belongs to'),
    file_name: requiredText('Name of the file'),
    item_index: requiredInteger('Position in the list, from 0; -1 for a file that does not parse'),
    content: requiredText('Text of the item; the diagnosis for a file that does not parse'),
    status: requiredText('pending, in_progress, completed, or _parse_error'),
    active_form: text('The text while the item is being worked on'),
    ...fileAndAddress,
  },
});

/** Rows of `read_history()`: one per prompt in the prompt history. */
export const history = relation({
  name: 'history',
  functionName: 'read_history',
  meaning: 'Prompts as they were typed, in the order of the history file',
  key: ['file_path', 'line_number'],
  columns: {
    source: requiredText('Harness that wrote the file'),
    line_number: requiredInteger('Line or entry in the file, from 1'),
    timestamp_ms: integer('When it was typed, in milliseconds since 1970 UTC'),
    project: text('Working directory'),
    session_id: text('Session, where recorded'),
    display: text('The prompt as shown; the diagnosis for a line that does not parse'),
    pasted_contents: text('What was pasted into the prompt, as JSON', { compressed: true }),
    ...fileAndAddress,
  },
});

/** Rows of `read_stats()`: one per day. */
export const stats = relation({
  name: 'stats',
  functionName: 'read_stats',
  meaning: 'Activity per day, as the harness counts it',
  key: ['file_path', 'date'],
  columns: {
    source: requiredText('Harness that wrote the file'),
    date: requiredText('Day as YYYY-MM-DD, in the time zone of the harness'),
    message_count: requiredInteger('Messages that day'),
    session_count: requiredInteger('Sessions begun that day'),
    tool_call_count: requiredInteger('Tool calls that day'),
    ...fileAndAddress,
  },
});
