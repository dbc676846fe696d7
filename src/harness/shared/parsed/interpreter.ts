/**
 * One pass of a parser over a source: records in, rows of the wanted relations out.
 *
 * What no parser can understand becomes a diagnosis here: `json_error` for bytes that do not parse
 * and `not_object` for JSON of another kind. Lines of text are neither.
 */

import { isObject, member } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { Description, Source, SourceContext } from '../../harness.ts';
import type { Parser, Place, Wanted } from '../../parser.ts';
import { diagnosisOf } from '../diagnosis.ts';
import { instantMicros } from '../prompt/instants.ts';
import { typeOfRecord } from '../record-type.ts';
import { Census, type SavedCensus } from './census.ts';
import { OpenRows, type SavedRows, type TakeRow } from './open-rows.ts';

/** Everything that lies between two records, as plain JSON. */
export interface SavedInterpreter {
  readonly parser: unknown;
  readonly rows: SavedRows;
  readonly census: SavedCensus;
}

/** Reads one source after the other; the rows of each leave by `take`. */
export class Interpreter {
  readonly #description: Description;
  readonly #parser: Parser;
  readonly #rows: OpenRows;
  readonly #counts: boolean;
  /** Which records have to be decoded; all without it. */
  readonly #concerns: ((record: SourceRecord) => boolean) | null;
  #census: Census;
  #state: unknown = null;

  constructor(description: Description, parser: Parser, wanted: Wanted, take: TakeRow) {
    this.#description = description;
    this.#parser = parser;
    this.#rows = new OpenRows(description.name, wanted, take);
    this.#counts = this.#rows.wants('record_type_seen') || this.#rows.wants('parse_issue');
    this.#census = new Census(description);
    this.#concerns = this.#counts ? null : (parser.concerns?.(wanted) ?? null);
  }

  /** Begins a source. */
  start(source: Source, context: SourceContext): void {
    this.#state = this.#parser.start(source, context);
    this.#census = new Census(this.#description);
  }

  /** Takes one record. */
  read(record: SourceRecord, context: SourceContext): void {
    if (this.#concerns?.(record) === false) return;
    const { value } = record;
    const place = this.#placeOf(record);
    if (this.#parser.isText?.(context.source)) {
      this.#parser.read(this.#state, record, place, this.#rows, context);
      return;
    }
    if (record.isBlank || isEmptyRest(record, context)) return;
    if (record.error !== null) this.#rows.issue(place, 'json_error', record.error);
    else if (!isObject(value)) this.#rows.issue(place, 'not_object', diagnosisOf(record));
    if (!isObject(value)) return;
    this.#parser.read(this.#state, record, place, this.#rows, context);
    if (this.#counts) this.#count(value, place);
  }

  #count(value: unknown, place: Place): void {
    const { instantOf } = this.#parser;
    const at = instantOf ? instantOf(value) : instantMicros(member(value, 'timestamp'));
    const version = this.#parser.harnessVersion(this.#state) ?? '';
    this.#census.add(value, place, version, at, this.#rows);
  }

  #placeOf(record: SourceRecord): Place {
    const { lineNumber, byteOffset, byteLength, value } = record;
    const recordType = typeOfRecord(this.#description, value);
    return { lineNumber, byteOffset, byteLength, recordType };
  }

  /** Gives the rows that are open, as they are so far. */
  flush(): void {
    this.#rows.finish();
  }

  /** Gives what waited for the end of the source, and the census. */
  finish(context: SourceContext): void {
    this.#parser.finish?.(this.#state, this.#rows, context);
    this.#census.finish(this.#rows);
    this.#rows.finish();
  }

  /** What lies between two records, as plain JSON. */
  save(): SavedInterpreter {
    const { save } = this.#parser;
    const parser = save ? save.call(this.#parser, this.#state) : this.#state;
    return { parser, rows: this.#rows.save(), census: this.#census.save() };
  }

  /** Goes on from what was saved. */
  restore(saved: SavedInterpreter): void {
    const { restore } = this.#parser;
    this.#state = restore ? restore.call(this.#parser, saved.parser) : saved.parser;
    this.#rows.restore(saved.rows);
    this.#census = new Census(this.#description, saved.census);
  }
}

/** The rest of a document that is an array, as it is meant to be, holds nothing. */
function isEmptyRest(record: SourceRecord, { source }: SourceContext): boolean {
  const isArray = source.form === 'elements' && source.arrayPath?.length === 0;
  return isArray && record.isRest && record.error === null && Array.isArray(record.value);
}
