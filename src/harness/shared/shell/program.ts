/**
 * Which word of a simple command is the program.
 *
 * Before it stand assignments (`NAME=value`) and wrappers, programs that run the rest of the
 * command: `sudo -u ada env A=1 timeout 5m git push` runs git. A wrapper's flags belong to it, and
 * so do the numbers and durations among them.
 */

import { member } from '../../../bytes/json.ts';

/** Wrappers, each with its flags that take the next word. */
const WRAPPERS: Readonly<Record<string, string>> = {
  sudo: '-u -g -C -h -p -U -r -t',
  env: '-u -C',
  time: '-f -o',
  nice: '-n',
  nohup: '',
  exec: '-a',
  command: '',
  timeout: '-k -s',
  gtimeout: '-k -s',
  caffeinate: '-t -w',
  ionice: '-c -n',
  chrt: '-T -P -D',
  xargs: '-I -n -P -L -d -E -a -s',
  npx: '-p --package',
  bunx: '-p --package',
  stdbuf: '-i -o -e',
};

const UV_RUN_FLAGS =
  '--with --with-editable --with-requirements --python --project --directory --extra --group ' +
  '--package --env-file -p -w';

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/;
const NUMBER_OR_DURATION = /^[0-9]+(?:\.[0-9]+)?[smhd]?$/;

/** The index of the program among the words of a simple command; their number if none. */
export function programIndex(words: readonly string[]): number {
  let at = 0;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const name = baseName(word);
    const flags = member(WRAPPERS, name);
    if (ASSIGNMENT.test(word)) at++;
    else if (name === 'uv' && words[at + 1] === 'run') at = afterFlags(words, at + 2, UV_RUN_FLAGS);
    else if (typeof flags === 'string') at = afterFlags(words, at + 1, flags);
    else return at;
  }
  return words.length;
}

/** The index of the first word, from `start`, that is neither a flag nor belongs to one. */
function afterFlags(words: readonly string[], start: number, withValue: string): number {
  const takesValue = new Set(withValue.split(' '));
  let at = start;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (word === '--') return at + 1;
    if (takesValue.has(word)) at += 2;
    else if (word.startsWith('-') || NUMBER_OR_DURATION.test(word)) at++;
    else return at;
  }
  return words.length;
}

/** The last part of a path. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

const SHELLS = ['bash', 'sh', 'zsh'];
/** Scripts in scripts, `bash -c "bash -c ..."`, are followed to this depth. */
export const SCRIPT_DEPTH_MAX = 10;

/** A script that a shell got as an argument: `bash -euo pipefail -c '...'`. */
export interface InlineScript {
  readonly text: string;
  readonly hasPipefail: boolean;
}

/** The script that the words of a simple command, from the program on, give to a shell. */
export function inlineScript(words: readonly string[]): InlineScript | null {
  if (!SHELLS.includes(baseName(words[0] ?? ''))) return null;
  const options: string[] = [];
  let isScript = false;
  let at = 1;
  for (let word = words[at]; word !== undefined && /^[-+]./.test(word); word = words[at]) {
    at++;
    // Long ones, such as --login, say nothing here; only those that name a file take a value.
    if (word.startsWith('--')) at += word === '--rcfile' || word === '--init-file' ? 1 : 0;
    if (word.startsWith('--')) continue;
    if (word.startsWith('-') && word.includes('c')) isScript = true;
    for (const letter of word) {
      if (letter === 'o' || letter === 'O') options.push(`${word[0]}${words[at++] ?? ''}`);
    }
  }
  const text = words[at];
  if (!isScript || text === undefined) return null;
  return { text, hasPipefail: options.includes('-pipefail') };
}
