/** What a scan has to say beside its rows: problems and hints, each said once. */

import { systemCode } from '../errors.ts';

/** Receives one sentence for people. */
export type OnNote = (note: string) => void;

/** Collects the notes of one scan. */
export class Notes {
  readonly #onNote: OnNote;
  readonly #prefix: string;
  readonly #said = new Set<string>();

  /** `prefix` is the function that reads, for example `read_events`. */
  constructor(prefix: string, onNote: OnNote) {
    this.#prefix = prefix;
    this.#onNote = onNote;
  }

  /** Says a sentence, once. */
  add(sentence: string): void {
    if (this.#said.has(sentence)) return;
    this.#said.add(sentence);
    this.#onNote(`${this.#prefix}: ${sentence}`);
  }

  /** Says that a path could not be read, and why. */
  problem = (path: string, error: unknown): void => {
    this.add(`cannot read '${path}': ${reasonOf(error)}`);
  };
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it vanished',
  EISDIR: 'it is a folder',
  ELOOP: 'its links go in a circle',
  EMFILE: 'too many open files',
};

/** Why the system refused, in words with its code. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  const text = error instanceof Error ? error.message : String(error);
  if (code === null) return text;
  return Object.hasOwn(REASONS, code) ? `${REASONS[code]} (${code})` : text;
}
