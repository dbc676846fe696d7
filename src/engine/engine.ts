/**
 * An embedded DuckDB that knows the relations of ahq as table functions.
 *
 * Everything lies in memory; what does not fit is spilled (see `spill.ts`), never into the folder
 * the user works in. Instants are shown and days are cut in UTC unless another zone is set.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BIGINT,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValue,
  ResultReturnType,
} from '@duckdb/node-api';
import { Work } from '../bytes/work.ts';
import { AhqError } from '../errors.ts';
import { type Environment, environment as machine } from '../places.ts';
import { relations } from '../relations/index.ts';
import type { OnNote } from '../scan/notes.ts';
import type { Progress } from '../scan/scan.ts';
import { rowsOf } from './chunk-rows.ts';
import { Failures, interrupted } from './failures.ts';
import { interruptWhen } from './interrupt.ts';
import { uniqueNames } from './names.ts';
import type { QueryResult, ResultColumn, ResultRow } from './result.ts';
import { spillFolder } from './spill.ts';
import { withNamedPaths } from './sql.ts';
import { type FunctionHost, registerRelation } from './table-function.ts';
import { type JsValue, jsValue } from './values.ts';

/** How an engine is opened; every part has a default. */
export interface OpenOptions {
  /** Where homes and folders are looked for; the real machine by default. */
  readonly environment?: Environment;
  /** Told what a scan has to say beside its rows; nobody by default. */
  readonly onNote?: OnNote;
  /** Told how far a scan is, before each chunk of about 2,000 rows. */
  readonly onProgress?: (progress: Progress) => void;
  /** IANA time zone in which days are cut and instants read; UTC by default. */
  readonly timezone?: string | undefined;
}

/** Values for `?` and `$1` by position, or for `$name` by name. */
export type Parameters = readonly DuckDBValue[] | Readonly<Record<string, DuckDBValue>>;

/** How the rows of a query arrive. */
export interface QueryOptions {
  /** Objects by column name, or arrays, which keep columns of the same name apart. */
  readonly rows?: 'object' | 'array';
  /** Ends the query between two chunks. */
  readonly signal?: AbortSignal;
}

/** A row as an object; a name that occurs twice gets `_1`, `_2` … */
export type ObjectRow = Record<string, JsValue>;

/** A row as an array, in the order of the columns. */
export type ArrayRow = JsValue[];

const FUNCTION_NAMES: ReadonlySet<string> = new Set(
  relations.map(({ functionName }) => functionName),
);

/** Opens an engine. Close it when done. Throws USAGE for an unknown time zone. */
export async function open(options: OpenOptions = {}): Promise<Engine> {
  const environment = options.environment ?? machine();
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: spillFolder(environment),
  });
  const connection = await connect(instance, options.timezone ?? 'UTC');
  return new Engine(instance, connection, environment, options);
}

/** A connection with our settings, which belong to connections. */
async function connect(instance: DuckDBInstance, zone: string): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  // The default reads tens of megabytes ahead of whoever takes the rows.
  await connection.run("SET streaming_buffer_size = '64KB'");
  await setTimezone(connection, zone);
  return connection;
}

async function searchIn(connection: DuckDBConnection, catalog: string): Promise<void> {
  await connection.run(`SET search_path = 'memory,${catalog}'`);
}

/** Output formats ask the JavaScript engine about a zone, so both it and DuckDB must know it. */
async function setTimezone(connection: DuckDBConnection, zone: string): Promise<void> {
  try {
    if (zone !== 'UTC') new Intl.DateTimeFormat('en', { timeZone: zone });
    await connection.run(`SET TimeZone = '${zone.replaceAll("'", "''")}'`);
  } catch (error) {
    const message = `unknown time zone '${zone}'; it takes an IANA name such as 'Europe/Berlin'`;
    throw new AhqError('USAGE', message, { cause: error });
  }
}

/** An open engine. Queries that overlap run on connections of their own. */
export class Engine {
  /** What reading has cost since the engine was opened. */
  readonly work = new Work();
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #host: FunctionHost;
  readonly #zone: string;
  #isBusy = false;
  /** Where bare names are looked for beside the memory. */
  #catalog: string | null = null;
  /** The queries that are not over, each with what may end it. */
  readonly #running = new Set<{ readonly signal: AbortSignal | undefined }>();
  /** The last error of a table function, until a query takes it. */
  #ownFailure: AhqError | null = null;

  /** Use `open`. */
  constructor(
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    environment: Environment,
    options: OpenOptions,
  ) {
    this.#instance = instance;
    this.#connection = connection;
    this.#zone = options.timezone ?? 'UTC';
    this.#host = {
      environment,
      work: this.work,
      onNote: note => options.onNote?.(note),
      throwIfInterrupted: () => this.#throwIfInterrupted(),
      onChunk: progress => options.onProgress?.(progress),
      onFailure: failure => {
        this.#ownFailure = failure;
      },
    };
    this.register(connection);
  }

  /**
   * Runs SQL and gives the rows of its last statement, as they are read. Throws AhqError: SQL for
   * what DuckDB refuses, else what the table functions throw.
   */
  query(
    sql: string,
    parameters: Parameters | undefined,
    options: QueryOptions & { readonly rows: 'array' },
  ): AsyncGenerator<ArrayRow>;
  query(sql: string, parameters?: Parameters, options?: QueryOptions): AsyncGenerator<ObjectRow>;
  async *query(
    sql: string,
    parameters: Parameters = [],
    options: QueryOptions = {},
  ): AsyncGenerator<ArrayRow | ObjectRow> {
    for await (const result of this.results(sql, parameters, options)) {
      if (!result.isLast) await drain(result);
      else yield* options.rows === 'array' ? arrayRows(result) : objectRows(result);
    }
  }

  /** Runs SQL statement by statement and gives the answer of each; each must be read to its end. */
  async *results(
    sql: string,
    parameters: Parameters = [],
    options: Pick<QueryOptions, 'signal'> = {},
  ): AsyncGenerator<QueryResult & { readonly isLast: boolean }> {
    const connection = this.#isBusy ? await this.#connectAgain() : this.#connection;
    const isOwn = connection === this.#connection;
    if (isOwn) this.#isBusy = true;
    const running = { signal: options.signal };
    this.#running.add(running);
    const release = interruptWhen(options.signal, connection);
    const failures = new Failures(options.signal, () => this.#takeOwnFailure());
    try {
      failures.throwIfAborted();
      const statements = await connection.extractStatements(withNamedPaths(sql, FUNCTION_NAMES));
      for (let i = 0; i < statements.count; i++) {
        const statement = await statements.prepare(i);
        bindParameters(statement, parameters);
        if (options.signal) await hearSignals();
        failures.throwIfAborted();
        const answer = await statement.stream();
        yield { ...resultOf(statement, answer, failures), isLast: i === statements.count - 1 };
        // An interrupt between two chunks ends the rows as if there were no more.
        failures.throwIfAborted();
      }
    } catch (error) {
      throw failures.explain(error);
    } finally {
      release();
      this.#running.delete(running);
      if (isOwn) this.#isBusy = false;
      else connection.disconnectSync();
    }
  }

  async #connectAgain(): Promise<DuckDBConnection> {
    const connection = await connect(this.#instance, this.#zone);
    if (this.#catalog !== null) await searchIn(connection, this.#catalog);
    return connection;
  }

  /** Lets `work` use the engine's own connection, for what is no query. */
  async withConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return work(this.#connection);
  }

  /** Whether every statement finds all it names without anything else being attached. */
  async understands(sql: string): Promise<boolean> {
    try {
      const text = withNamedPaths(sql, FUNCTION_NAMES);
      const statements = await this.#connection.extractStatements(text);
      for (let i = 0; i < statements.count; i++) await statements.prepare(i);
      return true;
    } catch {
      return false;
    }
  }

  /** From now on bare names are looked for in an attached database, too; new ones go to memory. */
  async useCatalog(catalog: string): Promise<void> {
    this.#catalog = catalog;
    await searchIn(this.#connection, catalog);
  }

  /** A table function does not know for which query it is called: all must have been ended. */
  #throwIfInterrupted(): void {
    const queries = [...this.#running];
    if (queries.length > 0 && queries.every(({ signal }) => signal?.aborted)) throw interrupted();
  }

  #takeOwnFailure(): AhqError | null {
    const failure = this.#ownFailure;
    this.#ownFailure = null;
    return failure;
  }

  /**
   * Registers the table functions with a connection that the caller owns. The SQL of that
   * connection is not ours to rewrite: it takes named parameters only, `path := '…'`.
   */
  register(connection: DuckDBConnection): void {
    for (const relation of relations) registerRelation(connection, relation, this.#host);
  }

  /** Closes the engine. Running queries end with an error. */
  close(): void {
    this.#connection.disconnectSync();
    this.#instance.closeSync();
  }
}

/**
 * Lets the program hear what came while a statement was prepared, which may list many files: the
 * events that are waiting are handled between two turns of the loop.
 */
async function hearSignals(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Binds the parameters that a statement has; others belong to its neighbours. */
function bindParameters(statement: DuckDBPreparedStatement, parameters: Parameters): void {
  for (let i = 1; i <= statement.parameterCount; i++) {
    const value = isList(parameters)
      ? parameters[i - 1]
      : ownValue(parameters, statement.parameterName(i));
    if (value === undefined) continue;
    // The package would make a HUGEINT of every bigint.
    const isBigint = typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
    statement.bindValue(i, value, isBigint ? BIGINT : undefined);
  }
}

function isList(parameters: Parameters): parameters is readonly DuckDBValue[] {
  return Array.isArray(parameters);
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The answer of a statement; statements that only do something have no columns. */
function resultOf(
  statement: DuckDBPreparedStatement,
  answer: DuckDBResult,
  failures: Failures,
): QueryResult {
  const isQuery = answer.returnType === ResultReturnType.QUERY_RESULT;
  const names = isQuery ? answer.columnNames() : [];
  const columns = names.map((name, i) => ({ name, type: answer.columnType(i) }));
  return { columns, chunks: chunksOf(statement, answer, columns, failures) };
}

async function* chunksOf(
  statement: DuckDBPreparedStatement,
  answer: DuckDBResult,
  columns: readonly ResultColumn[],
  failures: Failures,
): AsyncGenerator<readonly ResultRow[]> {
  try {
    const isStream = answer.isStreaming;
    for (;;) {
      const chunk = await answer.fetchChunk();
      if (!chunk || chunk.rowCount === 0) break;
      if (columns.length > 0) yield rowsOf(chunk, columns);
    }
    // The binding ends a stream that failed like one that is complete, but no longer calls it one.
    if (isStream && !answer.isStreaming) throw failures.known() ?? (await reasonOf(statement));
  } catch (error) {
    throw failures.explain(error);
  }
}

/** Why a stream broke off. The binding does not say: the statement is run again, unstreamed. */
async function reasonOf(statement: DuckDBPreparedStatement): Promise<unknown> {
  try {
    await statement.run();
  } catch (error) {
    return error;
  }
  return new AhqError('SQL', 'the statement failed while it answered, and did not when repeated');
}

async function drain({ chunks }: QueryResult): Promise<void> {
  for await (const _ of chunks);
}

async function* arrayRows({ columns, chunks }: QueryResult): AsyncGenerator<ArrayRow> {
  for await (const rows of chunks) {
    for (const row of rows) yield columns.map(({ type }, i) => jsValue(row[i] ?? null, type));
  }
}

async function* objectRows(result: QueryResult): AsyncGenerator<ObjectRow> {
  const names = uniqueNames(result.columns);
  for await (const row of arrayRows(result)) {
    yield Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]));
  }
}
