/**
 * The built library: runs the statements of a JSON array and prints the rows of the last one.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Answer, answerText, type Work } from './answer.ts';

/** The part of the library that is measured. */
interface Library {
  readonly open: () => Promise<Engine>;
}

interface Engine {
  readonly work: Work;
  query(
    sql: string,
    parameters: readonly unknown[],
    options: { readonly rows: 'array' },
  ): AsyncIterable<readonly unknown[]>;
  close(): Promise<void>;
}

// Imported by a computed name: the library is measured as built, and types are checked before that.
const library_url = pathToFileURL(resolve('dist/index.js')).href;
const { open } = (await import(library_url)) as Library;

const statements = JSON.parse(process.argv[2] ?? '[]') as string[];
const engine = await open();
let rows: (readonly unknown[])[] = [];
for (const statement of statements) {
  rows = [];
  for await (const row of engine.query(statement, [], { rows: 'array' })) rows.push(row);
}
const { bytesRead, filesOpened, linesRead, recordsParsed } = engine.work;
const answer: Answer = { rows, work: { bytesRead, filesOpened, linesRead, recordsParsed } };
process.stdout.write(answerText(answer));
await engine.close();
