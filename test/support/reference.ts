/**
 * The parts of the README that the declarations already say: made from them, so that the README
 * can be compared with what is true.
 */

import { createProgram, type Handlers } from '../../src/commands/program.ts';
import { harnesses } from '../../src/harness/index.ts';
import { relations } from '../../src/relations/index.ts';

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
  const rows = harnesses.map(({ description }) => [
    `${description.title} (${code(description.name)})`,
    ...relations.map(({ name }) => (description.coverage[name] === true ? 'yes' : '–')),
    description.variables.map(code).join(', '),
  ]);
  const gaps = harnesses.flatMap(({ description }) =>
    relations.flatMap(({ name }) => {
      const coverage = description.coverage[name];
      return coverage === true ? [] : [`- ${description.title}, ${name}: ${coverage.missing}`];
    }),
  );
  const columns = ['harness', ...relations.map(({ name }) => name), 'moved by'];
  const matrix = table(columns, rows);
  return gaps.length === 0 ? matrix : `${matrix}\n${gaps.join('\n')}\n`;
}

/** The help of the program and of each command, as it prints it. */
export function commandsMarkdown(): string {
  const nothing = async (): Promise<void> => {};
  const handlers: Handlers = { query: nothing, schema: nothing, sources: nothing, demo: nothing };
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
