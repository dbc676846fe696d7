/** Sources as the walk finds them, before their place has told more. */

import type { Entry } from '../../bytes/walk.ts';
import type { Source, SourceForm, SourceKind } from '../harness.ts';

/** A source of which only the file itself is known: no session, no facts, no companions. */
export function plainSource(kind: SourceKind, form: SourceForm, entry: Entry): Source {
  return {
    kind,
    form,
    path: entry.path,
    fileName: entry.name,
    byteLength: entry.byteLength,
    modifiedMs: entry.modifiedMs,
    identity: entry.identity,
    sessionId: null,
    facts: {},
    companions: {},
  };
}
