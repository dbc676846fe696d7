/** The named parameters of the table functions, for people and programs that ask. */

import type { Relation } from './relation.ts';

/** One parameter; all are optional, and NULL is the same as leaving it out. */
export interface Parameter {
  readonly type: 'VARCHAR' | 'BOOLEAN' | 'TIMESTAMP';
  /** One line for people, without a full stop. */
  readonly meaning: string;
}

const COMMON = {
  path: {
    type: 'VARCHAR',
    meaning: 'Home, folder, file or pattern to read; the default homes when absent',
  },
  source: {
    type: 'VARCHAR',
    meaning: 'Harness that wrote the files; the one that recognises the path when absent',
  },
  include_archived: {
    type: 'BOOLEAN',
    meaning: 'Archived sessions too, where a harness keeps them apart',
  },
  modified_after: {
    type: 'TIMESTAMP',
    meaning: 'Only files changed after this instant, which is read as UTC',
  },
} as const satisfies Record<string, Parameter>;

const ROWS = {
  rows: {
    type: 'VARCHAR',
    meaning: "'block' (default): a row for each thing said or done; 'line': one for each line",
  },
} as const satisfies Record<string, Parameter>;

/** The parameters of a relation's function, by name; `path` may also be given by position. */
export function parametersOf(relation: Relation): Readonly<Record<string, Parameter>> {
  return relation.name === 'conversations' ? { ...COMMON, ...ROWS } : COMMON;
}
