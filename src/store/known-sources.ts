/** What the store knows of the files that it has read, and how that is written down. */

import { createHash } from 'node:crypto';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { storeStatement } from '../assets.ts';
import type { Mark } from '../bytes/mark.ts';
import { toWire } from '../bytes/text.ts';
import type { Harness, Source } from '../harness/harness.ts';
import { sourceIdOf } from '../harness/shared/parsed/reader.ts';
import { relations } from '../relations/index.ts';

/** A file as it was when it was read last. */
export interface KnownSource {
  readonly sourceId: string;
  readonly path: string;
  readonly identity: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly companionsStamp: string;
  readonly indexedOffset: number;
  readonly lineCount: number;
  readonly head: string | null;
  readonly tail: string | null;
  readonly readingVersion: string;
  readonly rewriteCount: number;
  readonly isMissing: boolean;
  readonly status: string;
  readonly growthCount: number;
  readonly provisionalTables: readonly string[];
}

/** Where a source stands after it was read. */
export interface Standing {
  readonly source: Source;
  readonly harness: Harness;
  readonly namespace: string;
  readonly companionsStamp: string;
  readonly indexedOffset: number;
  readonly lineCount: number;
  readonly mark: Mark | null;
  readonly state: string | null;
  readonly status: 'indexed' | 'partial' | 'error';
  readonly problem: string | null;
  readonly rewriteCount: number;
  readonly growthCount: number;
  readonly provisionalTables: readonly string[];
}

/** The files that the store knows, by path. The states of parsers are not read. */
export async function knownSources(
  connection: DuckDBConnection,
): Promise<ReadonlyMap<string, KnownSource>> {
  const sql = storeStatement('known_sources');
  const rows = (await connection.runAndReadAll(sql)).getRows();
  return new Map(rows.map(row => [String(row[1]), knownSource(row)]));
}

function knownSource(row: readonly DuckDBValue[]): KnownSource {
  const text = (index: number) => (row[index] === null ? null : String(row[index]));
  return {
    sourceId: String(row[0]),
    path: String(row[1]),
    identity: String(row[2]),
    sizeBytes: Number(row[3]),
    modifiedMs: Number(row[4]),
    companionsStamp: String(row[5]),
    indexedOffset: Number(row[6]),
    lineCount: Number(row[7]),
    head: text(8),
    tail: text(9),
    readingVersion: String(row[10]),
    rewriteCount: Number(row[11]),
    isMissing: row[12] === true,
    status: String(row[13]),
    growthCount: Number(row[14]),
    provisionalTables: String(row[15])
      .split(',')
      .filter(name => name !== ''),
  };
}

/** The saved state of a source, or null. */
export async function stateOf(
  connection: DuckDBConnection,
  sourceId: string,
): Promise<string | null> {
  const sql = storeStatement('state');
  const [row] = (await connection.runAndReadAll(sql, [sourceId])).getRows();
  return typeof row?.[0] === 'string' ? row[0] : null;
}

/** Writes down where a source stands. */
export async function writeStanding(
  connection: DuckDBConnection,
  standing: Standing,
): Promise<void> {
  const { source, harness, mark } = standing;
  const statement = await connection.prepare(storeStatement('write_source'));
  const values: readonly (string | number | null)[] = [
    idOf(source),
    harness.description.name,
    standing.namespace,
    source.path,
    source.kind,
    source.form,
    source.identity,
    source.byteLength,
    source.modifiedMs,
    standing.companionsStamp,
    standing.indexedOffset,
    standing.lineCount,
    mark?.head ?? null,
    mark?.tail ?? null,
    readingVersion(harness),
    standing.state,
    standing.status,
    standing.problem,
    standing.rewriteCount,
    standing.growthCount,
    standing.provisionalTables.join(','),
  ];
  values.forEach((value, index) => {
    if (value === null) statement.bindNull(index + 1);
    else if (typeof value === 'string') statement.bindVarchar(index + 1, value);
    else statement.bindDouble(index + 1, value);
  });
  await statement.run();
}

/** The identifier of a source in every row: parsers see its path as wire text. */
export function idOf({ path }: Source): string {
  return sourceIdOf(toWire(path));
}

/** Raised whenever readers of `conversations` and side files give other rows. */
const READERS_VERSION = 1;

const COLUMNS_HASH = createHash('sha256')
  .update(JSON.stringify(relations.map(({ name, columns }) => [name, Object.keys(columns)])))
  .digest('hex')
  .slice(0, 8);

/** What made the rows of a source: rows of another version are made anew. */
export function readingVersion({ parser }: Harness): string {
  return `${READERS_VERSION}.${parser.version}.${COLUMNS_HASH}`;
}
