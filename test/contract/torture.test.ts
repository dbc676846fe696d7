/** Every file of the torture home: what is evil is diagnosed or decoded, its neighbours stay. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf } from './address-checks.ts';
import { CONTRACT } from './contract.ts';
import { fixtureHomes } from './home.ts';
import { rowsOf } from './rows.ts';
import {
  closeTorture,
  expectRows,
  linesOf,
  openTorture,
  rowsOfFile,
  type TortureHome,
  tortureTranscripts,
} from './torture-home.ts';
import { blank, broken, FATES, type Fate, type Part, prompt } from './torture-lines.ts';

const BOM_IN_EVENT = { is_valid_json: false, parse_error: /^byte order mark/ };

const before = (stem: string): Fate =>
  prompt('before', { uuid: `${stem}-before`, session_id: stem, cwd: '/home/mira/tide' });
const after = (stem: string): Fate =>
  prompt('after', { uuid: `${stem}-after`, parent_uuid: `${stem}-before`, session_id: stem });
const unended = (fate: Fate): Fate => ({ ...fate, event: { ...fate.event, line_ending: null } });

/** Files whose whole is wrong: what becomes of all their lines. */
const WHOLE: ReadonlyMap<string, readonly Fate[]> = new Map([
  ['empty', []],
  ['one-newline', [blank('blank line')]],
  ['one-bom', [broken(/Unexpected end/, { ...BOM_IN_EVENT, raw: '\ufeff' })]],
  ['one-brace', [broken(/Expected property name/, { raw: '{' })]],
  [
    'bom-at-start',
    [
      prompt('before', { parse_error: 'byte order mark before the record' }, BOM_IN_EVENT),
      after('bom-at-start'),
    ],
  ],
  ['half-line-at-end', [before('half-line-at-end'), unended(broken(/in JSON at position/))]],
  [
    'half-character-at-end',
    [
      before('half-character-at-end'),
      unended(broken(/Unexpected token/, { raw: '\ufffd', raw_is_exact: false })),
    ],
  ],
  ['whole-line-at-end', [before('whole-line-at-end'), unended(after('whole-line-at-end'))]],
  [
    'nul-tail',
    [
      before('nul-tail'),
      after('nul-tail'),
      unended(broken(/Unexpected token/, { raw: '\0'.repeat(1728) })),
    ],
  ],
  [
    'blank-tail',
    [
      before('blank-tail'),
      after('blank-tail'),
      blank('blank line'),
      blank('blank line'),
      blank(/Unexpected end/),
    ],
  ],
  [
    'crlf-mixed',
    [before('crlf-mixed'), after('crlf-mixed'), before('crlf-mixed'), after('crlf-mixed')],
  ],
  ['cr-only', [unended(broken(/Unexpected non-whitespace character after JSON/))]],
  ['cr-at-end', [before('cr-at-end'), unended(after('cr-at-end'))]],
  [
    'utf-16',
    [broken(/Unexpected token/, { raw_is_exact: false }), unended(broken(/Unexpected token/))],
  ],
]);

function fatesOf(stem: string): readonly Fate[] {
  const evil = FATES.get(stem);
  return evil ? [before(stem), ...evil, after(stem)] : (WHOLE.get(stem) ?? []);
}

/** The same part of each row of a line, with the line's number. */
const numbered = (fates: readonly Fate[], parts: (fate: Fate) => readonly Part[]): Part[] =>
  fates.flatMap((fate, index) => parts(fate).map(part => ({ ...part, line_number: index + 1 })));

let home: TortureHome;

beforeAll(async () => {
  home = await openTorture();
});
afterAll(() => closeTorture(home));

describe('the torture home', () => {
  const transcripts = tortureTranscripts();

  it('has an expectation for every transcript, and no other', () => {
    const known = [...FATES.keys(), ...WHOLE.keys()].sort();
    expect(transcripts.map(([stem]) => stem).sort()).toEqual(known);
  });

  describe.each(transcripts)('%j', (stem, { bytes }) => {
    it('gives its bytes line by line', () => {
      const events = rowsOfFile(home, 'events', stem);
      const lines = linesOf(bytes);
      expect(events.map(event => event['line_ending'])).toEqual(lines.map(line => line.ending));
      const isSame = events.map((event, i) => lines[i]?.line.equals(bytesOf(event)));
      expect(isSame).toEqual(lines.map(() => true));
    });

    it('has the events that it should', () => {
      const wanted = numbered(fatesOf(stem), ({ event }) => [event]);
      expectRows(rowsOfFile(home, 'events', stem), wanted);
    });

    it('has the rows that it should, by block', () => {
      const wanted = numbered(fatesOf(stem), ({ rows }) => rows);
      expectRows(rowsOfFile(home, 'conversations', stem), wanted);
    });

    it('has the rows that it should, by line', () => {
      const wanted = numbered(fatesOf(stem), ({ rows: [row], line }) =>
        row ? [{ ...row, ...line }] : [],
      );
      expectRows(rowsOfFile(home, 'conversations by line', stem), wanted);
    });
  });

  it('is read without its folder that is named like a transcript', () => {
    const names = rowsOf(home.rows, 'events').map(row => row['file_name']);
    expect(names.filter(name => String(name).includes('kept'))).toEqual([]);
  });

  it.each(CONTRACT)(
    'keeps the contract, large files and odd names included: %s',
    async (_, check) => {
      const [fixture] = fixtureHomes();
      if (!fixture) throw new Error('there is no fixture');
      const path = `${home.folder}/.claude`;
      expect(
        await check({ ...fixture, name: 'torture', path, folder: home.folder }, home.rows),
      ).toEqual([]);
    },
  );
});

describe('the files beside the transcripts of the torture home', () => {
  const error = (what: RegExp): Part => ({ status: '_parse_error', content: what });

  it('give a todo list for each file, with a diagnosis for what is none', () => {
    expectRows(rowsOf(home.rows, 'todos'), [
      { session_id: 'empty', item_index: -1, ...error(/^Parse error: Unexpected end/) },
      { session_id: 'nul', item_index: -1, ...error(/^Parse error: Unexpected non-whitespace/) },
      { session_id: 'torn', item_index: -1, ...error(/^Parse error: Unterminated string/) },
      { session_id: 'typed', item_index: 0, content: '', status: '', active_form: null },
      { item_index: 1, ...error(/JSON number, not an object$/) },
      { item_index: 2, ...error(/null, not an object$/) },
      { item_index: 3, ...error(/JSON string, not an object$/) },
      { item_index: 4, ...error(/JSON array, not an object$/) },
      { item_index: 5, content: '', status: 'pending', active_form: null },
    ]);
  });

  it('give every plan as it is, as far as text can', () => {
    expectRows(rowsOf(home.rows, 'plans'), [
      { plan_name: 'bom', content: '\ufeff# Plan\n', file_size: 10 },
      { plan_name: 'not-utf-8', content: '# Plan \ufffd\n', file_size: 9 },
      { plan_name: 'nul', content: '# Plan\0\0\n', file_size: 9 },
    ]);
  });

  it('give a history line for each line that is not blank', () => {
    const torn = { timestamp_ms: null, project: null, session_id: null, pasted_contents: null };
    expectRows(rowsOf(home.rows, 'history'), [
      { line_number: 1, display: 'first', timestamp_ms: 1788256800000, pasted_contents: '{}' },
      { line_number: 2, ...torn, display: /^Parse error: Unterminated string/ },
      { line_number: 3, display: 'a\0b', timestamp_ms: 1788256800001, project: '/home/mira/tide' },
      { line_number: 4, display: '\ufffd', timestamp_ms: 1788256800002, session_id: 's' },
      { line_number: 5, ...torn, display: /^Parse error: .* JSON array, not an object$/ },
      { line_number: 6, ...torn, display: null, pasted_contents: '"x"' },
      { line_number: 8, display: 'last', timestamp_ms: null },
    ]);
  });

  it('give no day of statistics that are cut off', () => {
    expect(rowsOf(home.rows, 'stats')).toEqual([]);
  });
});
