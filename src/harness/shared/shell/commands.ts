/**
 * The simple commands that a command line mentions, in order, whether they run or not.
 *
 * Everything between two operators is one: conditions, bodies of loops, substitutions. Scripts of
 * `bash -c` are looked into. Commands that only prepare the shell (`cd`, `export`) are left out.
 */

import { baseName, inlineScript, programIndex, SCRIPT_DEPTH_MAX } from './program.ts';
import { shellTokens, type Token } from './words.ts';

/** They change the shell, or nothing: what a command is about comes after them. */
const PREPARATIONS = new Set('cd pushd popd export set source . unset local true :'.split(' '));
/** Keywords before a command. */
const BEFORE_COMMAND = new Set('if then elif else while until do done fi esac !'.split(' '));
/** Keywords before a name, or a word that is compared: no command follows them. */
const BEFORE_NAME = new Set('for select case function'.split(' '));

/** The words of each simple command, from its program on; none where the text is no command. */
export function commandsIn(command: string, depth = 0): readonly (readonly string[])[] {
  const read = depth > SCRIPT_DEPTH_MAX ? null : shellTokens(command, 'split');
  return segmentsOf(read?.tokens ?? []).flatMap(segment => {
    const words = segment.slice(programIndex(segment));
    const script = inlineScript(words);
    if (script) return commandsIn(script.text, depth + 1);
    const name = baseName(words[0] ?? '');
    return name === '' || PREPARATIONS.has(name) ? [] : [words];
  });
}

/** The words between operators, without keywords and redirections. */
function segmentsOf(tokens: readonly Token[]): string[][] {
  const segments: string[][] = [];
  let words: string[] = [];
  let isName = false;
  tokens.forEach((token, index) => {
    const isBrace = token.isPlain && (token.text === '{' || token.text === '}');
    if (token.kind === 'operator' || (token.kind === 'word' && isBrace)) {
      segments.push(words);
      words = [];
      isName = false;
      return;
    }
    const isTarget = token.kind === 'redirection' || tokens[index - 1]?.kind === 'redirection';
    if (isTarget || isName) return;
    const isFirst = words.length === 0 && token.isPlain;
    if (isFirst && BEFORE_NAME.has(token.text)) isName = true;
    else if (!(isFirst && BEFORE_COMMAND.has(token.text))) words.push(token.text);
  });
  segments.push(words);
  return segments;
}
