/** The contract about meaning: what parsers tell is in the records, and fits together. */

import type { JsValue, ObjectRow } from '../../src/index.ts';
import { placeOf } from './address-checks.ts';
import { type Home, sourcesOf } from './home.ts';
import { at, itemsOf, recordsIn, textIn, transcriptRecords } from './records.ts';
import { type HomeRows, PARSED_WAYS, rowsOf } from './rows.ts';

/** Problems of record types that the census counts differently than a script. */
export function wrongCensus(home: Home, rows: HomeRows): string[] {
  const { parser } = home.harness;
  const sources = sourcesOf(home).filter(({ kind }) => parser.kinds.includes(kind));
  const jsonPaths = sources.filter(source => !parser.isText?.(source)).map(({ path }) => path);
  const wanted = new Map<string, number>();
  for (const [path, records] of recordsIn(new Set(jsonPaths), rows)) {
    for (const { event } of records) count(wanted, `${path} ${event['event_type'] ?? '<none>'}`, 1);
  }
  const found = new Map<string, number>();
  for (const row of rowsOf(rows, 'record_type_seen')) {
    count(found, `${row['file_path']} ${row['record_type']}`, Number(row['seen_count']));
  }
  return [...new Set([...wanted.keys(), ...found.keys()])]
    .filter(key => wanted.get(key) !== found.get(key))
    .map(key => `${key}: ${found.get(key)} instead of ${wanted.get(key)}`);
}

function count(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

/**
 * Problems of sessions in which somebody speaks, and that have no session, turn or message. What
 * was copied from another session counts there, and only what people say opens a turn.
 */
export function silentSessions(home: Home, rows: HomeRows): string[] {
  const names = namesInFiles(rows);
  const own = ownTalk(rows);
  const hasTurns = turnsByFile(home, rows);
  const need = {
    session: rowsOf(rows, 'conversations').filter(isSaid),
    message: own,
    turn: own.filter(row => row['author'] === 'user' && hasTurns(row)),
  };
  return Object.entries(need).flatMap(([name, talk]) => {
    const known = new Set(rowsOf(rows, name).map(row => row['session_uid']));
    const missing = talk.filter(row => {
      const session = row['session_id'];
      return !known.has(session) && !known.has(names.get(String(row['file_path'])));
    });
    const sessions = new Set(missing.map(row => `${row['session_id']} in ${row['file_path']}`));
    return [...sessions].map(session => `${session} has no ${name}`);
  });
}

function isSaid(row: ObjectRow): boolean {
  const isByTalker = row['author'] === 'user' || row['author'] === 'agent';
  return isByTalker && textIn(row['message_content']) !== null;
}

/** The session of each file that tells of one alone: its records may name it otherwise. */
function namesInFiles(rows: HomeRows): Map<string, JsValue | undefined> {
  const names = new Map<string, JsValue | undefined>();
  for (const { file_path: path, session_uid: name } of rowsOf(rows, 'session')) {
    const key = String(path);
    names.set(key, names.has(key) && names.get(key) !== name ? null : name);
  }
  return names;
}

const FAILURE = /"isApiErrorMessage": *true/;

/** What is said in sessions beyond what they copied from others, as far as they tell. */
function ownTalk(rows: HomeRows): ObjectRow[] {
  const copied = new Map<string, number>();
  for (const row of rowsOf(rows, 'session')) {
    copied.set(String(row['file_path']), Number(row['inherited_skipped']));
  }
  const lines = new Map<string, Set<unknown>>();
  const uuids = new Set<unknown>();
  return rowsOf(rows, 'conversations').filter(row => {
    if (!isSaid(row)) return false;
    const { uuid } = row;
    const path = String(row['file_path']);
    const key = `${row['author']} ${uuid} ${row['message_content']}`;
    const isCopy = uuid !== null && uuids.has(key);
    // What stands for a failed request is no speech.
    if (FAILURE.test(String(row['raw_event']))) return false;
    uuids.add(key);
    const seen = lines.get(path) ?? new Set();
    lines.set(path, seen.add(row['line_number']));
    return !isCopy && seen.size > (copied.get(path) ?? 0);
  });
}

/** Codex opens turns by records of their own, which some of its files lack altogether. */
function turnsByFile(home: Home, rows: HomeRows): (row: ObjectRow) => boolean {
  if (home.harness.description.name !== 'codex') return () => true;
  const opening: readonly unknown[] = ['task_started', 'turn_started', 'user_message'];
  const files = [...transcriptRecords(home, rows)].filter(([, records]) =>
    records.some(({ value }) => {
      const payload = at(value, 'payload');
      return payload === undefined || opening.includes(at(payload, 'type'));
    }),
  );
  const paths = new Set<unknown>(files.map(([path]) => path));
  return row => paths.has(row['file_path']);
}

/** Relations whose rows may be of a session without a transcript, by harness, and what tells it. */
const OF_ABSENT_SESSIONS: Readonly<Record<string, readonly string[]>> = {
  // The log of a task tells of its cost and permissions, whatever became of the transcript.
  'claude-desktop': ['cost_state', 'session_event', 'rate_limit_sample'],
  // A sub-agent tells who launched it.
  grok: ['subagent_spawn'],
};

/** Problems of rows whose session and sub-agent is not there. */
export function ownerlessRows(home: Home, rows: HomeRows): string[] {
  const owner = (row: ObjectRow) => JSON.stringify([row['session_uid'], row['agent_id']]);
  const known = new Set(rowsOf(rows, 'session').map(owner));
  const paths = transcriptPaths(home);
  const talks = rowsOf(rows, 'conversations').filter(row => paths.has(row['file_path']));
  const present = new Set(talks.map(row => row['session_id']));
  const mayBeAbsent = OF_ABSENT_SESSIONS[home.harness.description.name] ?? [];
  const owned = PARSED_WAYS.filter(({ relation }) => 'agent_id' in relation.columns);
  return owned.flatMap(({ name }) =>
    rowsOf(rows, name)
      .filter(row => !known.has(owner(row)))
      .filter(row => !mayBeAbsent.includes(name) || present.has(row['session_uid'] ?? null))
      .map(row => `${name}: ${placeOf(row)} is of ${owner(row)}, which is no session`),
  );
}

function transcriptPaths(home: Home): Set<unknown> {
  const transcripts = sourcesOf(home).filter(({ kind }) => kind === 'transcript');
  return new Set<unknown>(transcripts.map(({ path }) => path));
}

/** What a tool gave, as a record tells it. */
interface Result {
  readonly path: string;
  readonly line: unknown;
  /** The call that it names. */
  readonly call: string | null;
  readonly byteOffset: unknown;
}

/** Problems of results of tools that neither belong to a call nor are an issue. */
export function lostResults(home: Home, rows: HomeRows): string[] {
  const calls = new Set(rowsOf(rows, 'tool_call').filter(hasEnded).flatMap(namesOf));
  const issues = issuesOfResults(rows);
  const outputs = new Set(rowsOf(rows, 'tool_io').map(outputPlace));
  return resultsIn(home, rows)
    .filter(({ call, path, byteOffset }) =>
      // Texts have no identifiers: there the call knows where its result is.
      call === null ? !outputs.has(`${path}@${byteOffset}`) : !calls.has(call),
    )
    .filter(({ path, line }) => !issues.has(`${path}:${line}`))
    .map(({ path, line, call }) => `${path}:${line}: the result of ${call} is lost`);
}

function outputPlace(row: ObjectRow): string {
  return `${row['file_path']}@${row['output_byte_offset'] ?? row['byte_offset']}`;
}

const ENDS = ['outcome', 'ended_at', 'output_bytes', 'output_byte_offset'];

function hasEnded(row: ObjectRow): boolean {
  return ENDS.some(column => row[column] !== null);
}

/** The identifier of a call; where harnesses repeat theirs, ours begins with the session. */
function namesOf({ call_uid: call, session_uid: session, agent_id: agent }: ObjectRow): string[] {
  const uid = String(call);
  const scopes = [`${session}:${agent}:`, `${session}:`];
  return [
    uid,
    ...scopes.filter(scope => uid.startsWith(scope)).map(scope => uid.slice(scope.length)),
  ];
}

/** `path:line` of the results that are told to have no call. */
function issuesOfResults(rows: HomeRows): Set<string> {
  const kinds: readonly unknown[] = ['orphan_output', 'missing_call_id'];
  const issues = rowsOf(rows, 'parse_issue').filter(({ kind }) => kinds.includes(kind));
  return new Set(issues.map(row => `${row['file_path']}:${row['line_number']}`));
}

function resultsIn(home: Home, rows: HomeRows): readonly Result[] {
  const read = RESULTS[home.harness.description.name];
  if (!read) return toldResults(rows);
  return [...transcriptRecords(home, rows)].flatMap(([path, records]) =>
    records.flatMap(({ value, event }) =>
      read(value).map(call => ({
        path,
        line: event['line_number'],
        byteOffset: event['byte_offset'],
        call: textIn(call),
      })),
    ),
  );
}

function toldResults(rows: HomeRows): readonly Result[] {
  const told = rowsOf(rows, 'conversations').filter(row => row['message_type'] === 'tool_result');
  return told.map(row => ({
    path: String(row['file_path']),
    line: row['line_number'],
    byteOffset: row['byte_offset'],
    call: textIn(row['tool_use_id']),
  }));
}

type ReadResults = (record: object) => readonly unknown[];

const claudeResults: ReadResults = record =>
  itemsOf(at(record, 'message', 'content'))
    .filter(block => String(at(block, 'type')).endsWith('tool_result'))
    .map(block => at(block, 'tool_use_id'));

/** The calls that the results in a record name, by harness. */
const RESULTS: Readonly<Record<string, ReadResults>> = {
  claude: claudeResults,
  'claude-desktop': claudeResults,
  codex(record) {
    const item = at(record, 'payload') ?? record;
    return String(at(item, 'type')).endsWith('_output') ? [at(item, 'call_id')] : [];
  },
  pi(record) {
    const isResult = at(record, 'message', 'role') === 'toolResult';
    return isResult ? [at(record, 'message', 'toolCallId')] : [];
  },
};

/** Problems of texts of calls that nobody made, or that no record holds. */
export function looseTexts(_home: Home, rows: HomeRows): string[] {
  const calls = new Set(rowsOf(rows, 'tool_call').map(row => row['call_uid']));
  const places = new Set(rowsOf(rows, 'events').map(placeOf));
  const issues = issuesOfResults(rows);
  return rowsOf(rows, 'tool_io').flatMap(row => {
    const isOrphan = issues.has(`${row['file_path']}:${row['line_number']}`);
    const isJoined = row['kind'] !== 'call' || calls.has(row['call_uid']) || isOrphan;
    const output = row['output_byte_offset'];
    const isPlaced = output === null || places.has(`${row['file_path']}@${output}`);
    return [
      ...(isJoined ? [] : [`${placeOf(row)}: ${row['call_uid']} is no call`]),
      ...(isPlaced ? [] : [`${placeOf(row)}: there is no record at ${output}`]),
    ];
  });
}

/** The words that a column may hold, where it holds one of a few. */
const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  session: { agent_type_source: ['explicit', 'default'] },
  turn: { status: ['open', 'complete', 'error', 'aborted'] },
  message: {
    role: ['user', 'assistant', 'system'],
    message_class: [
      ...['human_prompt', 'queued_prompt', 'assistant_text', 'subagent_brief', 'subagent_report'],
      ...['compaction_summary', 'task_notification_summary', 'reasoning', 'system_prompt'],
      ...['system_reminder', 'context_injection', 'hook_output', 'command_expansion'],
      ...['skill_body', 'local_command_output', 'agent_message', 'interrupt_marker'],
    ],
    trigger_class: ['user', 'event', 'orchestrate', 'agent_msg'],
  },
  tool_call: {
    outcome: ['ok', 'error', 'denied', 'interrupted', 'timeout', 'no_result'],
    trigger_class: ['work', 'status', 'wait', 'event', 'orchestrate', 'noop', 'user'],
    tool_family: [
      ...['builtin', 'mcp', 'collaboration', 'function', 'custom', 'extension', 'subagent'],
    ],
  },
  tool_io: { kind: ['call', 'op'] },
  subagent_spawn: { requested_type_source: ['explicit', 'default'] },
  compaction: { trigger: ['auto', 'manual'] },
  git_event: {
    op: ['commit', 'cherry_pick', 'push', 'pr', 'rebase', 'merge', 'session_start'],
    evidence: ['gitOperation', 'output_regex', 'command', 'pr_link', 'session_meta'],
  },
  file_touch: { op: ['read', 'create', 'edit', 'delete', 'move'] },
  artifact: {
    action: ['linked', 'read', 'written', 'edited', 'modified'],
    kind: ['spreadsheet', 'document', 'image', 'presentation', 'file', 'path'],
  },
  attachment: {
    kind: ['image', 'file', 'pasted_text', 'document', 'other'],
    attached_to: ['prompt', 'queued_prompt', 'tool_result', 'tool_input', 'attachment_record'],
  },
  session_continuation: { kind: ['resume', 'fork', 'compaction_continuation', 'clear', 'other'] },
  source_file: {
    kind: ['transcript', 'journal', 'plan', 'todo', 'history', 'stats', 'other'],
    form: ['lines', 'zstd', 'elements', 'document', 'sqlite'],
  },
};

/** Problems of columns that hold another word than they may. */
export function strangeWords(_home: Home, rows: HomeRows): string[] {
  return Object.entries(WORDS).flatMap(([name, columns]) =>
    Object.entries(columns).flatMap(([column, words]) =>
      rowsOf(rows, name)
        .filter(row => row[column] !== null && !words.includes(String(row[column])))
        .map(row => `${name}.${column} is ${row[column]} at ${placeOf(row)}`),
    ),
  );
}
