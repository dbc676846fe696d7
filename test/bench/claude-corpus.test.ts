import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claude_corpus } from './claude-corpus.ts';
import { ensureCorpus } from './corpus.ts';
import { Tally, type Truth } from './truth.ts';

const MEGABYTES = 10;
let parent: string;
let directory: string;
let truth: Truth;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'ahq-corpus-'));
  directory = join(parent, `corpus-${MEGABYTES}`);
  truth = ensureCorpus(claude_corpus, parent, MEGABYTES, () => {}).truth;
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** A content block, as far as it is looked at here. */
interface Block {
  readonly type: string;
  readonly thinking?: string;
}

/** A record of the corpus, as far as it is looked at here. */
interface LineRecord {
  readonly type: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly requestId: string;
  readonly message: {
    readonly id: string;
    readonly content: string | readonly Block[];
    readonly usage: {
      readonly output_tokens: number;
      readonly cache_creation_input_tokens: number;
      readonly cache_creation: Readonly<{ [lifetime: string]: number }>;
    };
  };
}

function lines(): readonly Buffer[] {
  return truth.files.flatMap(file => {
    const bytes = readFileSync(join(directory, file.path));
    const found: Buffer[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(10, start);
      found.push(bytes.subarray(start, end));
      start = end + 1;
    }
    expect(found).toHaveLength(file.lines);
    return found;
  });
}

function records(): readonly LineRecord[] {
  return lines().map(line => JSON.parse(line.toString('utf8')) as LineRecord);
}

function byteLength(some: readonly Buffer[]): number {
  return some.reduce((sum, line) => sum + line.length, 0);
}

function count(values: readonly string[]): { [value: string]: number } {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The rows of block mode, decided again from the finished record. */
function rowKinds(record: LineRecord): readonly string[] {
  if (record.type !== 'user' && record.type !== 'assistant') return [record.type];
  const { content } = record.message;
  if (typeof content === 'string') return ['user'];
  const of = (type: string) => content.filter(block => block.type === type);
  if (record.type === 'user') {
    const results = of('tool_result').map(() => 'tool_result');
    return results.length < content.length ? ['user', ...results] : results;
  }
  const thoughts = of('thinking').filter(block => block.thinking !== '');
  const later_calls = of('tool_use').slice(1);
  return ['assistant', ...thoughts.map(() => 'thinking'), ...later_calls.map(() => 'tool_use')];
}

test('the truth equals a count of the finished files', () => {
  const all = records();
  const messages = all.flatMap(record => ('message' in record ? [record.message] : []));
  expect(truth.bytes).toBe(byteLength(lines()) + all.length);
  expect(truth.lines).toBe(all.length);
  expect(truth.records_by_type).toEqual(count(all.map(record => record.type)));
  expect(truth.blocks_by_type).toEqual(
    count(
      messages.flatMap(({ content }) =>
        typeof content === 'string' ? ['string'] : content.map(block => block.type),
      ),
    ),
  );
  const rows = all.flatMap(rowKinds);
  expect(truth.block_rows).toBe(rows.length);
  expect(truth.block_rows_by_kind).toEqual(count(rows));
});

test('the truth sums a model call by its line with the largest output', () => {
  const largest = new Map<string, number>();
  let line_sum = 0;
  for (const { type, message, requestId } of records()) {
    if (type !== 'assistant') continue;
    const { output_tokens } = message.usage;
    const key = `${message.id} ${requestId}`;
    largest.set(key, Math.max(largest.get(key) ?? 0, output_tokens));
    line_sum += output_tokens;
  }
  expect(truth.line_output_tokens).toBe(line_sum);
  expect(truth.model_calls).toBe(largest.size);
  expect(truth.model_call_tokens.output).toBe([...largest.values()].reduce((a, b) => a + b));
});

test('cache lifetimes add up to the cache writes, and parents come before their children', () => {
  const seen = new Set<string>();
  for (const { type, message, uuid, parentUuid } of records()) {
    if (type === 'assistant') {
      const { cache_creation, cache_creation_input_tokens } = message.usage;
      const lifetimes = Object.values(cache_creation).reduce((a, b) => a + b);
      expect(lifetimes).toBe(cache_creation_input_tokens);
    }
    if (typeof parentUuid === 'string') expect(seen).toContain(parentUuid);
    if (uuid !== undefined) seen.add(uuid);
  }
});

test('size, encodings, long lines and entropy are near those of real transcripts', () => {
  const all = lines();
  const share = (some: readonly Buffer[]) => byteLength(some) / byteLength(all);
  const non_ascii = all.filter(line => line.some(byte => byte > 127));
  const escaped = all.filter(line => /\\u(?!00[0-7])/.test(line.toString('latin1')));
  const gzip_factor = byteLength(all) / gzipSync(Buffer.concat(all), { level: 6 }).length;
  const near_size = {
    bytes: truth.bytes / (MEGABYTES * 1e6),
    lines: truth.lines / MEGABYTES / 344,
  };
  expect(near_size.bytes).toBeCloseTo(1, 1);
  expect(near_size.lines).toBeCloseTo(1, 0);
  expect(non_ascii.length / all.length).toBeGreaterThan(0.22);
  expect(non_ascii.length / all.length).toBeLessThan(0.28);
  expect(share(non_ascii)).toBeGreaterThan(0.45);
  expect(share(non_ascii)).toBeLessThan(0.65);
  expect(share(escaped)).toBeGreaterThan(0.01);
  expect(share(escaped)).toBeLessThan(0.05);
  expect(Math.max(...all.map(line => line.length))).toBeGreaterThan(900_000);
  expect(gzip_factor).toBeGreaterThan(3);
  expect(gzip_factor).toBeLessThan(6);
});

test('a complete corpus is used again and a damaged one written anew, byte for byte', () => {
  const notes: string[] = [];
  const again = () =>
    ensureCorpus(claude_corpus, parent, MEGABYTES, text => notes.push(text)).truth;
  const first = lines();
  expect(again()).toEqual(truth);
  expect(notes).toEqual([]);
  truncateSync(join(directory, truth.files[3]?.path ?? ''), 5);
  expect(again()).toEqual(truth);
  expect(notes).toHaveLength(1);
  expect(Buffer.concat(lines()).equals(Buffer.concat(first))).toBe(true);
});

test('the tally gives rows by the content of a record', () => {
  const tally = new Tally();
  const call = { type: 'tool_use' } as const;
  tally.assistant(
    [{ type: 'thinking' }, { type: 'thinking', is_empty: true }, call, call, call],
    7,
  );
  tally.user([{ type: 'tool_result' }, { type: 'tool_result' }, { type: 'text' }]);
  const counted = tally.truth('test 1', []);
  expect(counted.block_rows_by_kind).toEqual({
    assistant: 1,
    thinking: 1,
    tool_use: 2,
    tool_result: 2,
    user: 1,
  });
});
