/**
 * Plans that are Markdown files, `<name>.md`: a plan is its file, whole. In Claude Code the name is
 * the slug of the session. The session is known where the place of the file tells it.
 */

import type { plans } from '../../relations/index.ts';
import type { Cells, Reader, Unit } from '../harness.ts';
import { rawOf } from './address.ts';

/** The reader of `plans` from Markdown files, for the harness called `source`. */
export function plansReader(source: string): Reader {
  const cells: Cells<typeof plans, Unit> = {
    source: () => source,
    session_id: (_unit, context) => context.source.sessionId,
    plan_name: (_unit, context) => context.source.fileName.replace(/\.md$/, ''),
    content: rawOf,
    file_size: unit => unit.record.byteLength,
  };
  return {
    kinds: ['plan'],
    readsBlankLines: true,
    start: () => null,
    read: (_state, record, emit) => emit({ record }),
    cells,
  };
}
