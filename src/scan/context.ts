/** What parsers may ask about the source they read. Answers are found when asked, and kept. */

import { ZstdBlocks } from '../bytes/compressed.ts';
import { readDocument } from '../bytes/document.ts';
import { ElementReader } from '../bytes/elements.ts';
import { type JsonObject, member } from '../bytes/json.ts';
import { LineReader } from '../bytes/lines.ts';
import { SourceRecord } from '../bytes/record.ts';
import { rowsByKey } from '../bytes/sqlite.ts';
import { toWire } from '../bytes/text.ts';
import type { Work } from '../bytes/work.ts';
import type { Source, SourceContext } from '../harness/harness.ts';
import { reasonOf } from './notes.ts';

/** The answers lie within the first lines as a rule; a whole block would be too much. */
const LOOKAHEAD_BLOCK_BYTES = 64 * 1024;

/** Tables of companion databases that a scan has read, or why it could not. */
export type CompanionTables = Map<string, ReadonlyMap<string, JsonObject> | string>;

/** The context of one source: its texts as wire text, and answers from the disk. */
export class ScanContext implements SourceContext {
  readonly source: Source;
  readonly #disk: Source;
  readonly #work: Work;
  readonly #tables: CompanionTables;
  readonly #firstTexts = new Map<string, string | null>();
  readonly #companions = new Map<string, unknown>();
  readonly #problems = new Map<string, string>();
  #rest: { readonly value: unknown } | null = null;

  /** `tables` is shared by all sources of a scan. */
  constructor(source: Source, work: Work, tables: CompanionTables = new Map()) {
    this.#disk = source;
    this.#work = work;
    this.#tables = tables;
    this.source = {
      ...source,
      path: toWire(source.path),
      fileName: toWire(source.fileName),
      sessionId: source.sessionId === null ? null : toWire(source.sessionId),
      facts: Object.fromEntries(
        Object.entries(source.facts).map(([key, fact]) => [
          key,
          fact === null ? null : toWire(fact),
        ]),
      ),
    };
  }

  firstText(key: string): string | null {
    const known = this.#firstTexts.get(key);
    if (known !== undefined) return known;
    const found = this.#lookAhead(key);
    this.#firstTexts.set(key, found);
    return found;
  }

  companion(name: string): unknown {
    if (!this.#companions.has(name)) this.#companions.set(name, this.#readCompanion(name));
    return this.#companions.get(name);
  }

  #lookAhead(key: string): string | null {
    const block = Buffer.allocUnsafe(LOOKAHEAD_BLOCK_BYTES);
    const { path, form } = this.#disk;
    const work = this.#work;
    const blocks = form === 'zstd' ? { blocks: new ZstdBlocks(path, work) } : {};
    const reader = new LineReader(path, { block, work, ...blocks });
    const needle = `"${key}"`;
    try {
      while (reader.next()) {
        if (!reader.buffer.subarray(reader.start, reader.end).includes(needle)) continue;
        const value = member(new SourceRecord(reader, this.#work).value, key);
        if (typeof value === 'string' && value !== '') return value;
      }
    } catch {
      // The file went away; the scan itself says so.
    }
    return null;
  }

  *companionRecords(name: string): Generator<SourceRecord> {
    const path = this.#disk.companions[name];
    if (path === undefined) return;
    const block = Buffer.allocUnsafe(LOOKAHEAD_BLOCK_BYTES);
    const reader = new LineReader(path, { block, work: this.#work });
    try {
      while (reader.next()) yield new SourceRecord(reader, this.#work);
    } catch (error) {
      this.#noteProblem(name, error);
    }
  }

  companionRow(name: string, table: string, keyColumn: string, key: string): JsonObject | null {
    const path = this.#disk.companions[name];
    if (path === undefined) return null;
    const id = [path, table, keyColumn].join('\0');
    const known = this.#tables.get(id) ?? readTable(path, table, keyColumn);
    this.#tables.set(id, known);
    if (typeof known !== 'string') return known.get(key) ?? null;
    this.#problems.set(name, known);
    return null;
  }

  companionProblem(name: string): string | null {
    return this.#problems.get(name) ?? null;
  }

  rest(): unknown {
    this.#rest ??= { value: this.#readRest() };
    return this.#rest.value;
  }

  #readRest(): unknown {
    const { path, arrayPath = [] } = this.#disk;
    const reader = new ElementReader(path, arrayPath, { work: this.#work });
    return reader.readRest();
  }

  #readCompanion(name: string): unknown {
    const path = this.#disk.companions[name];
    if (path === undefined) return undefined;
    try {
      const record = new SourceRecord(readDocument(path, this.#work), this.#work);
      if (record.error !== null) this.#problems.set(name, record.error);
      return record.value;
    } catch (error) {
      this.#noteProblem(name, error);
      return undefined;
    }
  }

  /** A companion that is not there is no problem. */
  #noteProblem(name: string, error: unknown): void {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isAbsent) this.#problems.set(name, toWire(reasonOf(error)));
  }
}

function readTable(
  path: string,
  table: string,
  keyColumn: string,
): ReadonlyMap<string, JsonObject> | string {
  try {
    return rowsByKey(path, table, keyColumn);
  } catch (error) {
    return toWire(reasonOf(error));
  }
}
