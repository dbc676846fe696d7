/** `ahq demo`: example questions, their SQL and their answers, over files that come with ahq. */

import { demoHome, type Example, examples } from '../assets.ts';
import { type Engine, open } from '../engine/engine.ts';
import { AhqError } from '../errors.ts';
import { environment } from '../places.ts';
import type { Host } from './host.ts';
import { type ColourChoice, hasColours, Output } from './output.ts';

const LAST_WORDS = `Ask your own, the latest first:

  npx ahq "select timestamp, author, tool_name, message_content
    from read_conversations() order by timestamp desc limit 10"
`;

const BOLD = ['\u001b[1m', '\u001b[22m'] as const;

/** Prints all examples. Throws SQL with the file's name when one fails. */
export async function demo(choices: { readonly colour?: ColourChoice }, host: Host): Promise<void> {
  const { stdout, messages } = host;
  const machine = environment();
  const variables = { ...machine.variables, CLAUDE_CONFIG_DIR: demoHome() };
  const onNote = (note: string) => messages.note(note);
  const engine = await open({ environment: { ...machine, variables }, onNote });
  const isBold = hasColours(choices.colour, stdout.hasColours);
  try {
    const output = new Output({ ...choices, format: 'table' }, stdout);
    for (const example of examples()) {
      await stdout.write(headText(example, isBold));
      await answer(engine, example, output, host);
      await stdout.write('\n');
    }
    await stdout.write(LAST_WORDS);
    await output.finish();
  } finally {
    engine.close();
  }
}

/** The question, what is to be known about it, and the SQL. */
function headText({ text }: Example, isBold: boolean): string {
  const [comments = ''] = /^(?:--.*\n)*/.exec(text) ?? [];
  const [question = '', ...remarks] = comments.replaceAll(/^-- ?/gm, '').trimEnd().split('\n');
  const title = isBold ? `${BOLD[0]}${question}${BOLD[1]}` : question;
  const sql = text.slice(comments.length).trim();
  return `${[title, ...remarks, '', sql].join('\n')}\n\n`;
}

async function answer(
  engine: Engine,
  { name, text }: Example,
  output: Output,
  { interruption }: Host,
): Promise<void> {
  try {
    for await (const result of engine.results(text, [], interruption)) await output.print(result);
  } catch (error) {
    if (!(error instanceof AhqError) || error.code !== 'SQL') throw error;
    throw new AhqError('SQL', `${name}: ${error.message}`, { cause: error });
  }
}
