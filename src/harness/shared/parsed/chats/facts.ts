/**
 * The cells of one row, computed when somebody asks.
 *
 * They are the columns of `conversations`. A harness may give its parser a reader with more cells,
 * or with other ones than people see, where its records tell more than those columns hold:
 *
 * - `agent_id`: the sub-agent, where it has no session of its own
 * - `is_inherited`: the record was copied from another session, and counts there
 * - `is_queued`: the words of a person came while the agent was at work, and open no turn
 * - `message_class`, `trigger_class`: what a message is, where type and author do not tell
 * - `event_kind`: the event that the row is, where its type does not tell
 * - `tool_output`, `result_json`: the result of a call, where the text of the row is not it
 * - `mcp_server`, `mcp_tool`: where the name of the tool does not tell them
 * - `spawned_session`: the session of the sub-agent that the call launched
 * - `title`, `custom_title`, `agent_type`, `parent_agent_id`, `forked_at`: of the session
 * - `duration_ms`: how long a call took, where the record of its result tells
 * - `pre_tokens`, `post_tokens`, `compaction_trigger`: of a compaction
 */

import { SourceRecord } from '../../../../bytes/record.ts';
import type { Description, Reader, SourceContext, Unit } from '../../../harness.ts';
import type { Place } from '../../../parser.ts';
import { cellOf } from '../../address.ts';
import { instantMicros } from '../../prompt/instants.ts';
import { strictCount } from '../../prompt/numbers.ts';
import { typeOfRecord } from '../../record-type.ts';

/** Reads the cells of a unit. */
export class RowFacts {
  readonly unit: Unit;
  /** The record of the row. */
  readonly place: Place;
  readonly #reader: Reader;
  readonly #context: SourceContext;

  constructor(description: Description, reader: Reader, unit: Unit, context: SourceContext) {
    this.#reader = reader;
    this.unit = unit;
    this.#context = context;
    const { lineNumber, byteOffset, byteLength, value } = unit.record;
    const recordType = typeOfRecord(description, value);
    this.place = { lineNumber, byteOffset, byteLength, recordType };
  }

  /** A cell that holds text; an empty text is none. */
  text(column: string): string | null {
    const cell = this.#cell(column);
    return typeof cell === 'string' && cell !== '' ? cell : null;
  }

  /** A cell that holds a count; what is below zero is none. */
  count(column: string): number | null {
    return strictCount(this.#cell(column));
  }

  /** A cell that holds true or false; NULL is false. */
  flag(column: string): boolean {
    return this.#cell(column) === true;
  }

  /** Whether the reader has a cell at all. */
  has(column: string): boolean {
    return this.#reader.cells[column] !== undefined;
  }

  /** When the record was written, in microseconds since 1970 UTC. */
  get at(): number | null {
    return instantMicros(this.text('timestamp'));
  }

  #cell(column: string): string | number | boolean | null {
    const cell = cellOf(this.#reader, column)?.(this.unit, this.#context) ?? null;
    return cell instanceof SourceRecord ? null : cell;
  }
}
