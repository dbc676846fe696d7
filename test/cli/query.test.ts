/** `ahq [SQL]`: where SQL comes from, what is bound to it, and how its answers are printed. */

import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ahq, type Surroundings, writeHome } from '../support/ahq.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => {
  removeFolder(folder);
});

/** What a run prints that must end well and have nothing to say beside its answer. */
function answer(args: readonly string[], where: Surroundings = {}): string {
  const { status, stdout, stderr } = ahq(args, where);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('the SQL', () => {
  it('comes from the argument', () => {
    expect(answer(['select 1 as a'])).toBe('a\n1\n');
  });

  it('comes from stdin when there is no argument', () => {
    expect(answer([], { input: 'select 2 as a' })).toBe('a\n2\n');
  });

  it('comes from a file, and from stdin when the file is -', () => {
    const file = writeFile(folder, 'three.sql', '-- Which?\nselect 3 as a;\n');
    expect(answer(['-f', file])).toBe('a\n3\n');
    expect(answer(['--file', '-'], { input: 'select 4 as a' })).toBe('a\n4\n');
  });

  it('may begin with comments, and the options may follow it', () => {
    expect(answer(['-- Which one?\n-- This one.\nselect 5 as a', '--format', 'tsv'])).toBe(
      'a\n5\n',
    );
    expect(answer(['--which\nselect 5 as a'])).toBe('a\n5\n');
  });

  it('is not mistaken for a comment where it is the value of an option', () => {
    expect(answer(['--null', '-- none', 'select null as a'])).toBe('a\n-- none\n');
  });

  it('may hold several statements, of which only those with an answer print', () => {
    const sql = 'create table t as select 1 as a; insert into t values (2); from t; select 3 as b';
    expect(answer([sql])).toBe('a\n1\n2\nb\n3\n');
  });
});

describe('the parameters', () => {
  const value = (text: string) =>
    answer(['--format', 'ndjson', '-p', `x=${text}`, 'select $x as v, typeof($x) as t']);

  it.each([
    ['7', '{"v":7,"t":"BIGINT"}'],
    ['-9007199254740991', '{"v":-9007199254740991,"t":"BIGINT"}'],
    ['1.5', '{"v":1.5,"t":"DOUBLE"}'],
    ['1e-7', '{"v":1e-7,"t":"DOUBLE"}'],
    ['007', '{"v":"007","t":"VARCHAR"}'],
    ['1.0', '{"v":"1.0","t":"VARCHAR"}'],
    ['9007199254740993', '{"v":"9007199254740993","t":"VARCHAR"}'],
    ['NaN', '{"v":"NaN","t":"VARCHAR"}'],
    ['', '{"v":"","t":"VARCHAR"}'],
    ["a=b' or 1=1 --", '{"v":"a=b\' or 1=1 --","t":"VARCHAR"}'],
  ])('bind %j with the type that it spells', (text, expected) => {
    expect(value(text)).toBe(`${expected}\n`);
  });

  it('are found in any letter case, by position, and in the statement that has them', () => {
    const named = 'select $NAME as n; select $other as o; select 1 as q';
    expect(answer(['-p', 'Name=a', '-p', '$other=b', named])).toBe('n\na\no\nb\nq\n1\n');
    expect(answer(['-p', '1=a', '-p', '2=b', 'select ?, ? as o; select ? as p'])).toBe(
      '$1,o\na,b\np\na\n',
    );
  });

  it('may be the parameters of a table function', () => {
    const home = writeHome(path.join(folder, 'bound'), 3);
    const sql = 'select count(*) as n from read_conversations($home, modified_after = $since)';
    expect(answer(['-p', `home=${home}`, '-p', 'since=1999-12-31', sql])).toBe('n\n3\n');
  });

  it('must have a name that some statement uses, once', () => {
    const refused = (args: readonly string[]) => {
      const { status, stdout, stderr } = ahq(args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      return stderr;
    };
    expect(refused(['-p', 'z=1', "select $x, '$z' -- $z"])).toBe(
      'ahq: the SQL has no parameter $z; it has $x\n',
    );
    expect(refused(['-p', 'z=1', 'select 1'])).toBe(
      'ahq: the SQL has no parameter $z; it has none\n',
    );
    expect(refused(['-p', 'z', 'select $z'])).toContain("parameter 'z' has no name");
    expect(refused(['-p', 'z=1', '-p', 'Z=2', 'select $z'])).toContain('$z is given twice');
    expect(refused(['select $x'])).toContain('Values were not provided');
  });
});

describe('the answer', () => {
  const sql = "select 1 as a, null as b, 'x,y' as c";

  it.each([
    ['csv', 'a,b,c\n1,,"x,y"\n'],
    ['tsv', 'a\tb\tc\n1\t\tx,y\n'],
    ['json', '[\n{"a":1,"b":null,"c":"x,y"}\n]\n'],
    ['ndjson', '{"a":1,"b":null,"c":"x,y"}\n'],
  ])('comes as %s', (format, expected) => {
    expect(answer(['--format', format, sql])).toBe(expected);
  });

  it('comes as a table, as wide as COLUMNS says and else as 100 cells', () => {
    const long = "select repeat('x', 200) as a";
    const widthOf = (variables: Record<string, string>) =>
      answer(['--format', 'table', long], { variables }).indexOf('\n');
    expect(widthOf({ COLUMNS: '60' })).toBe(60);
    expect(widthOf({})).toBe(100);
    expect(answer(['--format', 'table', '--no-truncate', long])).toContain('x'.repeat(200));
  });

  it('shows as many rows of a table as are asked for, and counts them all', () => {
    const table = answer(['--format', 'table', '--max-rows', '2', 'select 7 as a from range(5)']);
    expect(table.match(/│ 7 │/g)).toHaveLength(2);
    expect(table).toMatch(/… 3 more rows .*\n5 rows\n$/);
  });

  it('writes NULL as it is told', () => {
    expect(answer(['--null', '\\N', 'select null as a'])).toBe('a\n\\N\n');
    expect(answer(['--null', '∅', '--format', 'table', 'select null as a'])).toContain('│ ∅ │');
  });

  it('cuts days and shows instants in the zone that is asked for, else in UTC', () => {
    const instant = "select '2026-07-01 23:30:00+00'::timestamptz as t, t::date as day";
    expect(answer([instant])).toBe('t,day\n2026-07-01 23:30:00+00,2026-07-01\n');
    const here = answer(['--timezone', 'Europe/Berlin', instant]);
    expect(here).toBe('t,day\n2026-07-02 01:30:00+02,2026-07-02\n');
  });

  it('has colours only when they are asked for, outside a terminal', () => {
    const table = (...args: string[]) => answer(['--format', 'table', ...args, sql]);
    expect(table('--colour', 'always')).toContain('\u001b[1m');
    expect(table('--colour', 'auto')).not.toContain('\u001b');
    expect(table()).not.toContain('\u001b');
  });

  it('is an array for each statement in json', () => {
    const arrays = answer(['--format', 'json', 'select 1 as a; select 2 as a where false']);
    expect(arrays).toBe('[\n{"a":1}\n]\n[]\n');
  });

  it('gives every example of the project in json, from stdin', () => {
    const home = path.join(folder, 'examples');
    writeHome(home, 3);
    const texts = readdirSync('sql/examples', { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.sql'))
      .map(name => `sql/examples/${name}`);
    expect(texts.length).toBeGreaterThan(25);
    for (const file of texts) {
      const { status, stdout } = ahq(['--format', 'json', '-f', file], { home });
      expect(status, file).toBe(0);
      expect(Array.isArray(JSON.parse(stdout))).toBe(true);
    }
  });
});

describe('--timer', () => {
  it('says in one line what the statements cost', () => {
    const home = writeHome(path.join(folder, 'timer'), 12);
    const sql = `from read_conversations('${home}') select line_number; select 1`;
    const { stdout, stderr } = ahq(['--timer', sql]);
    expect(stdout.split('\n')).toHaveLength(16);
    const [times, cost] = stderr.split(', 1 file opened, ');
    expect(times).toMatch(/^ahq: \d+\.\d\d s, \d+\.\d\d s CPU$/);
    expect(cost).toMatch(/^\d\.\d kB read, 12 lines, 12 records parsed, 13 rows\n$/);
  });
});

describe('a home without files', () => {
  it('gives no rows, and each place where it looked is named once', () => {
    const home = path.join(folder, 'nobody');
    mkdirSync(home);
    const sql = 'select count(*) as n from read_conversations()';
    const { status, stdout, stderr } = ahq([`${sql}; ${sql}`], { home });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'n\n0\nn\n0\n' });
    expect(stderr.split('\n')).toEqual([
      `ahq: note: read_conversations: path '${home}/.claude' does not exist`,
      `ahq: note: read_conversations: path '${home}/.config/claude' does not exist`,
      '',
    ]);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('the program', () => {
  it('says its version', () => {
    expect(answer(['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([[[]], [['schema']], [['sources']], [['demo']]])('shows the help of %j', command => {
    const help = answer([...command, '--help']);
    expect(help).toContain(`Usage: ${['ahq', ...command].join(' ')} `);
    const [, examples = ''] = help.split('Examples:\n');
    expect(examples.match(/^ {2}ahq /gm)?.length).toBeGreaterThanOrEqual(2);
  });

  it('needs no home folder and no variables', () => {
    expect(answer(['select 1 as a'], { variables: { HOME: '' } })).toBe('a\n1\n');
  });
});
