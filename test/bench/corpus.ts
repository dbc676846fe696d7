/**
 * Corpora: made once under `.bench/`, used again as long as they are complete and of this version.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Truth } from './truth.ts';

/** How to make the corpus of one harness; a second harness is a second value of this type. */
export interface CorpusGenerator {
  /** Name and version, such as `claude 1`: a new version replaces the corpora of the old one. */
  readonly generator: string;
  /** The `source` parameter of the table functions. */
  readonly source: string;
  /** Start of the corpus folder's name, completed by the size: `corpus` gives `corpus-500`. */
  readonly folder: string;
  /** The home of the harness inside the corpus folder, such as `.claude`. */
  readonly home: string;
  /** Where the lines lie, as a glob inside the home. */
  readonly transcripts: string;
  /** Writes about `byte_length` bytes of transcripts below `directory`. */
  readonly write: (directory: string, byte_length: number) => Truth;
}

/** A corpus on disk. */
export interface Corpus {
  readonly megabytes: number;
  readonly source: string;
  /** The harness home: what the table functions get as `path`. */
  readonly home: string;
  /** A glob for DuckDB's own reader: the same files. */
  readonly transcripts: string;
  readonly truth: Truth;
}

/** The corpus of this size (1 MB = 1,000,000 bytes) below `parent`, written if it is not there. */
export function ensureCorpus(
  generator: CorpusGenerator,
  parent: string,
  megabytes: number,
  note: (text: string) => void,
): Corpus {
  const directory = join(parent, `${generator.folder}-${megabytes}`);
  const truth = completeTruth(generator, directory) ?? write(generator, directory, megabytes, note);
  const home = join(directory, generator.home);
  const transcripts = join(home, generator.transcripts);
  return { megabytes, source: generator.source, home, transcripts, truth };
}

function write(
  generator: CorpusGenerator,
  directory: string,
  megabytes: number,
  note: (text: string) => void,
): Truth {
  note(`writing ${megabytes} MB to ${directory}`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const truth = generator.write(directory, megabytes * 1_000_000);
  writeFileSync(truthPath(directory), `${JSON.stringify(truth, null, 2)}\n`);
  return truth;
}

/** The truth of a corpus whose files are all there with their sizes; null means: write it anew. */
function completeTruth(generator: CorpusGenerator, directory: string): Truth | null {
  if (!existsSync(truthPath(directory))) return null;
  const truth = JSON.parse(readFileSync(truthPath(directory), 'utf8')) as Truth;
  const is_complete =
    truth.generator === generator.generator &&
    truth.files.every(file => {
      const found = statSync(join(directory, file.path), { throwIfNoEntry: false });
      return found?.size === file.bytes;
    });
  return is_complete ? truth : null;
}

function truthPath(directory: string): string {
  return join(directory, 'truth.json');
}
