/** What a parser makes of sources, driven record by record without an engine. */

import { Work } from '../../src/bytes/work.ts';
import type { Description, Source } from '../../src/harness/harness.ts';
import type { Parser } from '../../src/harness/parser.ts';
import { Interpreter } from '../../src/harness/shared/parsed/interpreter.ts';
import { EVERYTHING, keyOf, type TakeRow } from '../../src/harness/shared/parsed/open-rows.ts';
import type { ParsedName } from '../../src/relations/index.ts';
import type { MutableRow } from '../../src/relations/merge.ts';
import { ScanContext } from '../../src/scan/context.ts';
import { type Feed, recordsOf } from './feed.ts';

/** A parser with the description of its harness. */
export interface Parsing {
  readonly description: Description;
  readonly parser: Parser;
}

/** The rows of sources by relation, a copy of a row once. */
export function parsedRows(
  parsing: Parsing,
  sources: readonly Source[],
  feed: Feed,
): ReadonlyMap<ParsedName, readonly MutableRow[]> {
  const rows = new Map<ParsedName, MutableRow[]>();
  const seen = new Set<string>();
  const take: TakeRow = (relation, row) => {
    const key = `${relation.name} ${keyOf(relation, row)}`;
    // Relations about a file have its rows only: the scan knows the file, the parser does not.
    if (relation.key[0] !== 'source_id' && seen.has(key)) return;
    seen.add(key);
    const list = rows.get(relation.name);
    if (list) list.push(row);
    else rows.set(relation.name, [row]);
  };
  for (const source of sources) drive(parsing, source, feed, take);
  return rows;
}

function drive({ description, parser }: Parsing, source: Source, feed: Feed, take: TakeRow): void {
  const context = new ScanContext(source, new Work());
  let interpreter = new Interpreter(description, parser, EVERYTHING, take);
  interpreter.start(context.source, context);
  for (const record of recordsOf(source, parser.tables ?? null, feed)) {
    if (feed.isResumed) {
      const saved = JSON.parse(JSON.stringify(interpreter.save()));
      interpreter = new Interpreter(description, parser, EVERYTHING, take);
      interpreter.restore(saved);
    }
    interpreter.read(record, context);
  }
  interpreter.finish(context);
}
