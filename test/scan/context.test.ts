/** What parsers learn about the file they read, and about those beside it. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { member } from '../../src/bytes/json.ts';
import { toWire } from '../../src/bytes/text.ts';
import { Work } from '../../src/bytes/work.ts';
import type { Source } from '../../src/harness/harness.ts';
import { CompanionLines } from '../../src/scan/companion-lines.ts';
import { CompanionTables } from '../../src/scan/companion-tables.ts';
import { ScanContext } from '../../src/scan/context.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;
let work: Work;

beforeEach(() => {
  folder = makeFolder();
  work = new Work();
});
afterEach(() => removeFolder(folder));

const sourceAt = (path: string, companions: Source['companions'] = {}): Source => ({
  ...{ kind: 'transcript', form: 'lines', path, fileName: 'a.jsonl', byteLength: 1 },
  ...{ modifiedMs: 0, identity: '1:1', sessionId: null, facts: {}, companions },
});

const contextOf = (text: string) =>
  new ScanContext(sourceAt(writeFile(folder, 'a.jsonl', text)), work);

describe('the first record', () => {
  const isB = (value: unknown) => member(value, 'b') === 1;

  it('is the first that holds the needle and matches', () => {
    const context = contextOf('{"b":1}\n{"id":"x","b":2}\ntorn "id"\n{"id":"y","b":1}\n');
    expect(context.firstRecord('"id"', isB)).toEqual({ id: 'y', b: 1 });
  });

  it('is looked for once, and not further than it is', () => {
    const context = contextOf(`{"id":"x","b":1}\n${'{"id":"y","b":1}\n'.repeat(20_000)}`);
    expect(context.firstRecord('"id"', isB)).toBe(context.firstRecord('"id"', isB));
    expect([work.recordsParsed, work.filesOpened, work.bytesRead]).toEqual([1, 1, 65_536]);
  });

  it('that is not there, or in a file that is not there, is undefined', () => {
    expect(contextOf('{"b":1}\n').firstRecord('"id"', isB)).toBeUndefined();
    const gone = new ScanContext(sourceAt(`${folder}/gone.jsonl`), work);
    expect(gone.firstRecord('"id"', isB)).toBeUndefined();
  });
});

describe('a companion of lines', () => {
  const lines = '{"id":"a","n":1}\n\n{"id":"é","n":2}\n{"id":"a","n":3}\n';
  const beside = (text: string) => ({ index: writeFile(folder, 'index.jsonl', text) });

  it('answers with the last line of a key', () => {
    const context = new ScanContext(sourceAt(folder, beside(lines)), work);
    expect(context.companionLine('index', 'id', 'a')).toEqual({ id: 'a', n: 3 });
    expect(context.companionLine('index', 'id', toWire('é'))).toEqual({ id: toWire('é'), n: 2 });
    expect(context.companionLine('index', 'id', 'b')).toBeNull();
    expect(context.companionProblem('index')).toBeNull();
  });

  it('is read once for all sources of a scan', () => {
    const companions = beside(lines);
    const shared = new CompanionLines();
    for (let source = 0; source < 5; source++) {
      const given = sourceAt(folder, companions);
      const context = new ScanContext(given, work, new CompanionTables(), shared);
      context.companionLine('index', 'id', 'a');
    }
    expect(work.filesOpened).toBe(1);
  });

  it('with lines that have no key tells so, and answers from the others', () => {
    const context = new ScanContext(sourceAt(folder, beside(`[1]\n${lines}{"id":5}\n{`)), work);
    expect(context.companionLine('index', 'id', 'a')).toEqual({ id: 'a', n: 3 });
    expect(context.companionProblem('index')).toBe(
      'index.jsonl:1 has no string id, and 2 more such lines',
    );
  });

  it('that is not there is no problem', () => {
    const context = new ScanContext(sourceAt(folder, { index: `${folder}/none.jsonl` }), work);
    expect(context.companionLine('index', 'id', 'a')).toBeNull();
    expect(context.companionLine('other', 'id', 'a')).toBeNull();
    expect(context.companionProblem('index')).toBeNull();
  });
});
