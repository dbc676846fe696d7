/** What parsers may ask about the source they read. Answers are found when asked, and kept. */

import { AddressedRecords, type FileAddress } from '../bytes/addressed.ts';
import { ZstdBlocks } from '../bytes/compressed.ts';
import { readDocument } from '../bytes/document.ts';
import { ElementReader } from '../bytes/elements.ts';
import { type JsonObject, member, textOf } from '../bytes/json.ts';
import { LineReader } from '../bytes/lines.ts';
import { SourceRecord } from '../bytes/record.ts';
import { toWire } from '../bytes/text.ts';
import type { Work } from '../bytes/work.ts';
import { systemCode } from '../errors.ts';
import type { Source, SourceContext } from '../harness/harness.ts';
import { CompanionLines } from './companion-lines.ts';
import { CompanionTables } from './companion-tables.ts';
import { reasonOf } from './notes.ts';

/** The answers lie within the first lines as a rule; a whole block would be too much. */
const LOOKAHEAD_BLOCK_BYTES = 64 * 1024;

/** The context of one source: its texts as wire text, and answers from the disk. */
export class ScanContext implements SourceContext {
  readonly source: Source;
  readonly #disk: Source;
  readonly #work: Work;
  readonly #tables: CompanionTables;
  readonly #lines: CompanionLines;
  readonly #firstRecords = new Map<string, unknown>();
  readonly #companions = new Map<string, unknown>();
  readonly #problems = new Map<string, string>();
  readonly #addressed: AddressedRecords;
  #rest: { readonly value: unknown } | null = null;
  #hasUnanswered = false;

  /** `tables` and `lines` are shared by all sources of a scan. */
  constructor(
    source: Source,
    work: Work,
    tables = new CompanionTables(),
    lines = new CompanionLines(),
  ) {
    this.#disk = source;
    this.#work = work;
    this.#tables = tables;
    this.#lines = lines;
    this.#addressed = new AddressedRecords(source.path, source.identity, work);
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
    const isFilled = (value: unknown) => (textOf(member(value, key)) ?? '') !== '';
    return textOf(member(this.firstRecord(`"${key}"`, isFilled), key));
  }

  firstRecord(needle: string, matches: (value: unknown) => boolean): unknown {
    if (!this.#firstRecords.has(needle)) {
      const found = this.#lookAhead(needle, matches);
      if (found === undefined) this.#hasUnanswered = true;
      this.#firstRecords.set(needle, found);
    }
    return this.#firstRecords.get(needle);
  }

  /** Something was looked for in the file that it does not hold, or not yet. */
  get hasUnanswered(): boolean {
    return this.#hasUnanswered;
  }

  companion(name: string): unknown {
    if (!this.#companions.has(name)) this.#companions.set(name, this.#readCompanion(name));
    return this.#companions.get(name);
  }

  #lookAhead(needle: string, matches: (value: unknown) => boolean): unknown {
    const block = Buffer.allocUnsafe(LOOKAHEAD_BLOCK_BYTES);
    const { path, form } = this.#disk;
    const work = this.#work;
    const blocks = form === 'zstd' ? { blocks: new ZstdBlocks(path, work) } : {};
    const reader = new LineReader(path, { block, work, ...blocks });
    try {
      while (reader.next()) {
        if (!reader.buffer.subarray(reader.start, reader.end).includes(needle)) continue;
        const { value } = new SourceRecord(reader, this.#work);
        if (matches(value)) return value;
      }
    } catch {
      // The file went away; the scan itself says so.
    }
    return undefined;
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

  companionLine(name: string, keyName: string, key: string): JsonObject | null {
    const path = this.#disk.companions[name];
    if (path === undefined) return null;
    const { record, problem } = this.#lines.last(path, keyName, key, this.#work);
    if (problem !== null) this.#problems.set(name, problem);
    return record;
  }

  companionRow(name: string, table: string, keyColumn: string, key: string): JsonObject | null {
    return this.companionRows(name, table, keyColumn, key).at(-1) ?? null;
  }

  companionRows(
    name: string,
    table: string,
    keyColumn: string,
    key: string,
  ): readonly JsonObject[] {
    const path = this.#disk.companions[name];
    if (path === undefined) return [];
    const rows = this.#tables.rows(path, table, keyColumn, key);
    if (typeof rows !== 'string') return rows;
    this.#problems.set(name, rows);
    return [];
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
    try {
      return new ElementReader(path, arrayPath, { work: this.#work }).readRest();
    } catch {
      // The file went away; the scan itself says so.
      return undefined;
    }
  }

  recordAt(address: FileAddress): SourceRecord {
    return this.#addressed.at(address);
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
    if (systemCode(error) !== 'ENOENT') this.#problems.set(name, toWire(reasonOf(error)));
  }
}
