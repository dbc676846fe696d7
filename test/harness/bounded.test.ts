/** What a parser remembers is bounded, and stays what it is as JSON. */

import { expect, it } from 'vitest';
import {
  type Bounded,
  entriesOf,
  forget,
  nothing,
  recall,
  remember,
} from '../../src/harness/shared/bounded.ts';

/** As it is kept between two runs. */
function kept(all: Bounded<number>): Bounded<number> {
  return JSON.parse(JSON.stringify(all));
}

it('is found under its name, whatever that means to JavaScript', () => {
  const all = nothing<number>();
  const names = ['__proto__', 'constructor', '7', '3', ''];
  for (const name of names) expect(recall(all, name)).toBeNull();
  for (const [index, name] of names.entries()) remember(all, name, index);
  expect(entriesOf(kept(all))).toEqual(names.map((name, index) => [name, index]));
  expect(names.map(name => recall(kept(all), name))).toEqual([0, 1, 2, 3, 4]);
});

it('is replaced, and forgotten once', () => {
  const all = nothing<number>();
  remember(all, 'a', 1);
  remember(all, 'a', 2);
  expect([all.size, forget(all, 'a'), forget(all, 'a'), all.size]).toEqual([1, 2, null, 0]);
});

it('is forgotten when 2,048 others came after it, also across two runs', () => {
  let all = nothing<number>();
  for (let i = 0; i < 2048; i++) remember(all, `${i}`, i);
  expect(recall(all, '0')).toBe(0);
  all = kept(all);
  remember(all, 'last', -1);
  expect([recall(all, '0'), recall(all, '1'), recall(all, 'last')]).toEqual([null, 1, -1]);
  expect(entriesOf(all)).toHaveLength(2048);
});
