/**
 * What a shell command is about: the name of its program, and the host it works on.
 *
 * Of a command only these names are told, never its arguments. `cd /srv && sudo make` is about
 * make; `ssh ada@Build-1 -- systemctl restart` works on build-1, and there on systemctl.
 */

import { commandsIn } from './commands.ts';
import { baseName } from './program.ts';

const VERB_BYTES_MAX = 64;

/**
 * The text of a command that is a string or a list of words: `[bash, -lc, X]` is X, other lists
 * are quoted and joined. Null for anything else.
 */
export function commandText(input: unknown): string | null {
  if (typeof input === 'string') return input;
  if (!Array.isArray(input) || input.length === 0) return null;
  const words = input.filter(word => typeof word === 'string');
  if (words.length < input.length) return null;
  const [shell = '', flag = '', script] = words;
  const isScript = SHELL.test(baseName(shell)) && (flag === '-c' || flag === '-lc');
  return isScript && script !== undefined ? script : words.map(quoted).join(' ');
}

const SHELL = /^(?:ba|z)?sh$/;

function quoted(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}

/**
 * The name of the first program that a command runs, at most 64 bytes of it. Null when it runs
 * none, is no command, or has a quote without an end.
 */
export function commandVerb(command: unknown): string | null {
  const text = commandText(command);
  return text === null ? null : verbOf(commandsIn(text)[0]);
}

function verbOf(words: readonly string[] | undefined): string | null {
  const name = baseName(words?.[0] ?? '');
  let end = Math.min(name.length, VERB_BYTES_MAX);
  // A character is not cut in two: a byte 0x80-0xBF goes on with the one before it.
  while (end > 0 && end < name.length && isContinuation(name, end)) end--;
  return name.slice(0, end) || null;
}

function isContinuation(wire: string, at: number): boolean {
  const code = wire.charCodeAt(at);
  return code >= 0x80 && code < 0xc0;
}

/** A host, and the program that runs there; null where that is a shell or a copy. */
export interface SshTarget {
  readonly host: string;
  readonly verb: string | null;
}

/**
 * The first host that a command reaches by ssh, mosh, scp, rsync or sftp. Null when it reaches
 * none, or one whose name only the shell knows (`ssh $host`).
 */
export function sshTarget(command: unknown): SshTarget | null {
  const text = commandText(command);
  for (const words of text === null ? [] : commandsIn(text)) {
    const found = targetOf(words);
    if (found !== null) return found;
  }
  return null;
}

function targetOf(words: readonly string[]): SshTarget | null {
  switch (baseName(words[0] ?? '')) {
    case 'ssh':
    case 'mosh':
      return loginTarget(words.slice(1));
    case 'tailscale':
      return words[1] === 'ssh' ? loginTarget(words.slice(2)) : null;
    case 'scp':
    case 'rsync':
    case 'sftp':
      return copyTarget(words.slice(1));
    default:
      return null;
  }
}

/** Flags of ssh that take a value: the rest of their word, or the next one. */
const VALUE_FLAGS = 'bcDEeFIiJLlmOopQRSWw';

function loginTarget(words: readonly string[]): SshTarget | null {
  const hostIndex = afterSshFlags(words, 0);
  const host = cleanHost(words[hostIndex] ?? '');
  if (host === null) return null;
  // Flags may follow the host as well; what ends them is `--` or the remote command.
  const rest = words.slice(afterSshFlags(words, hostIndex + 1));
  return { host, verb: verbOf(commandsIn(rest.join(' '))[0]) };
}

function afterSshFlags(words: readonly string[], start: number): number {
  let at = start;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (word === '--') return at + 1;
    if (!word.startsWith('-')) return at;
    at += takesNextWord(word) ? 2 : 1;
  }
  return words.length;
}

function takesNextWord(word: string): boolean {
  if (word.startsWith('--')) return false;
  for (let at = 1; at < word.length; at++) {
    if (VALUE_FLAGS.includes(word[at] ?? ' ')) return at === word.length - 1;
  }
  return false;
}

/** `[user@]host:` that does not begin like a path, and is no URL. */
const REMOTE = /^(?:[^@:/\s]+@)?(\[[^\]]+\]|[^@:/[\s]{2,}):(?!\/\/)/;

function copyTarget(words: readonly string[]): SshTarget | null {
  for (const word of words) {
    const isFlagOrPath = /^(?:-|~|\.?\/)/.test(word);
    const host = isFlagOrPath ? undefined : REMOTE.exec(word)?.[1];
    if (host === undefined) continue;
    const clean = cleanHost(host);
    return clean === null ? null : { host: clean, verb: null };
  }
  return null;
}

/** The name of a host alone, in small letters; null for what is not a plain name or address. */
function cleanHost(word: string): string | null {
  const bare = word.replace(/^ssh:\/\//i, '');
  const host = bare.slice(bare.lastIndexOf('@') + 1);
  const bracketed = /^\[([^[\]]+)\](?::[0-9]+)?$/.exec(host)?.[1];
  const name = (bracketed ?? host.replace(/^([^:]+):[0-9]+$/, '$1')).toLowerCase();
  return /^[a-z0-9._:-]{2,120}$/.test(name) ? name : null;
}
