/**
 * Whether a folder or file is Claude Code's.
 *
 * A folder `projects/` alone does not tell: Cursor and Qwen have one too. It is Claude Code's when
 * a project in it holds `.jsonl` files or sessions with `subagents/`; when none does, it is not
 * where a project holds anything that Claude Code does not keep there (`agent-transcripts/`,
 * `mcps/`, `chats/`).
 * A file is a transcript when it lies in a project, or when one of its first records looks like
 * Claude Code's: new files begin with snapshots and attachments, so one line is not enough.
 */

import { join } from 'node:path';
import { isObject, member } from '../../bytes/json.ts';
import { type Entry, entriesIn, entryAt, namesIn } from '../../bytes/walk.ts';
import type { Root } from '../harness.ts';
import type { Part } from '../shared/claude-records/discover.ts';
import { agentPlaceOf } from '../shared/claude-records/projects.ts';
import { recordTypes } from '../shared/claude-records/record-types.ts';
import { firstRecords } from '../shared/probe.ts';

/** What Claude Code keeps in a project beside transcripts and the folders of sessions. */
const OWN = new Set(['memory', 'sessions-index.json']);

/** What no other harness keeps in its home; a home without sessions may still have plans. */
const OWN_FILES = ['stats-cache.json', 'todos'];

/** The name of a session's folder is a UUID. */
const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

const root = (entry: Entry, part: Part): Root => ({ entry, part });

/** The part of Claude Code's tree that an entry is, or null. */
export function recognise(entry: Entry): Root | null {
  if (!entry.isFolder) return isTranscript(entry) ? root(entry, 'file') : null;
  const projects = entryAt(join(entry.path, 'projects'), 'projects');
  if (projects?.isFolder) return holdsProjects(projects.path) ? root(entry, 'home') : null;
  if (entry.name === '.claude' || OWN_FILES.some(name => entryAt(join(entry.path, name), name))) {
    return root(entry, 'home');
  }
  if (entry.name === 'projects' && holdsProjects(entry.path)) return root(entry, 'projects');
  if (isSession(entry.path)) return root(entry, 'session');
  if (!isProject(entry.path)) return null;
  return root(entry, agentPlaceOf(entry.path) ? 'agents' : 'project');
}

/** The part that an entry is most likely, when the caller says that it is Claude Code's. */
export function assume(entry: Entry): Root {
  if (!entry.isFolder) return root(entry, 'file');
  if (entryAt(join(entry.path, 'projects'), 'projects')?.isFolder) return root(entry, 'home');
  if (entry.name === 'projects') return root(entry, 'projects');
  if (isSession(entry.path)) return root(entry, 'session');
  if (agentPlaceOf(entry.path)) return root(entry, 'agents');
  return root(entry, namesIn(entry.path).some(isJsonl) ? 'project' : 'home');
}

function holdsProjects(path: string): boolean {
  let isForeign = false;
  for (const project of entriesIn(path)) {
    if (!project.isFolder) continue;
    const names = namesIn(project.path);
    if (names.some(isJsonl)) return true;
    if (names.some(name => isSession(join(project.path, name)))) return true;
    isForeign ||= names.some(isForeignName);
  }
  return !isForeign;
}

function isForeignName(name: string): boolean {
  return !OWN.has(name) && !SESSION.test(name) && !name.startsWith('.');
}

function isProject(path: string): boolean {
  for (const entry of entriesIn(path)) {
    if (entry.isFolder ? isSession(entry.path) : isJsonl(entry.name) && looksLikeClaude(entry)) {
      return true;
    }
  }
  return false;
}

/** Grok's sessions have a folder of this name too, with a folder for each sub-agent in it. */
function isSession(path: string): boolean {
  return namesIn(join(path, 'subagents')).some(name => isJsonl(name) || name === 'workflows');
}

function isTranscript(entry: Entry): boolean {
  return isJsonl(entry.name) && (isInProject(entry.path) || looksLikeClaude(entry));
}

function isInProject(path: string): boolean {
  return /[\\/]\.claude[\\/]projects[\\/][^\\/]+[\\/]/.test(path);
}

function isJsonl(name: string): boolean {
  return name.endsWith('.jsonl');
}

/** Members of which a record of Claude Code has at least one. */
const OWN_MEMBERS = ['sessionId', 'leafUuid', 'messageId'];

function looksLikeClaude(entry: Entry): boolean {
  const records = firstRecords(entry.path);
  return records.some(isClaudeRecord) && !records.some(isQwenRecord);
}

function isClaudeRecord(record: unknown): boolean {
  const type = member(record, 'type');
  if (!isObject(record) || typeof type !== 'string') return false;
  const isKnown = Object.hasOwn(recordTypes, type);
  return isKnown && OWN_MEMBERS.some(name => typeof record[name] === 'string');
}

/** Qwen's records have Claude Code's members, but messages in parts and payloads of its own. */
function isQwenRecord(record: unknown): boolean {
  const parts = member(member(record, 'message'), 'parts');
  return parts !== undefined || member(record, 'systemPayload') !== undefined;
}
