/** What a shell keeps from one command to the next, as far as exit statuses depend on it. */

/** A shell while its commands are read; a subshell begins as a copy. */
export interface Shell {
  /** Whether `set -o pipefail` holds for certain. */
  hasPipefail: boolean;
  /** Whether the commands that come now may not be reached, and the exit status still be 0. */
  mayHaveLeft: boolean;
  /** Whether the next pipeline only runs if the one before it failed. */
  followsFailure: boolean;
}

/** Whether `pipefail` holds after a simple command: `set -euo pipefail`, `set +o pipefail`. */
export function pipefailAfter(words: readonly string[], before: boolean): boolean {
  if (words[0] !== 'set') return before;
  let isSet = before;
  for (let at = 1; /^[-+][^-]/.test(words[at] ?? ''); at++) {
    const sign = words[at]?.[0];
    for (const letter of words[at]?.slice(1) ?? '') {
      if (letter === 'o' && words[++at] === 'pipefail') isSet = sign === '-';
    }
  }
  return isSet;
}

/**
 * Whether a simple command may end the shell with status 0. `exit 1` cannot; neither can `exit`
 * alone behind `||`, which passes on the failure before it.
 */
export function mayLeave(words: readonly string[], followsFailure: boolean): boolean {
  // Without a program, `exec` only redirects.
  if (words[0] === 'exec') return words.length > 1;
  if (words[0] !== 'exit') return false;
  const status = words[1];
  if (status === undefined) return !followsFailure;
  return !/^[0-9]{1,9}$/.test(status) || Number(status) % 256 === 0;
}
