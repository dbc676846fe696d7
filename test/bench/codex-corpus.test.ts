import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decompress } from '../support/zstd.ts';
import { codex_corpus, codex_zst_corpus } from './codex-corpus.ts';
import { type Corpus, ensureCorpus } from './corpus.ts';

const MEGABYTES = 20;
let parent: string;
let plain: Corpus;
let packed: Corpus;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'ahq-corpus-'));
  plain = ensureCorpus(codex_corpus, parent, MEGABYTES, () => {});
  packed = ensureCorpus(codex_zst_corpus, parent, MEGABYTES, () => {});
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** A record of the corpus, as far as it is looked at here. */
interface LineRecord {
  readonly type: string;
  readonly timestamp: string;
  readonly payload: {
    readonly type?: string;
    readonly role?: string;
    readonly message?: string;
    readonly content?: readonly { readonly text: string }[];
    readonly info?: {
      readonly total_token_usage: { readonly output_tokens: number };
      readonly last_token_usage: { readonly output_tokens: number };
    };
  };
}

/** The records of each file. */
function files(): readonly LineRecord[][] {
  return plain.truth.files.map(file => {
    const text = readFileSync(join(parent, `codex-${MEGABYTES}`, file.path), 'utf8');
    return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as LineRecord]));
  });
}

function count(values: readonly string[]): { [value: string]: number } {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The row of a record by block, decided again from the finished record; none for copies. */
function rowKind({ type, payload }: LineRecord): readonly string[] {
  if (type === 'session_meta' || type === 'turn_context') return [];
  if (payload.type === 'message') return [payload.role ?? ''];
  if (payload.type === 'user_message' || payload.type === 'agent_message') return [];
  return [payload.type === 'token_count' ? 'token_usage_total' : (payload.type ?? type)];
}

test('the truth equals a count of the finished files', () => {
  const all = files().flat();
  const { truth } = plain;
  expect(truth.lines).toBe(all.length);
  expect(truth.records_by_type).toEqual(count(all.map(({ type }) => type)));
  const rows = all.flatMap(rowKind);
  expect(truth.block_rows).toBe(rows.length);
  expect(truth.block_rows_by_kind).toEqual(count(rows));
});

test('every text of a person or the model stands in two records, next to each other', () => {
  for (const records of files()) {
    for (const [index, { payload }] of records.entries()) {
      if (payload.message === undefined) continue;
      const other = payload.type === 'user_message' ? index - 1 : index + 1;
      expect(records[other]?.payload.content?.[0]?.text).toBe(payload.message);
    }
  }
});

test('the truth counts a model call when the running total has moved', () => {
  let [calls, output, row_output] = [0, 0, 0];
  for (const records of files()) {
    let total = 0;
    for (const { payload } of records) {
      if (payload.info === undefined) continue;
      const { total_token_usage: now, last_token_usage: last } = payload.info;
      row_output += now.output_tokens;
      if (now.output_tokens === total) continue;
      expect(now.output_tokens - total).toBe(last.output_tokens);
      total = now.output_tokens;
      calls += 1;
      output += last.output_tokens;
    }
  }
  const { truth } = plain;
  expect([truth.model_calls, truth.model_call_tokens.output]).toEqual([calls, output]);
  expect(truth.line_output_tokens).toBe(row_output + output);
});

test('sizes and times are near those of real rollouts', () => {
  const { truth } = plain;
  expect(truth.bytes / (MEGABYTES * 1e6)).toBeGreaterThanOrEqual(1);
  expect(truth.bytes / (MEGABYTES * 1e6)).toBeLessThan(1.1);
  expect(truth.bytes / truth.lines).toBeGreaterThan(1400);
  expect(truth.bytes / truth.lines).toBeLessThan(2200);
  for (const records of files()) {
    const times = records.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort());
  }
});

test('the compressed corpus holds the same bytes', () => {
  for (const [index, file] of packed.truth.files.entries()) {
    const bytes = decompress(readFileSync(join(parent, `codex-zst-${MEGABYTES}`, file.path)));
    const original = plain.truth.files[index]?.path ?? '';
    expect(bytes.equals(readFileSync(join(parent, `codex-${MEGABYTES}`, original)))).toBe(true);
  }
  const { files: _files, generator: _generator, ...truth } = packed.truth;
  expect(plain.truth).toMatchObject(truth);
});
