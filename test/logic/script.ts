/**
 * Scripts in the form of sqllogictest: SQL with its answer, one file a subject.
 *
 *     statement ok                 followed by SQL
 *     statement error              followed by SQL, ---- and a part of the message
 *     query TYPES [rowsort]        followed by SQL, ---- and rows of tab-separated values, NULL as
 *                                  NULL and an empty text as (empty); rowsort sorts the answer
 *
 * A type is T (text), I (integer), B (boolean) or R (number). A blank line ends a step, `#` begins
 * a comment between steps. `{fixtures}` and other names in braces stand for folders (`places.ts`).
 */

import type { ArrayRow } from '../../src/index.ts';

/** One step of a script. */
export interface Step {
  readonly kind: 'statement' | 'query';
  /** Line of the step in the file, from 1. */
  readonly line: number;
  readonly sql: string;
  /** For statements: whether it must fail. */
  readonly mustFail: boolean;
  /** For queries: a letter a column. */
  readonly types: string;
  readonly isSorted: boolean;
  /** Rows of a query, or the part of the message of an error. */
  readonly expected: readonly string[];
}

/** The steps of a script. Throws for a block that is no step, or lacks what it must answer. */
export function stepsOf(text: string): Step[] {
  const steps: Step[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; ) {
    const head = lines[at] ?? '';
    if (head.trim() === '' || head.startsWith('#')) {
      at++;
      continue;
    }
    const end = endOfBlock(lines, at);
    steps.push(stepOf(lines.slice(at, end), at + 1));
    at = end;
  }
  return steps;
}

function endOfBlock(lines: readonly string[], start: number): number {
  const end = lines.findIndex((line, at) => at > start && line.trim() === '');
  return end < 0 ? lines.length : end;
}

const HEAD = /^(?:(statement) (ok|error)|(query) ([TIBR]+)( rowsort)?)$/;

function stepOf(block: readonly string[], line: number): Step {
  const [head = '', ...body] = block;
  const [isStep, statement, outcome, , types = '', mode] = HEAD.exec(head) ?? [];
  if (isStep === undefined) throw new Error(`line ${line}: no step: ${head}`);
  const rule = body.indexOf('----');
  const mustAnswer = outcome !== 'ok';
  if (rule >= 0 !== mustAnswer) {
    throw new Error(`line ${line}: ${mustAnswer ? 'no line ----' : 'an answer to a statement'}`);
  }
  const expected = rule < 0 ? [] : body.slice(rule + 1);
  const mustFail = outcome === 'error';
  if (mustFail && expected.length === 0) throw new Error(`line ${line}: no message`);
  const sql = (rule < 0 ? body : body.slice(0, rule)).join('\n');
  const kind = statement === undefined ? 'query' : 'statement';
  return { kind, line, sql, mustFail, types, isSorted: mode !== undefined, expected };
}

/** Rows as a script writes them. Throws when a value is not of its type. */
export function textOfRows(rows: readonly ArrayRow[], step: Step): string[] {
  const lines = rows.map(row => {
    if (row.length !== step.types.length) {
      throw new Error(`line ${step.line}: ${row.length} columns, not ${step.types.length}`);
    }
    return row.map((value, i) => textOfValue(value, step.types[i] ?? 'T', step.line)).join('\t');
  });
  return step.isSorted ? lines.sort() : lines;
}

const TYPES: Readonly<Record<string, readonly string[]>> = {
  T: ['string'],
  I: ['number', 'bigint'],
  R: ['number', 'bigint'],
  B: ['boolean'],
};

function textOfValue(value: unknown, type: string, line: number): string {
  if (value === null) return 'NULL';
  if (!TYPES[type]?.includes(typeof value)) {
    throw new Error(`line ${line}: ${String(value)} is a ${typeof value}, not ${type}`);
  }
  if (type === 'I' && typeof value === 'number' && !Number.isInteger(value)) {
    throw new Error(`line ${line}: ${value} is no integer`);
  }
  return value === '' ? '(empty)' : escaped(String(value));
}

/** A row is one line of values between tabs. */
function escaped(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
