/** The clock that gives the lines of a Grok chat their times. */

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryAt } from '../../src/bytes/walk.ts';
import { Work } from '../../src/bytes/work.ts';
import { Clock, startClock } from '../../src/harness/grok/clock.ts';
import type { SourceContext } from '../../src/harness/harness.ts';
import { plainSource } from '../../src/harness/shared/sources.ts';
import { ScanContext } from '../../src/scan/context.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';
import { lines, time, update } from './grok-home.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

describe('the clock', () => {
  const KINDS = ['user_message_chunk', 'agent_message_chunk', 'tool_call', 'plan'];

  function contextOf(updates: readonly unknown[]): SourceContext {
    const file = writeFile(home, 'updates.jsonl', lines(...updates));
    const entry = entryAt(file, 'updates.jsonl');
    if (!entry) throw new Error('no file');
    const source = { ...plainSource('transcript', 'lines', entry), companions: { updates: file } };
    return new ScanContext(source, new Work());
  }

  it('gives what a search from the last hit gives, also after it was saved', () => {
    const kind = fc.constantFrom(...KINDS);
    const steps = fc.array(fc.tuple(fc.subarray(KINDS), fc.boolean()));
    fc.assert(
      fc.property(fc.array(kind), steps, (updates, wanted) => {
        const context = contextOf(updates.map((name, second) => update(second, name)));
        let clock = startClock(context);
        let from = 0;
        for (const [kinds, isSaved] of wanted) {
          const hit = updates.findIndex(
            (name, second) => second >= from && name !== 'plan' && kinds.includes(name),
          );
          if (isSaved) clock = new Clock(JSON.parse(JSON.stringify(clock.save())));
          expect(clock.next(kinds, context)).toBe(hit < 0 ? null : time(hit));
          if (hit >= 0) from = hit + 1;
        }
      }),
      { numRuns: 60 },
    );
  });

  it('passes over updates without a time that a date can hold', () => {
    const odd = [1e300, 'soon', null, 1.5].map(timestamp => ({
      ...update(0, 'tool_call'),
      timestamp,
    }));
    const context = contextOf([...odd, update(7, 'tool_call')]);
    expect(startClock(context).next(['tool_call'], context)).toBe(time(7));
  });
});
