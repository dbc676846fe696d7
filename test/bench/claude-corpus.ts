/**
 * An invented Claude Code home: 5 projects, 20 sessions of different lengths, deterministic.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeSession } from './claude-session.ts';
import type { CorpusGenerator } from './corpus.ts';
import { LineWriter } from './line-writer.ts';
import { Random } from './random.ts';
import { TextPools } from './text.ts';
import { type CorpusFile, Tally, type Truth } from './truth.ts';

const HOME = '.claude';
const SEED = 20_260_105;
/** A turn with a line of 1 MB about every so many bytes. */
const LONG_LINE_EVERY_BYTES = 25_000_000;
const project_names = ['ledger', 'harbour-map', 'seedbank', 'tidepool', 'quill-press'] as const;
/** Relative lengths of the four sessions of a project: files of one home differ widely. */
const session_weights = [1, 2, 4, 9] as const;

/** Claude Code transcripts in the shapes and proportions of real ones. */
export const claude_corpus: CorpusGenerator = {
  generator: 'claude 3',
  source: 'claude',
  folder: 'corpus',
  home: HOME,
  transcripts: 'projects/*/*.jsonl',
  write: writeClaudeCorpus,
};

function writeClaudeCorpus(directory: string, byte_length: number): Truth {
  const pools = new TextPools(new Random(SEED));
  const tally = new Tally();
  const files: CorpusFile[] = [];
  const weight_of_project = session_weights.reduce((sum, weight) => sum + weight, 0);
  const bytes_per_weight = byte_length / (weight_of_project * project_names.length);
  let bytes_due = 0;
  let bytes_written = 0;
  for (const project of project_names) {
    for (const weight of session_weights) {
      bytes_due += weight * bytes_per_weight;
      const random = new Random(SEED + 1 + files.length);
      const plan = { directory, project, random, pools, tally, bytes_written, bytes_due };
      const file = writeSession(plan);
      bytes_written += file.bytes;
      files.push(file);
    }
  }
  return tally.truth(claude_corpus.generator, files);
}

/** One session file and where it begins and ends in the bytes of the whole corpus. */
interface SessionPlan {
  readonly directory: string;
  readonly project: string;
  readonly random: Random;
  readonly pools: TextPools;
  readonly tally: Tally;
  readonly bytes_written: number;
  readonly bytes_due: number;
}

function writeSession(plan: SessionPlan): CorpusFile {
  const { random, pools, tally, bytes_written, bytes_due } = plan;
  const cwd = `/home/dev/work/${plan.project}`;
  const session_id = random.uuid();
  const folder = join(HOME, 'projects', cwd.replaceAll('/', '-'));
  const path = join(folder, `${session_id}.jsonl`);
  mkdirSync(join(plan.directory, folder), { recursive: true });
  const writer = new LineWriter(join(plan.directory, path));
  const is_new_version = random.chance(0.7);
  const setting = { random, pools, writer, tally, session_id, cwd, is_new_version };
  const session = new ClaudeSession(setting);
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
