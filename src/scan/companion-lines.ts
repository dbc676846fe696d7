/** Records of companion files of lines, looked up by key; a file is read once a scan. */

import { basename } from 'node:path';
import { isObject, type JsonObject } from '../bytes/json.ts';
import { LineReader } from '../bytes/lines.ts';
import { SourceRecord } from '../bytes/record.ts';
import { toWire } from '../bytes/text.ts';
import type { Work } from '../bytes/work.ts';
import { systemCode } from '../errors.ts';
import { reasonOf } from './notes.ts';

const BLOCK_BYTES = 64 * 1024;

/** The records of a file by their key, the last line of a key alone. */
interface Lines {
  readonly records: ReadonlyMap<string, JsonObject>;
  /** What is wrong with the file, or null; other lines count all the same. */
  readonly problem: string | null;
}

/** The files that a scan has asked for; all sources of the scan share them. */
export class CompanionLines {
  readonly #files = new Map<string, Lines>();

  /** The last record of the file whose `keyName` is `key`, and what is wrong with the file. */
  last(
    path: string,
    keyName: string,
    key: string,
    work: Work,
  ): { readonly record: JsonObject | null; readonly problem: string | null } {
    const id = [path, keyName].join('\0');
    const lines = this.#files.get(id) ?? readLines(path, keyName, work);
    this.#files.set(id, lines);
    return { record: lines.records.get(key) ?? null, problem: lines.problem };
  }
}

function readLines(path: string, keyName: string, work: Work): Lines {
  const records = new Map<string, JsonObject>();
  const problems: string[] = [];
  const reader = new LineReader(path, { block: Buffer.allocUnsafe(BLOCK_BYTES), work });
  try {
    while (reader.next()) {
      const record = new SourceRecord(reader, work);
      if (record.isBlank) continue;
      const { value } = record;
      const key = isObject(value) ? value[keyName] : undefined;
      if (isObject(value) && typeof key === 'string') records.set(key, value);
      else problems.push(toWire(`${basename(path)}:${record.lineNumber} has no string ${keyName}`));
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') problems.push(toWire(reasonOf(error)));
  }
  return { records, problem: summaryOf(problems) };
}

/** The first problem, and how many more there are: a damaged file has one on every line. */
function summaryOf([first, ...more]: readonly string[]): string | null {
  if (first === undefined) return null;
  return more.length === 0 ? first : `${first}, and ${more.length} more such lines`;
}
