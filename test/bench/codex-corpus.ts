/**
 * An invented Codex home: 20 sessions of different lengths on as many days, deterministic; plain or
 * compressed.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compress } from '../support/zstd.ts';
import { CodexSession } from './codex-session.ts';
import { CodexTally } from './codex-tally.ts';
import type { CorpusGenerator } from './corpus.ts';
import { LineWriter } from './line-writer.ts';
import { Random } from './random.ts';
import { TextPools } from './text.ts';
import type { CorpusFile, Truth } from './truth.ts';

const HOME = '.codex';
const SEED = 20_260_512;
/** A turn with a line of 1 MB about every so many bytes. */
const LONG_LINE_EVERY_BYTES = 25_000_000;
const SESSIONS = 20;
/** Relative lengths: files of one home differ widely. */
const session_weights = [1, 2, 4, 9] as const;
const FIRST_DAY_MS = Date.UTC(2026, 4, 1, 8);
const DAY_MS = 86_400_000;

/** Codex rollouts in the shapes and proportions of real ones. */
export const codex_corpus: CorpusGenerator = {
  generator: 'codex 2',
  source: 'codex',
  folder: 'codex',
  home: HOME,
  transcripts: 'sessions/*/*/*/*.jsonl',
  write: writeCodexCorpus,
};

/** The same rollouts compressed, one frame a file, as Codex leaves them after some days. */
export const codex_zst_corpus: CorpusGenerator = {
  ...codex_corpus,
  generator: 'codex-zst 1',
  folder: 'codex-zst',
  transcripts: 'sessions/*/*/*/*.jsonl.zst',
  write: writeCompressedCorpus,
};

function writeCodexCorpus(directory: string, byte_length: number): Truth {
  const pools = new TextPools(new Random(SEED));
  const tally = new CodexTally();
  const files: CorpusFile[] = [];
  const rounds = SESSIONS / session_weights.length;
  const weight_of_round = session_weights.reduce((sum, weight) => sum + weight, 0);
  const bytes_per_weight = byte_length / (weight_of_round * rounds);
  let bytes_due = 0;
  let bytes_written = 0;
  for (let index = 0; index < SESSIONS; index += 1) {
    bytes_due += (session_weights[index % session_weights.length] ?? 1) * bytes_per_weight;
    const file = writeSession({ directory, index, pools, tally, bytes_written, bytes_due });
    bytes_written += file.bytes;
    files.push(file);
  }
  return tally.truth(codex_corpus.generator, files);
}

/** The truth stays that of the plain bytes; files are told with their compressed sizes. */
function writeCompressedCorpus(directory: string, byte_length: number): Truth {
  const truth = writeCodexCorpus(directory, byte_length);
  const files = truth.files.map(file => {
    const plain = join(directory, file.path);
    const packed = compress(readFileSync(plain));
    writeFileSync(`${plain}.zst`, packed);
    rmSync(plain);
    return { ...file, path: `${file.path}.zst`, bytes: packed.length };
  });
  return { ...truth, generator: codex_zst_corpus.generator, files };
}

/** One session file and where it begins and ends in the bytes of the whole corpus. */
interface SessionPlan {
  readonly directory: string;
  readonly index: number;
  readonly pools: TextPools;
  readonly tally: CodexTally;
  readonly bytes_written: number;
  readonly bytes_due: number;
}

function writeSession(plan: SessionPlan): CorpusFile {
  const { directory, index, pools, tally, bytes_written, bytes_due } = plan;
  const random = new Random(SEED + 1 + index);
  const start_ms = FIRST_DAY_MS + index * DAY_MS + random.below(3_600_000);
  const session_id = random.uuid();
  const [day = '', time = ''] = new Date(start_ms).toISOString().split('T');
  const name = `rollout-${day}T${time.slice(0, 8).replaceAll(':', '-')}-${session_id}.jsonl`;
  const path = join(HOME, 'sessions', ...day.split('-'), name);
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  const writer = new LineWriter(join(directory, path));
  const session = new CodexSession({ random, pools, writer, tally, session_id, start_ms });
  let long_lines = Math.floor(bytes_written / LONG_LINE_EVERY_BYTES + 0.7);
  while (bytes_written + writer.byteLength < bytes_due) {
    const position = bytes_written + writer.byteLength;
    const long_lines_due = Math.floor(position / LONG_LINE_EVERY_BYTES + 0.7);
    session.writeTurn(long_lines_due > long_lines);
    long_lines = long_lines_due;
  }
  writer.close();
  return { path, bytes: writer.byteLength, lines: writer.lineCount };
}
