/** Cursor (Anysphere): the editor since 2024, and its agent. */

import type { CellFunction, Harness, Reader, Readers, Unit } from '../harness.ts';
import { eventsReader } from '../shared/events.ts';
import { readerOf } from '../shared/readers.ts';
import { conversationsReader } from './conversation.ts';
import { description } from './describe.ts';
import { discover } from './discover.ts';
import { parser } from './parse/index.ts';
import { assume, recognise } from './recognise.ts';
import { historyReader, todosReader } from './side-files.ts';
import { allRows, stateKeyOf } from './state.ts';

const { name } = description;

/** The reader of `events`; the session of a row of `state.vscdb` is in its key. */
function databaseEvents(): Reader {
  const reader = eventsReader(description);
  const session_id: CellFunction<Unit> = ({ record }, context) => {
    if (record.recordKey === null) return context.source.sessionId;
    const key = stateKeyOf(record.recordKey);
    return key.kind === 'item' ? context.source.sessionId : key.session;
  };
  return { ...reader, tables: allRows, cells: { ...reader.cells, session_id } };
}

const readers: Readers = {
  conversations: options => conversationsReader(name, options),
  events: databaseEvents,
  todos: () => todosReader(name),
  history: () => historyReader(name),
};

/** The harness. */
export const cursor: Harness = {
  description,
  recognise,
  assume,
  parser,
  discover,
  reader: readerOf({ description, readers, parser }),
};
