/** A relation as a zod schema: what a row of it may be. */

import { z } from 'zod';
import type { Column, ColumnType, Relation } from '../../src/relations/index.ts';

const TYPES: Readonly<Record<ColumnType, z.ZodType>> = {
  VARCHAR: z.string(),
  BIGINT: z.int(),
  BOOLEAN: z.boolean(),
  BLOB: z.instanceof(Uint8Array),
  DOUBLE: z.number(),
  TIMESTAMPTZ: z.date(),
  JSON: z.string().refine(isJson),
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const schemaOfColumn = ({ type, nullable }: Column): z.ZodType =>
  nullable ? TYPES[type].nullable() : TYPES[type];

/** Accepts an object with exactly the columns of the relation, NULL only where it is declared. */
export function rowSchema(relation: Relation): z.ZodType {
  const columns = Object.entries(relation.columns);
  return z.strictObject(
    Object.fromEntries(columns.map(([name, column]) => [name, schemaOfColumn(column)])),
  );
}
