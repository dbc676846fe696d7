/** pi: records whose members are anything at all. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordTypes } from '../../src/harness/pi/record-types.ts';
import { type Column, parsedRelations } from '../../src/relations/index.ts';
import type { RowValue } from '../../src/relations/merge.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';
import { call, rowsOf } from './pi-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const TYPES = Object.keys(recordTypes);
const ROLES = recordTypes['message'] ?? [];

/** Members that the parser asks for. */
const MEMBERS = [
  ...['id', 'timestamp', 'content', 'usage', 'stopReason', 'responseId', 'toolCallId', 'toolName'],
  ...['isError', 'details', 'customType', 'summary', 'tokensBefore', 'model', 'thinkingLevel'],
  ...[
    'sections',
    'toolsAdded',
    'loopPiTiming',
    'errorMessage',
    'command',
    'output',
    'data',
    'name',
  ],
];

const TOOLS = ['read', 'bash', 'edit', 'write', 'subagent', 'wait'];

const toolCall = fc
  .tuple(fc.constantFrom('1', '2', '3'), fc.constantFrom(...TOOLS), fc.jsonValue())
  .map(([id, name, args]) => ({ ...call(id, name, {}), arguments: args }));

const odd = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue() },
  fc.constantFrom('1', '2', '3', 'stop', 'subagent-notify', '2026-05-04T08:00:00Z'),
  fc.array(fc.oneof(toolCall, fc.record({ type: fc.constant('text'), text: fc.jsonValue() }))),
  fc.record({ results: fc.array(fc.jsonValue()), asyncId: fc.jsonValue(), mode: fc.jsonValue() }),
);

const members = fc.dictionary(fc.constantFrom(...MEMBERS), odd, { maxKeys: 8 });

const oddRecord = fc
  .tuple(fc.constantFrom(...TYPES), fc.constantFrom(...ROLES), members, members)
  .map(([type, role, more, message]) => ({ ...more, type, message: { ...message, role } }));

/** Columns that the scan fills. */
const BY_THE_SCAN = ['source_id', 'file_path'];

function fits(value: RowValue | undefined, { type, nullable }: Column): boolean {
  if (value === null || value === undefined) return nullable;
  switch (type) {
    case 'BIGINT':
    case 'TIMESTAMPTZ':
      return Number.isSafeInteger(value);
    case 'DOUBLE':
      return Number.isFinite(value);
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case 'JSON':
      return typeof value === 'string' && JSON.parse(value) !== undefined;
    default:
      return typeof value === 'string';
  }
}

describe('odd records', () => {
  it('are rows as they are declared, or none, and never stop the parser', () => {
    fc.assert(
      fc.property(fc.array(oddRecord, { maxLength: 40 }), records => {
        const rows = rowsOf(home, ...records);
        expect(rows('session')).toHaveLength(1);
        for (const { name, columns } of parsedRelations) {
          const wrong = rows(name).flatMap(row =>
            Object.entries(columns).filter(([column, declared]) => !fits(row[column], declared)),
          );
          const told = wrong.filter(([column]) => !BY_THE_SCAN.includes(column));
          expect(told.map(([column]) => `${name}.${column}`)).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
