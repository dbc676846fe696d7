/** Which module may know which: the stages, the harness folders, the doors to the outside. */

import { describe, expect, it } from 'vitest';
import type { Import, Module } from '../support/module.ts';
import { modulesIn, nodes, parseModule, placeOf } from '../support/module.ts';
import { globalName } from '../support/syntax.ts';

/** The stages of `src/`, first to last; those of one line do not know each other. */
const STAGES: readonly (readonly string[])[] = [
  ['bytes', 'relations'],
  ['harness'],
  ['scan'],
  ['engine'],
  ['store'],
  ['catalogue'],
  ['mcp', 'output'],
  ['commands', 'index'],
  ['cli'],
];

/** Single files that every stage after the first line may import; each knows those before it. */
const LEAVES = ['errors', 'places', 'assets'];

/** Where a program may start: what these reach is alive. */
const ENTRANCES = ['src/cli.ts', 'src/index.ts'];

/** A way to the outside, and who may use it for which reason. */
interface Door {
  readonly name: string;
  readonly matches: RegExp;
  /** File or folder (with a closing `/`) → why it needs this. */
  readonly open: Readonly<Record<string, string>>;
}

const DOORS: readonly Door[] = [
  {
    name: 'DuckDB',
    matches: /^@duckdb\//,
    open: {
      'src/engine/': 'runs the statements',
      'src/store/': 'keeps rows in a DuckDB file',
    },
  },
  {
    name: 'the file system',
    matches: /^node:fs(\/|$)/,
    open: {
      'src/bytes/': 'reads what the harnesses wrote',
      'src/assets.ts': 'reads the SQL and finds the demo that come with ahq',
      'src/store/store.ts': 'makes the folder of the store, for its owner only',
      'src/store/refresh.ts': 'puts a store that is loaded in its place',
      'src/commands/messages.ts': 'writes to stderr at once, also while a scan holds the thread',
      'src/commands/output-file.ts': 'writes the file that -o names',
      'src/commands/sql-text.ts': 'reads the SQL that -f names',
    },
  },
  {
    name: 'the operating system',
    matches: /^node:os$/,
    open: { 'src/places.ts': 'asks for the home folder, once' },
  },
  {
    name: 'SQLite and zstd',
    matches: /^(better-sqlite3|zstd-napi)(\/|$)/,
    open: {
      'src/bytes/optional.ts': 'loads them when the first such source is met',
    },
  },
  { name: 'Postgres', matches: /^(pg(-.*)?|@electric-sql\/.*)$/, open: {} },
  { name: 'other programs', matches: /^node:(child_process|cluster)$/, open: {} },
  { name: 'the network', matches: /^node:(net|http2?|https|tls|dgram|dns)(\/|$)/, open: {} },
];

/** Globals of the process, and who may use them for which reason. */
const GLOBALS: Readonly<Record<string, string>> = {
  'src/cli.ts': 'arguments, streams, signals and the exit code',
  'src/commands/': 'each writes its answer and its notes',
  'src/places.ts': 'environment() describes the machine once for everybody else',
};

function stageOf(file: string): string {
  return file.replace(/^src\//, '').replace(/(\.ts$|\/.*)/, '');
}

function rankOf(stage: string): number {
  return STAGES.findIndex(line => line.includes(stage));
}

function mayKnow(from: string, to: string): boolean {
  const [leaf, known] = [LEAVES.indexOf(from), LEAVES.indexOf(to)];
  if (leaf >= 0) return known >= 0 && known < leaf;
  if (known >= 0) return rankOf(from) > 0;
  return from === to || (rankOf(to) >= 0 && rankOf(to) < rankOf(from));
}

/** Imports of our own that run against the stages. */
function againstTheStages(module: Module): string[] {
  const stage = stageOf(module.file);
  const isPlaced = rankOf(stage) >= 0 || LEAVES.includes(stage);
  if (!isPlaced) return [`${module.file} belongs to no stage`];
  return wrong(module, ({ target }) => {
    if (target === null || mayKnow(stage, stageOf(target))) return null;
    return target.startsWith('src/')
      ? `${stage} may not know ${target}`
      : `${target} is not source`;
  });
}

/** The folder of one harness, `src/harness/claude/`, or null for what all of them share. */
function harnessFolder(file: string): string | null {
  const folder = /^src\/harness\/[^/]+\//.exec(file)?.[0] ?? null;
  return folder === 'src/harness/shared/' ? null : folder;
}

/** Imports of a concrete harness from outside its folder; only the list may have them. */
function concreteHarnesses(module: Module): string[] {
  if (module.file === 'src/harness/index.ts') return [];
  return wrong(module, ({ target }) => {
    const harness = target === null ? null : harnessFolder(target);
    if (harness === null || harness === harnessFolder(module.file)) return null;
    return `only src/harness/index.ts may know ${harness}`;
  });
}

/** Imports of the list of harnesses from inside a harness or from what they share. */
function harnessesThatKnowTheList(module: Module): string[] {
  if (!module.file.startsWith('src/harness/')) return [];
  return wrong(module, ({ target }) =>
    target === 'src/harness/index.ts' ? 'a harness may not know the list of harnesses' : null,
  );
}

/** Imports from outside the project through a door that is closed to this module. */
function closedDoors(module: Module): string[] {
  return wrong(module, ({ specifier }) => {
    const door = DOORS.find(({ matches }) => matches.test(specifier));
    if (door === undefined || isOpen(door.open, module.file)) return null;
    return `${specifier}: no door to ${door.name} here`;
  });
}

function isOpen(open: Readonly<Record<string, string>>, file: string): boolean {
  return Object.keys(open).some(place => covers(place, file));
}

function covers(place: string, file: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place;
}

/** Uses of `process` and `console`. */
function processUses(module: Module): string[] {
  return [...nodes(module.source)]
    .filter(node => ['process', 'console'].includes(globalName(node) ?? ''))
    .map(node => `${placeOf(node)} ${node.getText()}`);
}

/** Circles of imports that exist at run time, each told once. */
function circles(modules: readonly Module[]): string[] {
  const known = new Map(modules.map(module => [module.file, module]));
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push([...trail.slice(start), file].join(' → '));
    if (start >= 0 || finished.has(file)) return;
    for (const { target, typeOnly } of known.get(file)?.imports ?? []) {
      if (target !== null && !typeOnly) visit(target, [...trail, file]);
    }
    finished.add(file);
  };
  for (const { file } of modules) visit(file, []);
  return found;
}

/** Modules that no entrance reaches. */
function deadModules(modules: readonly Module[], entrances: readonly string[]): string[] {
  const imports = new Map(modules.map(module => [module.file, module.imports]));
  const alive = new Set<string>();
  const pending = [...entrances];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (alive.has(file)) continue;
    alive.add(file);
    pending.push(...(imports.get(file) ?? []).flatMap(({ target }) => target ?? []));
  }
  return [...imports.keys()].filter(file => !alive.has(file));
}

function wrong(module: Module, judge: (found: Import) => string | null): string[] {
  return module.imports.flatMap(found => {
    const verdict = judge(found);
    return verdict === null ? [] : [`${module.file}:${found.line} ${verdict}`];
  });
}

const source = modulesIn('src');

describe('the source', () => {
  it('imports only from its own stage or an earlier one', () => {
    expect(source.flatMap(againstTheStages)).toEqual([]);
  });

  it('knows a concrete harness only in the list of harnesses', () => {
    expect(source.flatMap(concreteHarnesses)).toEqual([]);
    expect(source.flatMap(harnessesThatKnowTheList)).toEqual([]);
  });

  it('reaches the outside only through the doors named here', () => {
    expect(source.flatMap(closedDoors)).toEqual([]);
  });

  it('touches the process only in the places named here', () => {
    const elsewhere = source.filter(module => !isOpen(GLOBALS, module.file));
    expect(elsewhere.flatMap(processUses)).toEqual([]);
  });

  it('imports nothing in a circle', () => {
    expect(circles(source)).toEqual([]);
  });

  it('has no file that neither the program nor the library reaches', () => {
    expect(deadModules(source, ENTRANCES)).toEqual([]);
  });
});

describe('the list of doors', () => {
  it('holds no permission that nobody needs', () => {
    const needless = DOORS.flatMap(({ matches, open }) =>
      Object.keys(open).filter(place => {
        const inside = source.filter(({ file }) => covers(place, file));
        return !inside.some(({ imports }) =>
          imports.some(({ specifier }) => matches.test(specifier)),
        );
      }),
    );
    expect(needless).toEqual([]);
  });

  it('holds no process permission that nobody needs', () => {
    const needless = Object.keys(GLOBALS).filter(place =>
      source
        .filter(({ file }) => covers(place, file))
        .every(file => processUses(file).length === 0),
    );
    expect(needless).toEqual([]);
  });
});

describe('the rule about stages', () => {
  const verdicts = (file: string, text: string) => againstTheStages(parseModule(file, text));

  it('lets a later stage know an earlier one, and everybody but the first line a leaf', () => {
    expect(verdicts('src/scan/a.ts', "import { b } from '../bytes/b.ts';")).toEqual([]);
    expect(verdicts('src/scan/a.ts', "import { b } from '../errors.ts';")).toEqual([]);
    expect(verdicts('src/places.ts', "import { b } from './errors.ts';")).toEqual([]);
    expect(verdicts('src/store.ts', "import { b } from './engine/b.ts';")).toEqual([]);
  });

  it.each([
    ['src/bytes/a.ts', '../relations/b.ts'],
    ['src/relations/a.ts', '../bytes/b.ts'],
    ['src/bytes/a.ts', '../errors.ts'],
    ['src/harness/harness.ts', '../scan/b.ts'],
    ['src/engine/a.ts', '../output/b.ts'],
    ['src/output/a.ts', '../mcp/b.ts'],
    ['src/engine/a.ts', '../index.ts'],
    ['src/errors.ts', './places.ts'],
    ['src/places.ts', './bytes/b.ts'],
    ['src/cli.ts', '../test/support/module.ts'],
  ])('refuses %s importing %s', (file, specifier) => {
    for (const text of [
      `import { b } from '${specifier}';`,
      `import type { b } from '${specifier}';`,
      `export { b } from '${specifier}';`,
      `export * from '${specifier}';`,
      `const { b } = await import('${specifier}');`,
      `type B = import('${specifier}').B;`,
    ]) {
      expect(verdicts(file, text), text).toHaveLength(1);
    }
  });

  it('refuses a file that no stage claims', () => {
    expect(verdicts('src/helpers.ts', '')).toEqual(['src/helpers.ts belongs to no stage']);
  });
});

describe('the rule about harnesses', () => {
  const verdicts = (file: string, specifier: string) =>
    concreteHarnesses(parseModule(file, `import { b } from '${specifier}';`));

  it('refuses one harness that knows another, and anybody who knows one', () => {
    expect(verdicts('src/harness/claude/a.ts', '../codex/b.ts')).toHaveLength(1);
    expect(verdicts('src/harness/shared/a.ts', '../codex/b.ts')).toHaveLength(1);
    expect(verdicts('src/harness/harness.ts', './codex/b.ts')).toHaveLength(1);
    expect(verdicts('src/scan/a.ts', '../harness/claude/b.ts')).toHaveLength(1);
  });

  it('allows the list, a harness itself, and what they share', () => {
    expect(verdicts('src/harness/index.ts', './codex/b.ts')).toEqual([]);
    expect(verdicts('src/harness/claude/a.ts', './b.ts')).toEqual([]);
    expect(verdicts('src/harness/claude/a.ts', '../shared/b.ts')).toEqual([]);
    expect(verdicts('src/harness/claude/a.ts', '../harness.ts')).toEqual([]);
  });

  it('refuses a harness that knows the list', () => {
    const module = parseModule('src/harness/claude/a.ts', "import { b } from '../index.ts';");
    expect(harnessesThatKnowTheList(module)).toHaveLength(1);
  });
});

describe('the rule about the outside', () => {
  it('refuses a door that is closed, for types too', () => {
    const verdicts = (text: string) => closedDoors(parseModule('src/relations/a.ts', text));
    expect(verdicts("import { readFileSync } from 'node:fs';")).toHaveLength(1);
    expect(verdicts("import { readFile } from 'node:fs/promises';")).toHaveLength(1);
    expect(verdicts("import type { DuckDBValue } from '@duckdb/node-api';")).toHaveLength(1);
    expect(verdicts("const duckdb = await import('@duckdb/node-api');")).toHaveLength(1);
    expect(verdicts("import { spawn } from 'node:child_process';")).toHaveLength(1);
    expect(verdicts("const Database = require('better-sqlite3');")).toHaveLength(1);
    expect(verdicts("import { join } from 'node:path';")).toEqual([]);
  });

  it('sees the process in every form it takes', () => {
    const uses = (text: string) => processUses(parseModule('src/scan/a.ts', text));
    expect(uses('console.log(process.env);')).toHaveLength(2);
    expect(uses('globalThis.process.exit(1);')).toHaveLength(1);
    expect(uses("import process from 'node:process';")).toHaveLength(1);
    expect(uses('const { argv } = process;')).toHaveLength(1);
    expect(uses('const a = { process };')).toHaveLength(1);
    expect(uses('machine.process(); const b = { process: 1 }; // process')).toEqual([]);
    expect(uses('interface Machine { process: string; process(): void }')).toEqual([]);
  });
});

describe('the rules about the graph', () => {
  const graph = [
    parseModule('src/cli.ts', "import { a } from './scan/a.ts';"),
    parseModule('src/scan/a.ts', "import { b } from './b.ts'; import type { C } from './c.ts';"),
    parseModule('src/scan/b.ts', "export const load = () => import('./a.ts');"),
    parseModule('src/scan/c.ts', "import { a } from './a.ts';"),
    parseModule('src/scan/d.ts', "import { a } from './a.ts';"),
  ];

  it('find a circle that exists at run time, and none made of types', () => {
    expect(circles(graph)).toEqual(['src/scan/a.ts → src/scan/b.ts → src/scan/a.ts']);
  });

  it('find the file that nothing reaches', () => {
    expect(deadModules(graph, ENTRANCES)).toEqual(['src/scan/d.ts']);
  });
});
