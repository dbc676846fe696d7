/** `ahq schema`: the relations, their columns and the parameters of their functions. */

import { type PlainType, resultOfRows } from '../engine/plain-rows.ts';
import type { QueryResult } from '../engine/result.ts';
import { AhqError } from '../errors.ts';
import { type Relation, relations } from '../relations/index.ts';
import { parametersOf } from '../relations/parameter.ts';
import type { Host } from './host.ts';
import { type Choices, Output } from './output.ts';

/** Prints all relations or one. Throws USAGE for a name that none has. */
export async function schema(
  name: string | undefined,
  choices: Choices,
  host: Host,
): Promise<void> {
  const chosen = name === undefined ? relations : [relationNamed(name)];
  if (choices.format === 'json') {
    await host.stdout.write(`${JSON.stringify(schemaOf(chosen), null, 2)}\n`);
    return host.stdout.finish();
  }
  const output = new Output({ maxRows: Number.POSITIVE_INFINITY, ...choices }, host.stdout);
  const [relation] = chosen;
  const isOne = name !== undefined && relation !== undefined;
  await output.print(isOne ? memberRows(relation) : relationRows(chosen));
  await output.finish();
}

/** The relation that has `name`, or whose function has it, in any case. */
function relationNamed(name: string): Relation {
  const wanted = name.toLowerCase();
  const found = relations.find(
    relation => relation.name === wanted || relation.functionName === wanted,
  );
  if (found) return found;
  const known = relations.map(relation => relation.name).join(', ');
  throw new AhqError('USAGE', `unknown relation '${name}'; known are ${known}`);
}

/** For programs: relation → function, meaning, key, parameters, columns. */
function schemaOf(chosen: readonly Relation[]): Record<string, unknown> {
  return Object.fromEntries(
    chosen.map(relation => {
      const { name, functionName, meaning, key } = relation;
      const parameters = Object.entries(parametersOf(relation)).map(([parameter, about]) => ({
        name: parameter,
        type: about.type,
        meaning: about.meaning,
      }));
      const columns = Object.entries(relation.columns).map(([column, about]) => ({
        name: column,
        type: about.type,
        nullable: about.nullable,
        meaning: about.meaning,
      }));
      return [name, { function: functionName, meaning, key, parameters, columns }];
    }),
  );
}

const RELATION_COLUMNS = {
  name: 'text',
  function: 'text',
  columns: 'integer',
  meaning: 'text',
} as const satisfies Record<string, PlainType>;

function relationRows(chosen: readonly Relation[]): QueryResult {
  const rows = chosen.map(({ name, functionName, columns, meaning }) => ({
    name,
    function: functionName,
    columns: Object.keys(columns).length,
    meaning,
  }));
  return resultOfRows(RELATION_COLUMNS, rows);
}

const MEMBER_COLUMNS = {
  kind: 'text',
  name: 'text',
  type: 'text',
  nullable: 'flag',
  meaning: 'text',
} as const satisfies Record<string, PlainType>;

function memberRows(relation: Relation): QueryResult {
  const columns = Object.entries(relation.columns).map(([name, { type, nullable, meaning }]) => ({
    kind: 'column',
    name,
    type,
    nullable,
    meaning,
  }));
  const parameters = Object.entries(parametersOf(relation)).map(([name, { type, meaning }]) => ({
    kind: 'parameter',
    name,
    type,
    nullable: true,
    meaning,
  }));
  return resultOfRows(MEMBER_COLUMNS, [...columns, ...parameters]);
}
