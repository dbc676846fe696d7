/** How `ahq` fails: exit codes, and one plain message on stderr. */

import { type StdioOptions, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ahq, program } from '../support/ahq.ts';
import { makeFolder, removeFolder } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => {
  removeFolder(folder);
});

/** The message and the exit code of a run that prints nothing else. */
function failure(args: readonly string[], input = ''): { status: number | null; message: string } {
  const { status, stdout, stderr } = ahq(args, { input });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^ahq: .*\n$/s);
  expect(stderr).not.toMatch(/\n\s+at /);
  return { status, message: stderr.slice('ahq: '.length, -1) };
}

describe('a message', () => {
  it('shows what would steer a terminal instead of sending it', () => {
    const { stderr } = ahq(["from read_plans('/no\u001b[2Jwhere')"]);
    expect(stderr).toContain("path '/no␛[2Jwhere' matches nothing");
    expect(failure(['select "\u001b[2J" from (select 1)']).message).not.toContain('\u001b');
  });
});

describe('wrong usage ends with 2', () => {
  it.each([
    [['--fomat', 'csv', 'select 1'], "unknown option '--fomat' (Did you mean --format?)"],
    [['--format', 'xml', 'select 1'], "argument 'xml' is invalid. Allowed choices are table, json"],
    [['--max-rows', 'many', 'select 1'], "argument 'many' is invalid. It takes a whole number."],
    [['--colour', 'red', 'select 1'], "argument 'red' is invalid"],
    [['-o'], "option '-o, --output <file>' argument missing"],
    [['select', '1'], 'the SQL must be one argument: quote it, ahq "select 1"'],
    [['-f', 'a.sql', 'select 1'], "SQL is given twice: as an argument and by -f 'a.sql'"],
    [['--timezone', 'Nowhere/City', 'select 1'], "unknown time zone 'Nowhere/City'"],
    [['--timezone', "'; drop", 'select 1'], "unknown time zone ''; drop'"],
    [['schema', 'plans', 'todos'], 'too many arguments'],
    [['-f', 'a.sql', 'schema'], "'ahq schema' has no option '-f, --file <file>'"],
    [[''], 'there is no statement in the SQL'],
    [['-- nothing\n;;'], 'there is no statement in the SQL'],
    [[], 'there is no statement in the SQL'],
  ])('%j', (args, expected) => {
    const { status, message } = failure(args);
    expect(status).toBe(2);
    expect(message).toContain(expected);
    expect(message).not.toContain('\n');
  });
});

describe("DuckDB's refusal ends with 2 and keeps its words", () => {
  it('with the line and the mark', () => {
    const { status, message } = failure(['select 1 as a,\n  nonsense']);
    expect(status).toBe(2);
    expect(message.split('\n').slice(-2)).toEqual(['LINE 2:   nonsense', '          ^']);
  });

  it('with its hint for a misspelt function', () => {
    const { status, message } = failure(['from read_conversation()']);
    expect(status).toBe(2);
    expect(message).toContain('Did you mean "read_conversations"?');
  });

  it('with the parameters that a function has', () => {
    const { status, message } = failure(["from read_plans(pth := 'x')"]);
    expect(status).toBe(2);
    expect(message).toMatch(/Invalid named parameter "pth".*path VARCHAR/s);
  });

  it('with a mark below the text that it shows, where a path got its name', () => {
    const { message } = failure(["from read_plans('x') where wrong = 1"]);
    const [line = '', mark = ''] = message.split('\n').slice(-2);
    expect(line).toBe("LINE 1: from read_plans(path='x') where wrong = 1");
    expect(mark.indexOf('^')).toBe(line.indexOf('wrong'));
  });

  it('after the answers of earlier statements', () => {
    const { status, stdout, stderr } = ahq(['select 1 as a; select nonsense']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: 'a\n1\n' });
    expect(stderr).toContain('nonsense');
  });
});

describe('what the disk or the data refuses ends with 1', () => {
  it('a file of SQL that is not there, or is a folder', () => {
    expect(failure(['-f', `${folder}/none.sql`])).toEqual({
      status: 1,
      message: `cannot read '${folder}/none.sql': it does not exist`,
    });
    expect(failure(['-f', folder])).toEqual({
      status: 1,
      message: `cannot read '${folder}': it is a folder (EISDIR)`,
    });
  });

  it('a place without events', () => {
    const { status, message } = failure([`from read_events('${folder}/none')`]);
    expect(status).toBe(1);
    expect(message).toBe(`read_events: path '${folder}/none' does not exist`);
  });

  it('a folder that no harness recognises', () => {
    const place = path.join(folder, 'empty');
    mkdirSync(place);
    const { status, message } = failure([`from read_events('${place}')`]);
    expect(status).toBe(1);
    expect(message).toContain('read_events: unsupported provider');
  });

  it('a full disk behind stdout', () => {
    const full = openSync('/dev/full', 'w');
    const stdio: StdioOptions = ['ignore', full, 'pipe'];
    const ended = spawnSync(process.execPath, [program, 'select 1'], { stdio, encoding: 'utf8' });
    closeSync(full);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toBe('ahq: cannot write stdout: the disk is full (ENOSPC)\n');
  });
});
