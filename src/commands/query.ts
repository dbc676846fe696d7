/** `ahq [SQL]`: runs statements and prints what they answer. */

import { type Engine, open } from '../engine/engine.ts';
import type { QueryResult } from '../engine/result.ts';
import { AhqError } from '../errors.ts';
import { countText } from '../output/count.ts';
import type { Host } from './host.ts';
import { Output } from './output.ts';
import { hasStatement, parametersFor } from './parameters.ts';
import type { QueryChoices } from './program.ts';
import { ProgressLine } from './progress.ts';
import { needsStore, openStore } from './store-session.ts';
import { bytesText } from './units.ts';

/**
 * Prints the answer of each statement in turn. Throws USAGE for SQL without a statement and for
 * parameters that do not fit, READ when the answer cannot be written, and what queries throw.
 */
export async function query(sql: string, choices: QueryChoices, host: Host): Promise<void> {
  if (!hasStatement(sql)) throw new AhqError('USAGE', 'there is no statement in the SQL');
  const parameters = parametersFor(sql, choices.parameter ?? []);
  const { messages } = host;
  const engine = await open({
    timezone: choices.timezone,
    onNote: note => messages.note(note),
    onProgress: new ProgressLine(messages).update,
  });
  try {
    if (await needsStore(engine, sql, choices)) await openStore(engine, choices, host);
    const rows = await printAll(engine.results(sql, parameters, host.interruption), choices, host);
    if (choices.timer) messages.say(costText(engine, rows));
  } finally {
    engine.close();
  }
}

/** Prints results to where the user wants them, and gives the number of their rows. */
async function printAll(
  results: AsyncIterable<QueryResult>,
  choices: QueryChoices,
  { interruption, messages, stdout }: Host,
): Promise<number> {
  const output = new Output(choices, stdout);
  interruption.beforeKill(() => output.discard());
  try {
    for await (const result of results) await output.print(result);
    await output.finish();
    return output.rows;
  } finally {
    messages.clear();
    output.discard();
  }
}

function costText({ work }: Engine, rows: number): string {
  const { user, system } = process.cpuUsage();
  return [
    `${(performance.now() / 1e3).toFixed(2)} s`,
    `${((user + system) / 1e6).toFixed(2)} s CPU`,
    `${countText(work.filesOpened, 'file')} opened`,
    `${bytesText(work.bytesRead)} read`,
    countText(work.linesRead, 'line'),
    `${countText(work.recordsParsed, 'record')} parsed`,
    countText(rows, 'row'),
  ].join(', ');
}
