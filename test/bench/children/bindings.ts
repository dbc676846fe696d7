/**
 * The least that a program on DuckDB can do: open a database through the low-level package, run
 * `select 1`, print the answer.
 */
import duckdb from '@duckdb/node-bindings';

const database = await duckdb.open(':memory:');
const connection = await duckdb.connect(database);
const result = await duckdb.query(connection, 'select 1');
const chunk = await duckdb.fetch_chunk(result);
const row_count = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk);
process.stdout.write(`${JSON.stringify({ row_count })}\n`);
duckdb.disconnect_sync(connection);
duckdb.close_sync(database);
