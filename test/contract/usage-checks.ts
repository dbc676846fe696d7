/** The contract about usage: sums over model calls are what a short script finds in the records. */

import type { ObjectRow } from '../../src/index.ts';
import { byFile, placeOf } from './address-checks.ts';
import type { Home } from './home.ts';
import { at, isSame, type RawRecord, textIn, transcriptRecords } from './records.ts';
import { type HomeRows, rowsOf } from './rows.ts';

const BUCKETS = [
  ...(['input_uncached', 'cache_read', 'cache_write_5m', 'cache_write_1h'] as const),
  ...(['output', 'reasoning'] as const),
];

/** Counts of tokens; 0 also for what is unknown, since sums are compared. */
type Sums = Record<(typeof BUCKETS)[number], number>;

/** The sums of a transcript's model calls, by the name of the call. */
type Script = (path: string, records: readonly RawRecord[]) => ReadonlyMap<string, Sums>;

/** Problems of sums of usage that differ from what the script for the harness finds in a file. */
export function wrongUsage(home: Home, rows: HomeRows): string[] {
  const script = SCRIPTS[home.harness.description.name];
  if (!script) return [];
  const copying = rowsOf(rows, 'session').filter(row => Number(row['inherited_skipped']) > 0);
  const copies = new Set<unknown>(copying.map(row => row['file_path']));
  const calls = byFile(rowsOf(rows, 'llm_call'));
  const counted = new Set<string>();
  return [...transcriptRecords(home, rows)].flatMap(([path, records]) => {
    // A call that stands in several files counts in the first.
    const own = [...script(path, records)].filter(([call]) => !counted.has(call));
    for (const [call] of own) counted.add(call);
    return BUCKETS.flatMap(bucket => {
      const wanted = sum(own.map(([, usage]) => usage[bucket]));
      const found = sum((calls.get(path) ?? []).map(row => Number(row[bucket])));
      // Which of the first records are copies, the script cannot tell: they only add to its sum.
      const isRight = copies.has(path) ? found <= wanted : found === wanted;
      return isRight ? [] : [`${path}: ${bucket} is ${found}, not ${wanted}`];
    });
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, more) => total + more, 0);
}

/** No call, but what a session used beyond its calls, whose reasoning was not told. */
const REST = 'usage:session_shutdown';

/** Problems of model calls that used less than nothing, or reasoned more than they put out. */
export function impossibleUsage(_home: Home, rows: HomeRows): string[] {
  return rowsOf(rows, 'llm_call').flatMap(row => {
    const negative = BUCKETS.filter(bucket => row[bucket] !== null && Number(row[bucket]) < 0);
    const problems = negative.map(bucket => `${placeOf(row)}: ${bucket} is ${row[bucket]}`);
    return isWithin(row) ? problems : [...problems, `${placeOf(row)}: reasoning is over output`];
  });
}

function isWithin({ output, reasoning, stop_reason: reason }: ObjectRow): boolean {
  if (output === null || reasoning === null || reason === REST) return true;
  return Number(output) >= Number(reasoning);
}

/** A count as it is recorded; anything but an integer from 0 on is unknown. */
function countIn(value: unknown, ...names: readonly string[]): number | null {
  const count = at(value, ...names);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** The line with the most output counts, the later on a tie. */
function claudeUsage(path: string, records: readonly RawRecord[]): Map<string, Sums> {
  const calls = new Map<string, Sums>();
  const most = new Map<string, number>();
  for (const { value, event } of records) {
    const usage = at(value, 'message', 'usage');
    if (at(value, 'type') !== 'assistant' || typeof usage !== 'object') continue;
    const own = textIn(at(value, 'uuid')) ?? `${path}@${event['byte_offset']}`;
    const call = textIn(at(value, 'message', 'id')) ?? own;
    const output = countIn(usage, 'output_tokens');
    if ((output ?? -1) < (most.get(call) ?? -1)) continue;
    most.set(call, output ?? -1);
    const hour = countIn(usage, 'cache_creation', 'ephemeral_1h_input_tokens') ?? 0;
    const parts = hour + (countIn(usage, 'cache_creation', 'ephemeral_5m_input_tokens') ?? 0);
    const flat = countIn(usage, 'cache_creation_input_tokens') ?? 0;
    calls.set(call, {
      input_uncached: countIn(usage, 'input_tokens') ?? 0,
      cache_read: countIn(usage, 'cache_read_input_tokens') ?? 0,
      cache_write_5m: Math.max(flat, parts) - hour,
      cache_write_1h: hour,
      output: output ?? 0,
      reasoning: countIn(usage, 'output_tokens_details', 'thinking_tokens') ?? 0,
    });
  }
  return calls;
}

const FIRST_WITH_RECORDS = 153;

/** A total counts where it is another than before; from the first usage record on, only those. */
function codexUsage(path: string, records: readonly RawRecord[]): Map<string, Sums> {
  const calls = new Map<string, Sums>();
  const first = records.find(({ value }) => at(value, 'type') === 'session_meta');
  const thread = at(first?.value, 'payload', 'id') ?? path;
  const version = String(at(first?.value, 'payload', 'cli_version'));
  let hasRecords = Number(/^0\.(\d+)/.exec(version)?.[1] ?? 0) >= FIRST_WITH_RECORDS;
  let total: unknown;
  for (const { value, event } of records) {
    const payload = at(value, 'payload');
    const name = `${thread}@${event['byte_offset']}`;
    if (at(value, 'type') === 'token_usage_record') {
      const usage = at(payload, 'usage') ?? at(payload, 'token_usage');
      const isOther = (at(payload, 'thread_id') ?? thread) !== thread;
      const isCall = (at(payload, 'scope') ?? 'response') === 'response' && !isOther;
      if (!isCall || usage === undefined) continue;
      hasRecords = true;
      calls.set(textIn(at(payload, 'response_id')) ?? name, codexSums(usage));
    } else if (at(payload, 'type') === 'token_count') {
      const info = at(payload, 'info') ?? payload;
      const [before, now] = [total, at(info, 'total_token_usage')];
      total = now ?? before;
      if (hasRecords || (now !== undefined && isSame(now, before))) continue;
      const last = at(info, 'last_token_usage');
      calls.set(name, last ? codexSums(last) : difference(codexSums(now), codexSums(before)));
    }
  }
  return calls;
}

/** What a total grew by; one that fell begins anew. */
function difference(now: Sums, before: Sums): Sums {
  const since = { ...now };
  if (now.output < before.output) return now;
  for (const bucket of BUCKETS) since[bucket] -= before[bucket];
  return since;
}

const CODEX_NAMES = {
  read: ['cached_input_tokens', 'cache_read_input_tokens'],
  write: ['cache_write_input_tokens', 'cache_creation_input_tokens'],
};

function codexSums(usage: unknown): Sums {
  const first = (names: readonly string[]) =>
    names.map(name => countIn(usage, name)).find(count => count !== null) ?? 0;
  const [read, write] = [first(CODEX_NAMES.read), first(CODEX_NAMES.write)];
  return {
    input_uncached: Math.max((countIn(usage, 'input_tokens') ?? 0) - read - write, 0),
    cache_read: read,
    cache_write_5m: write,
    cache_write_1h: 0,
    output: countIn(usage, 'output_tokens') ?? 0,
    reasoning: countIn(usage, 'reasoning_output_tokens') ?? 0,
  };
}

/** Every answer counts, and every entry about a call aside; of one identifier the larger output. */
function piUsage(path: string, records: readonly RawRecord[]): Map<string, Sums> {
  const calls = new Map<string, Sums>();
  for (const { value, event } of records) {
    const isAnswer = at(value, 'message', 'role') === 'assistant';
    const usage = isAnswer ? at(value, 'message', 'usage') : at(value, 'usage');
    const entry = textIn(at(value, 'id')) ?? event['byte_offset'];
    const call = textIn(at(value, 'message', 'responseId')) ?? `${path}@${entry}`;
    const output = countIn(usage, 'output') ?? 0;
    if (typeof usage !== 'object' || output < (calls.get(call)?.output ?? 0)) continue;
    calls.set(call, {
      input_uncached: countIn(usage, 'input') ?? 0,
      cache_read: countIn(usage, 'cacheRead') ?? 0,
      cache_write_5m: countIn(usage, 'cacheWrite') ?? 0,
      cache_write_1h: 0,
      output,
      reasoning: countIn(usage, 'reasoning') ?? 0,
    });
  }
  return calls;
}

/** The harnesses whose records tell usage without the help of files beside them. */
const SCRIPTS: Readonly<Record<string, Script>> = {
  claude: claudeUsage,
  'claude-desktop': claudeUsage,
  codex: codexUsage,
  pi: piUsage,
};
