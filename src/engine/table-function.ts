/**
 * A relation as a table function of DuckDB: `read_conversations(path := …, source := …)`.
 *
 * - `bind` declares the columns and estimates the rows from file sizes; it opens no file.
 * - `init` lists the files anew, so that a prepared statement sees what came since.
 * - Both list before they return, and nothing can reach a program meanwhile: a query that was to
 *   end before is ended when they are called.
 * - Each call fills one chunk, reads no further than it must, and holds no descriptor when it
 *   returns: a statement may be abandoned at any chunk.
 * - Only the columns that the statement needs are computed.
 */

import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBTableFunction,
  type DuckDBTableFunctionBindInfo,
  type DuckDBTableFunctionInitInfo,
  DuckDBTimestampValue,
  type DuckDBType,
  TIMESTAMP,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api';
import { AhqError } from '../errors.ts';
import type { CellFunction, Reader, SourceContext, Unit } from '../harness/harness.ts';
import { cellOf } from '../harness/shared/address.ts';
import type { Environment } from '../places.ts';
import type { ColumnType, Relation, RelationName } from '../relations/index.ts';
import { type Parameter, parametersOf } from '../relations/parameter.ts';
import { Notes } from '../scan/notes.ts';
import { readings, type ScanRequest } from '../scan/readings.ts';
import { type Progress, Scan, type ScanHost } from '../scan/scan.ts';
import { ChunkWriter } from './vectors.ts';

/** What the functions of an engine share. */
export interface FunctionHost extends ScanHost {
  readonly environment: Environment;
  /** Throws INTERRUPTED when nobody waits for the answer any more. */
  throwIfInterrupted(): void;
  /** Called before each chunk; throws to end the statement. */
  onChunk(progress: Progress): void;
  /** Told every error on its way to DuckDB, which passes on only the message. */
  onFailure(error: AhqError): void;
}

const DUCKDB_TYPES: Readonly<Record<ColumnType | Parameter['type'], DuckDBType>> = {
  VARCHAR,
  BIGINT,
  BOOLEAN,
  BLOB,
  DOUBLE,
  TIMESTAMP,
  TIMESTAMPTZ,
  // A text for the binding; the relation's declaration says that it holds JSON.
  JSON: VARCHAR,
};

/** Bytes of transcript for one row, roughly; the planner needs an order of magnitude. */
const BYTES_PER_ROW = 2048;

/** Registers the function of a relation with a connection, for every connection of its instance. */
export function registerRelation(
  connection: DuckDBConnection,
  relation: Relation<RelationName>,
  host: FunctionHost,
): void {
  const named = <T>(work: () => T): T => withFunctionName(relation.functionName, host, work);
  connection.registerTableFunction(
    DuckDBTableFunction.create({
      name: relation.functionName,
      namedParameterTypes: parameterTypes(relation),
      supportsProjectionPushdown: true,
      bindFunction(info) {
        host.throwIfInterrupted();
        named(() => bind(info, relation, host));
      },
      initFunction(info) {
        host.throwIfInterrupted();
        named(() => init(info, host));
      },
      mainFunction: (info, chunk) =>
        named(() => (info.getInitData() as ChunkSource).fill(chunk, host)),
    }),
  );
}

function parameterTypes(relation: Relation): Record<string, DuckDBType> {
  const parameters = Object.entries(parametersOf(relation));
  return Object.fromEntries(parameters.map(([name, { type }]) => [name, DUCKDB_TYPES[type]]));
}

function bind(
  info: DuckDBTableFunctionBindInfo,
  relation: Relation<RelationName>,
  host: FunctionHost,
): void {
  const request = requestOf(info, relation, host.environment);
  for (const [name, { type }] of Object.entries(relation.columns)) {
    info.addResultColumn(name, DUCKDB_TYPES[type]);
  }
  info.setBindData({ request });
  info.setCardinality(estimateRows(request), false);
}

/** Problems are not reported here: `init` meets them again. */
function estimateRows(request: ScanRequest): number {
  let byteLength = 0;
  try {
    for (const { source } of readings(request, new Notes('', () => {})))
      byteLength += source.byteLength;
  } catch (error) {
    if (error instanceof AhqError && error.code === 'USAGE') throw error;
  }
  return Math.ceil(byteLength / BYTES_PER_ROW);
}

function requestOf(
  info: DuckDBTableFunctionBindInfo,
  relation: Relation<RelationName>,
  environment: Environment,
): ScanRequest {
  const text = (name: string) => {
    const value = info.getNamedParameter(name);
    return typeof value === 'string' ? value : null;
  };
  const modifiedAfter = info.getNamedParameter('modified_after');
  return {
    relation,
    environment,
    path: text('path'),
    source: text('source'),
    includeArchived: info.getNamedParameter('include_archived') === true,
    rows: relation.name === 'conversations' ? rowsMode(text('rows')) : 'block',
    modifiedAfterMs:
      modifiedAfter instanceof DuckDBTimestampValue ? Number(modifiedAfter.micros) / 1000 : null,
  };
}

function rowsMode(text: string | null): 'block' | 'line' {
  const mode = text?.trim().toLowerCase() ?? 'block';
  if (mode === 'block' || mode === 'line') return mode;
  throw new AhqError('USAGE', `rows is '${text}'; it takes 'block' or 'line'`);
}

function init(info: DuckDBTableFunctionInitInfo, host: FunctionHost): void {
  info.setMaxThreads(1);
  const { request } = info.getBindData() as { request: ScanRequest };
  info.setInitData(new ChunkSource(request, host, info.getColumnIndexes()));
}

/** Texts that come from the place of a file, not from its records; a bare count asks for one. */
const FROM_PLACE: ReadonlySet<string> = new Set([
  'source',
  'file_name',
  'file_path',
  'project_dir',
]);

const TEXTS: ReadonlySet<ColumnType> = new Set<ColumnType>(['VARCHAR', 'JSON']);

/** How a wanted column is computed. */
interface WantedCell {
  /** Position among the wanted columns. */
  readonly column: number;
  readonly cell: CellFunction<Unit>;
}

/** Cells that are the same for all rows of a source, and the first row that they wait for. */
interface SourceRows {
  readonly context: SourceContext;
  readonly unit: Unit;
  readonly firstRow: number;
}

/** Chunks of a scan. */
class ChunkSource {
  readonly #scan: Scan;
  readonly #names: readonly string[];
  readonly #vectorIndexes: readonly number[];
  readonly #writer: ChunkWriter;
  /** The wanted columns that the current reader fills. */
  #cells: readonly WantedCell[] = [];
  /** Those of them that are the same for all rows of a source. */
  #sourceCells: readonly WantedCell[] = [];
  #sourceRows: SourceRows | null = null;
  #reader: Reader | null = null;

  constructor(request: ScanRequest, host: FunctionHost, columnIndexes: readonly number[]) {
    const columns = Object.entries(request.relation.columns);
    const wanted = columnIndexes.flatMap((columnIndex, vectorIndex) => {
      // A count without columns asks for the row number, which is no column of the relation.
      const column = columns[columnIndex];
      return column ? [{ name: column[0], type: column[1].type, vectorIndex }] : [];
    });
    this.#names = wanted.map(({ name }) => name);
    this.#vectorIndexes = wanted.map(({ vectorIndex }) => vectorIndex);
    this.#writer = new ChunkWriter(wanted.map(({ type }) => type));
    this.#scan = new Scan(
      { ...request, columns: new Set(this.#names) },
      host,
      wanted.some(({ name, type }) => TEXTS.has(type) && !FROM_PLACE.has(name)),
    );
  }

  /** Fills one chunk; an empty one ends the scan. */
  fill(chunk: DuckDBDataChunk, host: FunctionHost): void {
    host.onChunk(this.#scan.progress);
    const writer = this.#writer;
    writer.start();
    while (!writer.isFull && this.#scan.next(writer.borrows)) this.#putRow();
    this.#endSource();
    writer.flush(chunk.chunk, this.#vectorIndexes);
  }

  #putRow(): void {
    const { unit, context, reading } = this.#scan;
    if (!unit || !context || !reading) return;
    if (this.#sourceRows?.context !== context) {
      this.#endSource();
      if (reading.reader !== this.#reader) this.#use(reading.reader);
      this.#sourceRows = { context, unit, firstRow: this.#writer.rows };
    }
    for (const { column, cell } of this.#cells) this.#writer.put(column, cell(unit, context));
    this.#writer.endRow();
  }

  /** Puts what is the same for all rows of a source into those rows. */
  #endSource(): void {
    if (!this.#sourceRows) return;
    const { context, unit, firstRow } = this.#sourceRows;
    for (const { column, cell } of this.#sourceCells) {
      this.#writer.putFrom(firstRow, column, cell(unit, context));
    }
    this.#sourceRows = null;
  }

  #use(reader: Reader): void {
    this.#reader = reader;
    const cells = this.#names.flatMap((name, column) => {
      const cell = cellOf(reader, name);
      return cell ? [{ column, cell }] : [];
    });
    this.#cells = cells.filter(({ cell }) => !cell.isOfSource);
    this.#sourceCells = cells.filter(({ cell }) => cell.isOfSource);
  }
}

/** The message must name the function: it is all that DuckDB passes on. */
function withFunctionName<T>(functionName: string, host: FunctionHost, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const failure = namedError(functionName, error);
    host.onFailure(failure);
    throw failure;
  }
}

function namedError(functionName: string, error: unknown): AhqError {
  const text = error instanceof Error ? error.message : String(error);
  const message = text.startsWith(`${functionName}: `) ? text : `${functionName}: ${text}`;
  if (!(error instanceof AhqError)) return new AhqError('DATA', message, { cause: error });
  const { code, path, offset } = error;
  return new AhqError(code, message, {
    cause: error,
    ...(path === null ? {} : { path }),
    ...(offset === null ? {} : { offset }),
  });
}
