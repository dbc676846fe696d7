/** Small homes of Claude Code, and what is read from them. */

import { join } from 'node:path';
import type { Environment, ObjectRow } from '../../src/index.ts';
import { ask, machine } from '../support/asking.ts';
import { writeFile } from '../support/folder.ts';

/** A prompt of a session, as a line. */
export function promptLine(sessionId: string, content: string): string {
  const message = { role: 'user', content };
  const cwd = '/home/mira/tide';
  return `${JSON.stringify({ type: 'user', sessionId, cwd, uuid: `${sessionId}-1`, message })}\n`;
}

/** Writes a transcript with one prompt, which says the name of the session; gives its path. */
export function writeSession(home: string, project: string, session: string): string {
  return writeFile(home, `projects/${project}/${session}.jsonl`, promptLine(session, session));
}

/**
 * Writes a home below `folder` with sessions `one` (with a sub-agent `sub`, and `flow` in a
 * workflow) and `two`, a plan, a todo list, a history and a day of statistics; gives its path.
 */
export function writeHome(folder: string, name = '.claude'): string {
  const home = join(folder, name);
  writeSession(home, '-home-mira-tide', 'one');
  const agents = 'projects/-home-mira-tide/one/subagents';
  writeFile(home, `${agents}/agent-sub.jsonl`, promptLine('one', 'sub'));
  writeFile(home, `${agents}/agent-sub.meta.json`, '{"agentType":"Explore"}');
  writeFile(home, `${agents}/workflows/wf_1/agent-flow.jsonl`, promptLine('one', 'flow'));
  writeSession(home, '-home-mira-notes', 'two');
  writeFile(home, 'plans/quiet-fox.md', '# Plan\n');
  writeFile(home, 'todos/one-agent-one.json', '[{"content":"Tide","status":"pending"}]');
  writeFile(home, 'history.jsonl', '{"display":"Tide?","timestamp":1}\n');
  writeFile(home, 'stats-cache.json', '{"dailyActivity":[{"date":"2026-11-30"}]}');
  return home;
}

/** The texts of `read_conversations` with these arguments, and the notes. */
export async function texts(
  args: string,
  given: Readonly<Record<string, string | null>> = {},
  environment: Environment = machine(),
): Promise<{ texts: readonly unknown[]; notes: readonly string[] }> {
  const { rows, notes } = await ask(`FROM read_conversations(${args})`, given, environment);
  return { texts: rows.map(row => row['message_content']), notes };
}

/** All rows of `read_conversations` and `read_events` for a path. */
export async function everythingAt(path: string): Promise<readonly ObjectRow[]> {
  const events = 'SELECT * EXCLUDE (raw_bytes) FROM read_events(path = $path)';
  const conversations = 'FROM read_conversations(path = $path)';
  return [...(await ask(events, { path })).rows, ...(await ask(conversations, { path })).rows];
}
