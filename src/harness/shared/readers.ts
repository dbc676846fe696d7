/** The readers of a harness, put together from its own and those that its parser gives. */

import { parsedRelations, type RelationName } from '../../relations/index.ts';
import type { Description, Harness, Readers } from '../harness.ts';
import type { Parser } from '../parser.ts';
import { parsedReader } from './parsed/reader.ts';
import { sourceFilesReader } from './parsed/source-files.ts';

/** What a harness reads its relations with. */
export interface Reading {
  readonly description: Description;
  /** The readers of the relations that show what is in the files. */
  readonly readers: Readers;
  /** Makes the rows of all other relations. */
  readonly parser: Parser;
}

const parsedByName = new Map<RelationName, (typeof parsedRelations)[number]>(
  parsedRelations.map(relation => [relation.name, relation]),
);

/** The `reader` of a harness; null for relations that its description says it does not fill. */
export function readerOf({ description, readers, parser }: Reading): Harness['reader'] {
  return (name, options) => {
    if (description.coverage[name] !== true) return null;
    const own = readers[name]?.(options);
    if (own) return own;
    if (name === 'source_file') return sourceFilesReader(description.name);
    const relation = parsedByName.get(name);
    return relation ? parsedReader(description, parser, relation, options) : null;
  };
}
