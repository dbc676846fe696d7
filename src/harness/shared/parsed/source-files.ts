/** The reader of `source_file`: a row for each file of a harness; none is opened. */

import { NO_RECORD } from '../../../bytes/record.ts';
import type { CellFunction, Reader, SourceKind, Unit } from '../../harness.ts';
import { sourceIdOf } from './reader.ts';

const KINDS: readonly SourceKind[] = [
  ...(['transcript', 'journal', 'plan', 'todo', 'history', 'stats', 'other'] as const),
];

const MICROS = 1000;

/** The reader for the harness called `name`. */
export function sourceFilesReader(name: string): Reader {
  return {
    kinds: KINDS,
    opensNothing: true,
    start: () => null,
    read: () => {},
    finish: (_state, emit) => emit({ record: NO_RECORD }),
    cells: { source: () => name, ...cells },
  };
}

const cells: Readonly<Record<string, CellFunction<Unit>>> = {
  source_id: (_unit, { source }) => sourceIdOf(source.path),
  file_path: (_unit, { source }) => source.path,
  file_name: (_unit, { source }) => source.fileName,
  file_role: (_unit, { source }) => source.facts['fileRole'] ?? roleOf(source.facts, source.kind),
  kind: (_unit, { source }) => source.kind,
  form: (_unit, { source }) => source.form,
  session_uid: (_unit, { source }) => source.sessionId,
  size_bytes: (_unit, { source }) => source.byteLength,
  modified_at: (_unit, { source }) => Math.trunc(source.modifiedMs * MICROS),
  skipped: (_unit, { source }) => source.skipped ?? null,
};

/** What a transcript holds, by its place. */
function roleOf(facts: Readonly<Record<string, string | null>>, kind: SourceKind): string | null {
  if (kind === 'journal') return 'workflow_journal';
  if (kind !== 'transcript') return null;
  return typeof facts['agentPath'] === 'string' ? 'subagent' : 'main';
}
