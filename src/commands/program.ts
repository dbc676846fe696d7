/**
 * The program as data: commands, options and help. What a command does is the caller's, so that
 * help and documentation are made without loading any of it.
 */

import { Command, InvalidArgumentError, Option } from 'commander';
import type { FormatName } from '../output/index.ts';
import type { Choices, ColourChoice } from './output.ts';
import type { RebuildChoices, RefreshChoices } from './refresh.ts';
import type { StoreChoices } from './store-session.ts';

/** What the user chose for a query. */
export interface QueryChoices extends Choices, StoreChoices {
  readonly file?: string;
  readonly parameter?: readonly string[];
  readonly timer?: boolean;
  readonly version?: boolean;
}

/** What the user chose for `ahq sources`. */
export interface SourcesChoices extends Choices {
  readonly path?: string;
}

/** What the user chose for `ahq status`. */
export type StatusChoices = Choices & StoreChoices;

/** What the commands do. */
export interface Handlers {
  /** `words` are the arguments that are no options: the SQL, or nothing. */
  query(words: readonly string[], choices: QueryChoices): Promise<void>;
  schema(relation: string | undefined, choices: Choices): Promise<void>;
  sources(choices: SourcesChoices): Promise<void>;
  demo(choices: { readonly colour?: ColourChoice }): Promise<void>;
  refresh(choices: RefreshChoices): Promise<void>;
  rebuild(choices: RebuildChoices): Promise<void>;
  status(choices: StatusChoices): Promise<void>;
}

/** The names of the formats, in the order of help; the formats themselves need DuckDB. */
const FORMATS: Readonly<Record<FormatName, true>> = {
  table: true,
  json: true,
  ndjson: true,
  csv: true,
  tsv: true,
};

/**
 * Builds the program; nothing is read or printed before its `parse` is called. Where commander
 * would end the process, and for wrong usage, it throws CommanderError.
 */
export function createProgram(handlers: Handlers): Command {
  const program = new Command('ahq')
    .description('SQL over the files that coding agents write, straight from disk.')
    .usage('[options] [SQL]')
    .argument('[sql...]', 'one or more statements; without it they come from -f FILE or stdin')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .helpCommand('help [command]', 'show the help of a command')
    .helpOption('-h, --help', 'show this help')
    .option('-f, --file <file>', 'read the SQL from a file; - is stdin')
    .addOption(parameterOption())
    .addOption(formatOption())
    .option('-o, --output <file>', 'write the answer to a file, complete or not at all')
    .addOption(maxRowsOption())
    .addOption(noTruncateOption())
    .option('--null <text>', 'what stands for NULL in table, csv and tsv')
    .addOption(timezoneOption())
    .addOption(storeOption())
    .option('--no-refresh', 'ask the store as it is, without looking for what is new')
    .option('--timer', 'say on stderr what the statements cost')
    .addOption(colourOption())
    .option('--version', 'show the version')
    .addHelpText('after', QUERY_HELP)
    .hook('preSubcommand', passOptionsOn)
    .action((words: string[], choices: QueryChoices) => handlers.query(words, choices));
  addSchema(program, handlers);
  addSources(program, handlers);
  addRefresh(program, handlers);
  addRebuild(program, handlers);
  addStatus(program, handlers);
  addDemo(program, handlers);
  return program;
}

const QUERY_HELP = `
Examples:
  ahq "from read_conversations() limit 5"
  ahq -p day=2026-11-30 --format json 'select tool_name, count(*) as calls
    from read_conversations() where left(timestamp, 10) = $day group by all'

Several results follow each other; in json each is an array of its own.
Exit codes: 0 done; 1 the data, the disk or a refusal says no; 2 wrong usage or
SQL; 130 interrupted.`;

function addSchema(program: Command, handlers: Handlers): void {
  program
    .command('schema')
    .description('list the relations, or the columns and parameters of one')
    .argument('[relation]', 'name of a relation or of its function')
    .addOption(formatOption())
    .addOption(noTruncateOption())
    .addOption(colourOption())
    .addHelpText(
      'after',
      `
Examples:
  ahq schema conversations
  ahq schema --format json

In json the answer is one object: relation → function, parameters, key, columns.`,
    )
    .action((relation: string | undefined, choices: Choices) => handlers.schema(relation, choices));
}

function addSources(program: Command, handlers: Handlers): void {
  program
    .command('sources')
    .description('show where ahq looks and what it finds there')
    .option('--path <path>', 'look at this home, folder, file or pattern only')
    .addOption(formatOption())
    .addOption(noTruncateOption())
    .addOption(timezoneOption())
    .addOption(colourOption())
    .addHelpText(
      'after',
      `
Examples:
  ahq sources
  ahq sources --path ~/backup/.claude --format json`,
    )
    .action((choices: SourcesChoices) => handlers.sources(choices));
}

function addRefresh(program: Command, handlers: Handlers): void {
  program
    .command('refresh')
    .description('bring the store up to date with the files')
    .addOption(everyOption())
    .option('--json', 'one line of JSON for each refresh')
    .addOption(storeOption())
    .addHelpText(
      'after',
      `
Examples:
  ahq refresh
  ahq refresh --every 60s --json    # as a service; SIGTERM ends it after a refresh`,
    )
    .action((choices: RefreshChoices) => handlers.refresh(choices));
}

function addRebuild(program: Command, handlers: Handlers): void {
  program
    .command('rebuild')
    .description('load the store anew, in the place of the one there is')
    .option('--lose-history', 'even when rows of files that are gone would be lost')
    .option('--json', 'one line of JSON')
    .addOption(storeOption())
    .addHelpText(
      'after',
      `
Examples:
  ahq rebuild`,
    )
    .action((choices: RebuildChoices) => handlers.rebuild(choices));
}

function addStatus(program: Command, handlers: Handlers): void {
  program
    .command('status')
    .description('show what the store holds, and what it has not read yet')
    .addOption(formatOption())
    .addOption(noTruncateOption())
    .addOption(timezoneOption())
    .addOption(storeOption())
    .addOption(colourOption())
    .addHelpText(
      'after',
      `
Examples:
  ahq status
  ahq status --format json`,
    )
    .action((choices: StatusChoices) => handlers.status(choices));
}

function storeOption(): Option {
  return new Option('--store <file>', 'another store than the one in the data folder');
}

function everyOption(): Option {
  const help = 'do it again and again, with this pause: 90, 60s, 5m';
  return new Option('--every <pause>', help).argParser(seconds);
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

function seconds(text: string): number {
  const [, digits, unit = 's'] = /^(\d+)([smh])?$/.exec(text) ?? [];
  const found = Number(digits) * (UNITS[unit] ?? 1);
  if (!(found > 0)) throw new InvalidArgumentError('It takes a time such as 60s or 5m.');
  return found;
}

function addDemo(program: Command, handlers: Handlers): void {
  program
    .command('demo')
    .description('answer example questions over files that come with ahq')
    .addOption(colourOption())
    .addHelpText(
      'after',
      `
Examples:
  ahq demo
  ahq demo --colour always | less -R`,
    )
    .action((choices: { colour?: ColourChoice }) => handlers.demo(choices));
}

function formatOption(): Option {
  const help =
    'form of the answer (default: by the ending of -o FILE, else table on a terminal, else csv)';
  return new Option('--format <name>', help).choices(Object.keys(FORMATS));
}

function noTruncateOption(): Option {
  return new Option('--no-truncate', 'table: show whole values, however wide');
}

function maxRowsOption(): Option {
  return new Option('--max-rows <n>', 'table: rows to show (default: 100)').argParser(wholeNumber);
}

function timezoneOption(): Option {
  return new Option('--timezone <zone>', 'IANA zone of instants and days (default: UTC)');
}

function colourOption(): Option {
  const option = new Option('--colour <when>', 'whether to use colours (default: auto)');
  return option.choices(['auto', 'always', 'never']);
}

function parameterOption(): Option {
  const help = 'a value for $name in the SQL; may be repeated';
  return new Option('-p, --parameter <name=value>', help).argParser(
    (value: string, before: readonly string[] = []) => [...before, value],
  );
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

/** `ahq --format json schema` means `ahq schema --format json`. */
function passOptionsOn(program: Command, command: Command): void {
  for (const option of program.options) {
    const name = option.attributeName();
    if (program.getOptionValueSource(name) !== 'cli') continue;
    if (!command.options.some(other => other.attributeName() === name)) {
      command.error(`error: 'ahq ${command.name()}' has no option '${option.flags}'`);
    }
    command.setOptionValueWithSource(name, program.getOptionValue(name), 'cli');
  }
}

/** SQL that begins with a comment looks like an option; a space before it changes only that. */
const COMMENT = /^--[^\s=]*\s/;

/** The arguments as the parser needs them: with SQL that cannot be taken for an option. */
export function parsableArguments(program: Command, args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const isValue = takesValue(program, args[index - 1]);
    return COMMENT.test(arg) && !isValue ? ` ${arg}` : arg;
  });
}

function takesValue(program: Command, arg: string | undefined): boolean {
  if (arg === undefined) return false;
  return program.options.some(
    ({ required, short, long }) => required && (arg === short || arg === long),
  );
}
