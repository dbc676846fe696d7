/**
 * What is left of a chat when all its lines have been read.
 *
 * A chat of 2026 (`.jsonl`) is a journal:
 *
 * - A message is written again when it changes, for example when a call has ended: the last line of
 *   an `id` counts, at the place of the first.
 * - `{"$rewindTo": id}` drops that message and all after it; an unknown id drops every message.
 * - `{"$set": {messages}}` replaces every message so far; other members of `$set` are the header's.
 *
 * Until the last line everything may still change, so the fold keeps an address and a few numbers
 * for each message that is left (some 100 bytes), never a message; the lines that count are read
 * again at the end. What is no message (a line that does not parse) stays at its place.
 */

import type { FileAddress } from '../../../bytes/addressed.ts';
import { member } from '../../../bytes/json.ts';
import type { SourceRecord } from '../../../bytes/record.ts';
import type { SourceContext } from '../../harness.ts';
import { at, nonEmptyText } from '../fields.ts';
import { isHeader } from './chat.ts';
import { chatRecordType } from './record-types.ts';
import { type ChatUnit, callsOf, checkpointOf, type EmitUnit, messageIn } from './units.ts';

/** Where a message lies and how many rows it has. */
interface Kept extends FileAddress {
  readonly messageIndex: number;
  readonly calls: number;
}

/** The fold as plain JSON. */
interface Saved {
  readonly messages: readonly (readonly [key: string, kept: Kept])[];
  readonly updatedAt: string | null;
}

/** Before the keys of what is no message: no id begins with it. */
const NO_MESSAGE = '\0';

/** The messages of a chat, as far as it has been read. */
export class ChatFold {
  /** In the order of their first lines. */
  readonly #messages = new Map<string, Kept>();
  #updatedAt: string | null = null;

  /** Takes in one line. */
  add(record: SourceRecord): void {
    const { value } = record;
    const rewindTo = member(value, '$rewindTo');
    const id = member(value, 'id');
    if (typeof rewindTo === 'string') this.#drop(this.#messages.has(rewindTo) ? rewindTo : null);
    else if (typeof id === 'string') this.#keep(id, record, -1);
    else if (chatRecordType(value) === '$set') this.#set(record);
    else if (isHeader(value)) this.#update(member(value, 'lastUpdated'));
    else this.#keep(`${NO_MESSAGE}${record.lineNumber}`, record, -1);
  }

  /** Gives the rows of what is left. Their records are read when they are asked for. */
  emit(emit: EmitUnit, context: SourceContext): void {
    for (const kept of this.#messages.values()) {
      for (let callIndex = -1; callIndex < kept.calls; callIndex++) {
        emit(new KeptUnit(kept, callIndex, this.#updatedAt, context));
      }
    }
  }

  /** The fold as plain JSON. */
  save(): Saved {
    return { messages: [...this.#messages], updatedAt: this.#updatedAt };
  }

  /** The fold that `save` wrote down. */
  static restore(saved: unknown): ChatFold {
    const { messages, updatedAt } = saved as Saved;
    const fold = new ChatFold();
    for (const [key, kept] of messages) fold.#messages.set(key, kept);
    fold.#updatedAt = updatedAt;
    return fold;
  }

  /** Drops the message `from` and all after it, or every message. */
  #drop(from: string | null): void {
    let isDropped = from === null;
    for (const key of this.#messages.keys()) {
      isDropped ||= key === from;
      if (isDropped && !key.startsWith(NO_MESSAGE)) this.#messages.delete(key);
    }
  }

  #set(record: SourceRecord): void {
    this.#update(at(record.value, '$set', 'lastUpdated'));
    if (!Array.isArray(at(record.value, '$set', 'messages'))) return;
    this.#drop(null);
    for (const [index, message] of checkpointOf(record.value).entries()) {
      // Messages without an id are messages: each has a key that no other line gives.
      const id = nonEmptyText(member(message, 'id')) ?? `${record.lineNumber}:${index}`;
      this.#keep(id, record, index);
    }
  }

  #update(lastUpdated: unknown): void {
    this.#updatedAt = nonEmptyText(lastUpdated) ?? this.#updatedAt;
  }

  #keep(key: string, record: SourceRecord, messageIndex: number): void {
    const { lineNumber, byteOffset, byteLength, value } = record;
    const calls = callsOf(messageIn(value, messageIndex)).length;
    const address = { lineNumber, byteOffset: byteOffset ?? 0, byteLength };
    this.#messages.set(key, { ...address, messageIndex, calls });
  }
}

/** A row whose record is read when a column asks for it. */
class KeptUnit implements ChatUnit {
  readonly messageIndex: number;
  readonly callIndex: number;
  readonly updatedAt: string | null;
  readonly #address: FileAddress;
  readonly #context: SourceContext;

  constructor(kept: Kept, callIndex: number, updatedAt: string | null, context: SourceContext) {
    this.messageIndex = kept.messageIndex;
    this.callIndex = callIndex;
    this.updatedAt = updatedAt;
    this.#address = kept;
    this.#context = context;
  }

  get kind(): ChatUnit['kind'] {
    return this.callIndex < 0 ? 'message' : 'tool_call';
  }

  get record(): SourceRecord {
    return this.#context.recordAt(this.#address);
  }
}
