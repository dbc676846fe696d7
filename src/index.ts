/** ahq as a library: SQL over the files of coding agents. */

export {
  type ArrayRow,
  type Engine,
  type ObjectRow,
  type OpenOptions,
  open,
  type Parameters,
  type QueryOptions,
} from './engine/engine.ts';
export type { QueryResult, ResultColumn, ResultRow } from './engine/result.ts';
export type { JsValue } from './engine/values.ts';
export { AhqError, type ErrorCode } from './errors.ts';
export type { Environment } from './places.ts';
export { type Relation, type RowOf, relations } from './relations/index.ts';
