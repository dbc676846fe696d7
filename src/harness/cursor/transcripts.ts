/**
 * The agent's transcripts:
 *
 *     <project>/agent-transcripts/<chat>.txt, <chat>.json           2025
 *     <project>/agent-transcripts/<chat>/<chat>.jsonl               2026
 *     <project>/agent-transcripts/<chat>/subagents/<chat>.jsonl     chats that a chat launched
 *
 * One conversation may be told several times: as lines, as a document, as text, and in the database
 * of the editor, which knows most (ids, times, tokens, results). `conversations` reads it once:
 * from the database when the same scan reads that, else from the lines before the document before
 * the text. The other tellings are journals, which `events` and `rows := 'line'` read too.
 */

import { basename, dirname, join } from 'node:path';
import { type Entry, entriesIn, type OnProblem } from '../../bytes/walk.ts';
import type { Kinds, Source, SourceForm } from '../harness.ts';
import { plainSource } from '../shared/sources.ts';

/** Whether a chat is told by something better in the same scan. */
export type IsToldElsewhere = (chat: string) => boolean;

/** The name of the folder that holds the transcripts of a project. */
export const TRANSCRIPTS = 'agent-transcripts';

/** The endings of transcripts, the one that tells most first, and the form of each. */
const FORMS: Readonly<Record<string, SourceForm>> = {
  '.jsonl': 'lines',
  '.json': 'elements',
  '.txt': 'lines',
};

const ENDING = /\.(jsonl|json|txt)$/;

/** Whether a name is that of a transcript. */
export function isTranscript(name: string): boolean {
  return ENDING.test(name);
}

/** The transcripts in a folder of transcripts, or in the folder of one chat. */
export function* transcripts(
  folder: Entry,
  kinds: Kinds,
  isToldElsewhere: IsToldElsewhere,
  onProblem: OnProblem,
): Generator<Source> {
  const found = [...transcriptsBelow(folder, onProblem, [])];
  const best = new Map<string, Source>();
  for (const source of found) {
    const chat = source.sessionId ?? '';
    const known = best.get(chat);
    if (!known || rankOf(source) < rankOf(known)) best.set(chat, source);
  }
  for (const source of found) {
    const chat = source.sessionId ?? '';
    const isBest = best.get(chat) === source && !isToldElsewhere(chat);
    const kind = isBest ? 'transcript' : 'journal';
    if (kinds.has(kind)) yield { ...source, kind };
  }
}

/** Files first, then folders, each in the order of their names. */
function* transcriptsBelow(
  folder: Entry,
  onProblem: OnProblem,
  above: readonly string[],
): Generator<Source> {
  // A link to a folder above would never end.
  if (above.includes(folder.identity)) return;
  const folders: Entry[] = [];
  for (const entry of entriesIn(folder.path, onProblem)) {
    if (entry.isFolder) folders.push(entry);
    else if (entry.isFile && isTranscript(entry.name)) yield transcript(entry);
  }
  for (const entry of folders) {
    yield* transcriptsBelow(entry, onProblem, [...above, folder.identity]);
  }
}

function rankOf({ fileName }: Source): number {
  return Object.keys(FORMS).indexOf(endingOf(fileName));
}

function endingOf(name: string): string {
  return ENDING.exec(name)?.[0] ?? '';
}

/** A transcript; its place tells the project, and the chat that launched it. */
export function transcript(entry: Entry): Source {
  const folder = dirname(entry.path);
  const isLaunched = basename(folder) === 'subagents';
  const parts = entry.path.split(/[\\/]/);
  const depth = parts.lastIndexOf(TRANSCRIPTS);
  const project = depth > 0 ? parts.slice(0, depth).join('/') : null;
  const source = plainSource('transcript', FORMS[endingOf(entry.name)] ?? 'lines', entry);
  return {
    ...source,
    ...(source.form === 'elements' ? { arrayPath: [] } : {}),
    ...(entry.name.endsWith('.txt') ? { isFolded: true } : {}),
    sessionId: entry.name.replace(ENDING, ''),
    facts: {
      projectDir: depth > 0 ? (parts[depth - 1] ?? '') : '',
      parentSession: isLaunched ? basename(dirname(folder)) : null,
    },
    companions: project === null ? {} : { trusted: join(project, '.workspace-trusted') },
  };
}
