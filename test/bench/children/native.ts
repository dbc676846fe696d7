/**
 * DuckDB without ahq: runs the statements of a JSON array and prints the rows of the last one.
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { answerText } from './answer.ts';

const statements = JSON.parse(process.argv[2] ?? '[]') as string[];
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
let rows: unknown[][] = [];
for (const statement of statements) {
  const reader = await connection.runAndReadAll(statement);
  rows = reader.getRows();
}
process.stdout.write(answerText({ rows, work: null }));
connection.closeSync();
instance.closeSync();
