/** What parsers may ask about the source they read. Answers are found when asked, and kept. */

import { readDocument } from '../bytes/document.ts';
import { member } from '../bytes/json.ts';
import { LineReader } from '../bytes/lines.ts';
import { SourceRecord } from '../bytes/record.ts';
import { toWire } from '../bytes/text.ts';
import type { Work } from '../bytes/work.ts';
import type { Source, SourceContext } from '../harness/harness.ts';

/** The answers lie within the first lines as a rule; a whole block would be too much. */
const LOOKAHEAD_BLOCK_BYTES = 64 * 1024;

/** The context of one source: its texts as wire text, and answers from the disk. */
export class ScanContext implements SourceContext {
  readonly source: Source;
  readonly #disk: Source;
  readonly #work: Work;
  readonly #firstTexts = new Map<string, string | null>();
  readonly #companions = new Map<string, unknown>();

  constructor(source: Source, work: Work) {
    this.#disk = source;
    this.#work = work;
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
    const reader = new LineReader(this.#disk.path, { block, work: this.#work });
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

  #readCompanion(name: string): unknown {
    const path = this.#disk.companions[name];
    if (path === undefined) return undefined;
    try {
      return new SourceRecord(readDocument(path, this.#work), this.#work).value;
    } catch {
      return undefined;
    }
  }
}
