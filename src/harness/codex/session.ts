/**
 * What is known about the session of a rollout, the same for all its rows.
 *
 * - Its header is the first `session_meta` with an id; files of 2025 begin with the header bare,
 *   and the JSON documents of spring 2025 have it as `session`. Later headers never change the
 *   session: they come from reopening it, or from the session that a fork copied.
 * - `session_index.jsonl` and the table `threads` of every database of the home add what the header
 *   lacks; of several values the last that is not NULL counts, databases last.
 * - A session is an agent's when another launched it: it has an `agent_path` or a parent, its
 *   source is a sub-agent, or `thread_source` says so.
 * - What is wrong with the header or with the files beside it is a diagnosis, no more: a member of
 *   the wrong type is NULL.
 */

import { isObject, type JsonObject, member } from '../../bytes/json.ts';
import { toWire } from '../../bytes/text.ts';
import type { SourceContext } from '../harness.ts';
import { kindOf, nonEmptyText } from '../shared/fields.ts';
import { payloadOf, typeOf } from './record-types.ts';

/** The facts of a session. */
export interface Session {
  readonly id: string;
  readonly cwd: string | null;
  readonly version: string | null;
  readonly modelProvider: string | null;
  readonly originator: string | null;
  readonly client: string | null;
  readonly threadSource: string | null;
  readonly title: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly isArchived: boolean;
  readonly gitCommit: string | null;
  readonly gitBranch: string | null;
  readonly repository: string | null;
  readonly parent: string | null;
  readonly forkedFrom: string | null;
  readonly isAgent: boolean;
  readonly agentPath: string | null;
  readonly agentNickname: string | null;
  readonly agentRole: string | null;
  /** What is wrong with the files beside the sessions, one sentence each. */
  readonly diagnostics: readonly string[];
}

const known = new WeakMap<SourceContext, Session>();

/** The session of the source that is read. */
export function sessionOf(context: SourceContext): Session {
  const found = known.get(context);
  if (found) return found;
  const session = findSession(context);
  known.set(context, session);
  return session;
}

/** Whether a decoded record is a header that names its session. */
function isHeader(value: unknown): boolean {
  return typeOf(value) === 'session_meta' && typeof member(payloadOf(value), 'id') === 'string';
}

/** The members of a header that are texts, where they are there. */
const TEXTS = [
  ...['id', 'timestamp', 'cwd', 'originator', 'cli_version', 'model_provider', 'thread_source'],
  ...['title', 'forked_from_id', 'parent_thread_id', 'agent_path', 'agent_nickname', 'agent_role'],
];

/** What is wrong with a header, one sentence for each member of the wrong type. */
export function headerProblems(payload: unknown): readonly string[] {
  if (!isObject(payload)) return [`the payload of session_meta is a JSON ${kindOf(payload)}`];
  const isOdd = (name: string, kinds: readonly string[]) =>
    payload[name] !== undefined && !kinds.includes(kindOf(payload[name]));
  return [
    ...TEXTS.filter(name => isOdd(name, ['string', 'null'])),
    ...(isOdd('git', ['object', 'null']) ? ['git'] : []),
    ...(isOdd('source', ['object', 'string', 'null']) ? ['source'] : []),
  ].map(name => `session_meta.${name} is a JSON ${kindOf(payload[name])}`);
}

function findSession(context: SourceContext): Session {
  const record =
    context.source.form === 'elements' ? context.rest() : context.firstRecord('"id"', isHeader);
  const header = isHeader(record) ? payloadOf(record) : undefined;
  const id = nonEmptyText(member(header, 'id')) ?? context.source.sessionId ?? '';
  const index = indexOf(id, context);
  const git = member(header, 'git');
  return {
    id,
    cwd: text(header, 'cwd') ?? text(index.all, 'cwd'),
    version: text(header, 'cli_version') ?? text(index.all, 'cli_version'),
    modelProvider: text(index.threads, 'model_provider') ?? text(header, 'model_provider'),
    title: text(index.all, 'title') ?? text(header, 'title'),
    createdAt: text(header, 'timestamp') ?? instant(index.all['created_at']),
    updatedAt: instant(index.all['updated_at']),
    isArchived: flag(index.all['archived']) ?? context.source.facts['archived'] === 'true',
    gitCommit: text(git, 'commit_hash') ?? text(index.all, 'git_sha'),
    gitBranch: text(git, 'branch') ?? text(index.all, 'git_branch'),
    repository: text(git, 'repository_url') ?? text(index.all, 'git_origin_url'),
    ...frontEndOf(header),
    ...lineageOf(header, index.all),
    diagnostics: index.diagnostics,
  };
}

function text(value: unknown, name: string): string | null {
  return nonEmptyText(member(value, name));
}

function frontEndOf(header: unknown): Pick<Session, 'originator' | 'client' | 'threadSource'> {
  const source = member(header, 'source');
  const originator = text(header, 'originator') ?? text(source, 'originator');
  const threadSource = text(header, 'thread_source') ?? text(source, 'thread_source');
  return {
    originator,
    client: clientOf(originator ?? text(source, 'client')),
    threadSource: threadSource ?? nonEmptyText(source),
  };
}

/** Words in the name of a front end, and the client of each; the first found counts. */
const CLIENTS: readonly (readonly [word: string, client: string])[] = [
  ['desktop', 'desktop'],
  ['exec', 'exec'],
  ['editor', 'editor'],
  ['browser', 'browser'],
  ['cli', 'cli'],
  ['tui', 'cli'],
  ['codex', 'cli'],
];

function clientOf(originator: string | null): string | null {
  if (originator === null) return null;
  const name = originator.toLowerCase();
  return CLIENTS.find(([word]) => name.includes(word))?.[1] ?? name;
}

type Lineage = Pick<
  Session,
  'parent' | 'forkedFrom' | 'isAgent' | 'agentPath' | 'agentNickname' | 'agentRole'
>;

function lineageOf(header: unknown, index: JsonObject): Lineage {
  const source = member(header, 'source');
  const subagent = member(source, 'subagent');
  const spawn = member(subagent, 'thread_spawn');
  const told = (name: string) => text(header, name) ?? text(spawn, name) ?? text(index, name);
  const parent = told('parent_thread_id');
  const agentPath = told('agent_path');
  const isSubagent =
    isFilled(subagent) ||
    text(header, 'thread_source') === 'subagent' ||
    text(source, 'thread_source') === 'subagent';
  return {
    parent,
    forkedFrom: text(header, 'forked_from_id') ?? text(source, 'forked_from_session_id'),
    isAgent: isSubagent || agentPath !== null || parent !== null,
    agentPath,
    agentNickname: told('agent_nickname'),
    agentRole: told('agent_role') ?? nonEmptyText(subagent),
  };
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** What the files beside the sessions know. */
interface Index {
  readonly all: JsonObject;
  /** The part that comes from databases. */
  readonly threads: JsonObject;
  readonly diagnostics: readonly string[];
}

function indexOf(id: string, context: SourceContext): Index {
  const line = context.companionLine('index', 'id', id) ?? {};
  const databases = Object.keys(context.source.companions).filter(name => name !== 'index');
  const threads: JsonObject = {};
  for (const name of databases) {
    const parent = context.companionRow(name, 'thread_spawn_edges', 'child_thread_id', id);
    const edge = { parent_thread_id: member(parent, 'parent_thread_id') };
    Object.assign(threads, filled(edge), filled(context.companionRow(name, 'threads', 'id', id)));
  }
  const named = filled({ ...line, title: line['title'] ?? line['thread_name'] });
  const diagnostics = ['index', ...databases].flatMap(name => diagnosisOf(name, context) ?? []);
  return { all: { ...named, ...threads }, threads, diagnostics };
}

function filled(row: JsonObject | null): JsonObject {
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => isFilled(value)));
}

/** Why a file beside the sessions does not help, or null. Most databases have no threads. */
function diagnosisOf(name: string, context: SourceContext): string | null {
  const problem = context.companionProblem(name);
  if (name === 'index') return problem;
  const file = toWire(name.replace(/^database /, ''));
  if (problem !== null) return `Codex SQLite enrichment unavailable for ${file}: ${problem}`;
  const isState = /[\\/]state[^\\/]*$/.test(file);
  if (!isState || context.companionRow(name, 'sqlite_schema', 'name', 'threads')) return null;
  return `${file} has no threads table`;
}

function flag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' ? value !== 0 : null;
}

/** Numbers above this count milliseconds: as seconds it would be the year 5138. */
const FIRST_MILLISECONDS = 1e11;
const LAST_INSTANT_MS = 8.64e15;

/** A text as it is; a count of seconds or milliseconds since 1970 as ISO 8601 in UTC. */
function instant(value: unknown): string | null {
  if (typeof value !== 'number') return nonEmptyText(value);
  const milliseconds = value > FIRST_MILLISECONDS ? value : value * 1000;
  return Math.abs(milliseconds) <= LAST_INSTANT_MS ? new Date(milliseconds).toISOString() : null;
}
