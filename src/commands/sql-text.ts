/** Where the SQL of a query comes from: the argument, a file, or stdin. */

import { readFileSync } from 'node:fs';
import { AhqError, systemCode } from '../errors.ts';
import { reasonOf } from '../scan/notes.ts';

/**
 * The SQL, or null when the user gave none and stdin is a terminal. Throws USAGE when there are
 * two, NOT_FOUND or READ for a file that cannot be read.
 */
export async function sqlText(
  words: readonly string[],
  file: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  const [sql] = words;
  if (words.length > 1) {
    throw new AhqError('USAGE', `the SQL must be one argument: quote it, ahq "${words.join(' ')}"`);
  }
  if (sql !== undefined && file !== undefined) {
    throw new AhqError('USAGE', `SQL is given twice: as an argument and by -f '${file}'`);
  }
  if (sql !== undefined) return sql;
  if (file !== undefined && file !== '-') return readSql(file);
  return file === undefined && process.stdin.isTTY ? null : readStdin(signal);
}

function readSql(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemCode(error) === 'ENOENT' ? 'NOT_FOUND' : 'READ';
    const reason = code === 'NOT_FOUND' ? 'it does not exist' : reasonOf(error);
    throw new AhqError(code, `cannot read '${file}': ${reason}`, { path: file, cause: error });
  }
}

async function readStdin(signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  signal.addEventListener('abort', () => process.stdin.destroy());
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
