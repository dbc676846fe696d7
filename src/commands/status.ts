/** `ahq status`: what the store holds of each home, and what it has not read yet. */

import { storeStatement } from '../assets.ts';
import { entryAt } from '../bytes/walk.ts';
import { Work } from '../bytes/work.ts';
import { open } from '../engine/engine.ts';
import { type PlainType, type PlainValue, resultOfRows } from '../engine/plain-rows.ts';
import { AhqError } from '../errors.ts';
import { environment } from '../places.ts';
import { reasonOf } from '../scan/notes.ts';
import { type KnownSource, knownSources } from '../store/known-sources.ts';
import { defaultHomes, type Home, planRefresh } from '../store/plan.ts';
import { attach, hasStore } from '../store/store.ts';
import type { Host } from './host.ts';
import { Output } from './output.ts';
import type { StatusChoices } from './program.ts';
import { chosenStore } from './store-session.ts';
import { bytesText } from './units.ts';

const COLUMNS = {
  namespace: 'text',
  home: 'text',
  sources: 'integer',
  bytes: 'integer',
  pending_sources: 'integer',
  pending_bytes: 'integer',
  missing_sources: 'integer',
  issues: 'text',
  as_of: 'instant',
} as const satisfies Record<string, PlainType>;

type Row = Readonly<Record<keyof typeof COLUMNS, PlainValue>>;

const PATIENCE_MS = 5000;

/** Prints a row for each home. Throws NOT_FOUND where there is no store. */
export async function status(choices: StatusChoices, host: Host): Promise<void> {
  const machine = environment();
  const path = chosenStore(choices, machine);
  if (!hasStore(path)) {
    throw new AhqError('NOT_FOUND', `there is no store at '${path}'; \`ahq refresh\` makes it`, {
      path,
    });
  }
  const engine = await open({ environment: machine, timezone: choices.timezone });
  try {
    const rows = await engine.withConnection(async connection => {
      await attach(connection, path, { isReadOnly: true, patienceMs: PATIENCE_MS });
      const known = await knownSources(connection);
      const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();
      const asOf = await read(storeStatement('as_of'));
      const issues = await read(storeStatement('issues'));
      return defaultHomes(machine).map(home => rowOf(home, known, asOf, issues, host));
    });
    const output = new Output(choices, host.stdout);
    await output.print(resultOfRows(COLUMNS, rows));
    await output.finish();
    const size = entryAt(path, '')?.byteLength ?? 0;
    host.messages.say(`${path}: ${bytesText(size)}`);
  } finally {
    engine.close();
  }
}

type Rows = readonly (readonly unknown[])[];

function rowOf(
  home: Home,
  known: ReadonlyMap<string, KnownSource>,
  asOf: Rows,
  issues: Rows,
  { messages }: Host,
): Row {
  const plan = planRefresh([home], known, new Work(), (file, error) =>
    messages.note(`cannot read '${file}': ${reasonOf(error)}`),
  );
  const isOurs = (row: readonly unknown[]) => row[0] === home.namespace;
  const latest = asOf.find(isOurs)?.[1];
  return {
    namespace: home.namespace,
    home: home.path,
    sources: plan.sources,
    bytes: plan.sourceBytes,
    pending_sources: plan.steps.length,
    pending_bytes: plan.pendingBytes,
    missing_sources: [...known.values()].filter(source => source.isMissing).length,
    issues: issuesText(issues.filter(isOurs)),
    as_of: latest === undefined || latest === null ? null : new Date(Number(latest)),
  };
}

function issuesText(issues: Rows): string | null {
  const texts = issues.map(([, kind, count]) => `${kind} ${count}`);
  return texts.length === 0 ? null : texts.join(', ');
}
