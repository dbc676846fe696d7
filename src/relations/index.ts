/** The relations in the order in which they are shown. */

import { conversations } from './conversation.ts';
import { events } from './event.ts';
import { history, plans, stats, todos } from './side-file.ts';

export type { Column, ColumnType } from './column.ts';
export type { ColumnName, Relation, RowOf } from './relation.ts';
export { conversations, events, history, plans, stats, todos };

/** Every relation that can be read straight from raw files. */
export const relations = [conversations, events, plans, todos, history, stats] as const;

/** The bare name of a relation that can be read from raw files. */
export type RelationName = (typeof relations)[number]['name'];
