/**
 * The parts of the README that the declarations already say: made from them, so that the README
 * can be compared with what is true.
 */

import { createProgram, type Handlers } from '../../src/commands/program.ts';
import type { Description } from '../../src/harness/harness.ts';
import { harnesses } from '../../src/harness/index.ts';
import { parsedRelations, relations } from '../../src/relations/index.ts';
import { projectText } from './project.ts';

/** Cells of the help's lines, whatever terminal a test runs in. */
const HELP_CELLS = 80;

/** Every relation: the function that reads it, what a row is, and how many columns it has. */
export function relationsMarkdown(): string {
  const rows = relations.map(({ columns, functionName, meaning }) => [
    code(`${functionName}()`),
    meaning,
    String(Object.keys(columns).length),
  ]);
  return table(['function', 'rows', 'columns'], rows);
}

/** Which harness fills which relation, and where one cannot, why. */
export function coverageMarkdown(): string {
  const rows = relations.map(({ name }) => [
    code(name),
    ...harnesses.map(({ description }) => (description.coverage[name] === true ? 'yes' : '–')),
  ]);
  const moved = harnesses.map(({ description }) => description.variables.map(code).join(', '));
  const names = harnesses.map(({ description }) => code(description.name));
  const matrix = table(['relation', ...names], [...rows, ['moved by', ...moved]]);
  const gaps = harnesses.flatMap(({ description }) => gapsOf(description));
  return gaps.length === 0 ? matrix : `${matrix}\n${gaps.join('\n')}\n`;
}

/** What a harness does not fill, a line for each reason. */
function gapsOf({ coverage, title }: Description): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { name } of relations) {
    const covered = coverage[name];
    if (covered === true) continue;
    byReason.set(covered.missing, [...(byReason.get(covered.missing) ?? []), name]);
  }
  return [...byReason].map(([reason, names]) => `- ${title}, ${names.join(', ')}: ${reason}`);
}

/** One question for each relation of meaning, with the statement that answers it. */
export function questionsMarkdown(): string {
  return parsedRelations
    .map(({ name }) => {
      const text = projectText(`sql/examples/relations/${name}.sql`).trim();
      const [question = '', ...statement] = text.split('\n');
      const heading = `**${question.replace(/^-- /, '')}** ${code(name)}`;
      return `${heading}\n\n\`\`\`sql\n${statement.join('\n')}\n\`\`\`\n`;
    })
    .join('\n');
}

/** The help of the program and of each command, as it prints it. */
export function commandsMarkdown(): string {
  const nothing = async (): Promise<void> => {};
  const handlers: Handlers = {
    query: nothing,
    schema: nothing,
    sources: nothing,
    demo: nothing,
    refresh: nothing,
    rebuild: nothing,
    status: nothing,
  };
  const program = createProgram(handlers);
  return [program, ...program.commands]
    .map(command => {
      let help = '';
      command.configureOutput({
        writeOut: text => {
          help += text;
        },
        getOutHelpWidth: () => HELP_CELLS,
        getOutHasColors: () => false,
      });
      command.outputHelp();
      const name = command === program ? 'ahq' : `ahq ${command.name()}`;
      return `### ${code(name)}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;
    })
    .join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map(() => '---');
  return [head, rule, ...rows].map(line).join('');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

function code(text: string): string {
  return `\`${text}\``;
}
