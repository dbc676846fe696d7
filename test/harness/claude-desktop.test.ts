/** Claude Desktop: where tasks lie, what the app adds to them, and what is not counted twice. */

import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeDesktop } from '../../src/harness/claude-desktop/index.ts';
import type { Environment, ObjectRow } from '../../src/index.ts';
import { locate } from '../../src/scan/locate.ts';
import { ask, machine } from '../support/asking.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

const TASKS = 'local-agent-mode-sessions/org/space';
const VM = '/sessions/brave-quiet-heron';
const PROJECT = '.claude/projects/-sessions-brave-quiet-heron';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const prompt = (content: string, more: object = {}) =>
  `${JSON.stringify({ type: 'user', sessionId: 'c1', cwd: VM, message: { content }, ...more })}\n`;

function writeTask(name: string, text: string, description?: unknown): void {
  writeFile(home, `${TASKS}/${name}/${PROJECT}/c1.jsonl`, prompt(text));
  if (description !== undefined) {
    writeFile(home, `${TASKS}/${name}.json`, JSON.stringify(description));
  }
}

async function read(columns = '*', at = home): Promise<readonly ObjectRow[]> {
  return (await ask(`SELECT ${columns} FROM read_conversations(path = $path)`, { path: at })).rows;
}

/** The part of Claude Desktop's tree that a path is, or null. */
function partOf(name: string): string | null {
  const { places } = locate({ path: path.join(home, name), source: null }, machine(home), () => {});
  const [place] = places;
  return place?.harness === claudeDesktop ? place.root.part : null;
}

describe('the homes of Claude Desktop', () => {
  const on = (platform: NodeJS.Platform, folder: string, variables: Environment['variables']) => {
    const rules = platform === 'win32' ? path.win32 : path.posix;
    return claudeDesktop.description.homes({ platform, home: folder, variables, path: rules });
  };

  it('are where applications keep their data, by system', () => {
    expect(on('darwin', '/Users/mira', {})).toEqual([
      '/Users/mira/Library/Application Support/Claude',
    ]);
    expect(on('linux', '/home/mira', {})).toEqual(['/home/mira/.config/Claude']);
    expect(on('linux', '/home/mira', { XDG_CONFIG_HOME: '/conf' })).toEqual(['/conf/Claude']);
    expect(on('linux', '/home/mira', { XDG_CONFIG_HOME: 'conf' })).toEqual([
      '/home/mira/.config/Claude',
    ]);
  });

  it('on Windows are the roaming folder and the packages of the store', () => {
    expect(on('win32', 'C:\\Users\\mira', {})).toEqual([
      'C:\\Users\\mira\\AppData\\Roaming\\Claude',
      'C:\\Users\\mira\\AppData\\Local\\Packages',
    ]);
    expect(on('win32', 'C:\\U', { APPDATA: 'D:\\R', LOCALAPPDATA: 'D:\\L' })).toEqual([
      'D:\\R\\Claude',
      'D:\\L\\Packages',
    ]);
  });

  it('in packages are those of Claude alone', async () => {
    const inside = `LocalCache/Roaming/Claude/${TASKS}/local_a/${PROJECT}/c1.jsonl`;
    writeFile(home, `Packages/Claude_pzs8x/${inside}`, prompt('from the store'));
    writeFile(home, `Packages/Other_pzs8x/${inside}`, prompt('not ours'));
    const { rows } = await ask(
      `SELECT message_content FROM read_conversations(path = $path, source = 'claude-desktop')`,
      { path: path.join(home, 'Packages') },
    );
    expect(rows).toEqual([{ message_content: 'from the store' }]);
  });
});

describe('a path', () => {
  it('is recognised as the part of the tree that it is', () => {
    writeTask('local_a', 'hello');
    writeFile(home, `${TASKS}/local_a/${PROJECT}/c1/subagents/agent-b.jsonl`, prompt('brief'));
    const audit = '{"type":"user","_audit_timestamp":"2026-02-13T09:00:00Z"}\n';
    writeFile(home, `${TASKS}/local_a/audit.jsonl`, audit);
    const task = `${TASKS}/local_a`;
    expect(
      [
        ...['', 'local-agent-mode-sessions', TASKS, task, `${task}/audit.jsonl`],
        ...[`${task}/.claude`, `${task}/.claude/projects`, `${task}/${PROJECT}`],
        ...[`${task}/${PROJECT}/c1`, `${task}/${PROJECT}/c1/subagents`],
        `${task}/${PROJECT}/c1.jsonl`,
      ].map(partOf),
    ).toEqual([
      ...['home', 'tree', 'tree', 'tree', 'audit'],
      ...['claude home', 'claude projects', 'claude project'],
      ...['claude session', 'claude agents'],
      'claude file',
    ]);
  });

  it('gives the same row whatever part of the tree it names', async () => {
    writeTask('local_a', 'hello', { title: 'Greeting' });
    const parts = ['', TASKS, `${TASKS}/local_a`, `${TASKS}/local_a/.claude`];
    const files = [`${TASKS}/local_a/${PROJECT}`, `${TASKS}/local_a/${PROJECT}/c1.jsonl`];
    const whole = await read();
    expect(whole).toMatchObject([{ source: 'claude-desktop', metadata: '{"title":"Greeting"}' }]);
    for (const part of [...parts, ...files]) {
      expect(await read('*', path.join(home, part))).toEqual(whole);
    }
  });

  it('is a task of its own when it was copied elsewhere', () => {
    writeFile(home, `backup/local_a/${PROJECT}/c1.jsonl`, prompt('hello'));
    expect(partOf('backup/local_a')).toBe('tree');
    writeFile(home, 'other/audit.jsonl', '{"type":"user"}\n');
    expect(partOf('other/audit.jsonl')).toBeNull();
  });
});

describe('the project of a row', () => {
  it('is the first folder of the user while the task ran in a machine of its own', async () => {
    writeTask('local_a', 'hello', { userSelectedFolders: ['/Users/mira/tide', '/Users/mira/b'] });
    expect(await read('project_path, cwd')).toEqual([
      { project_path: '/Users/mira/tide', cwd: VM },
    ]);
  });

  it.each([
    ['no description', undefined],
    ['no folder', { userSelectedFolders: [] }],
    ['folders of a wrong type', { userSelectedFolders: 'none' }],
    ['a first folder of a wrong type', { userSelectedFolders: [7] }],
  ])('stays the working folder with %s', async (_, description) => {
    writeTask('local_a', 'hello', description);
    expect(await read('project_path')).toEqual([{ project_path: VM }]);
  });

  it('stays the working folder of a task that ran on the host', async () => {
    writeFile(
      home,
      `${TASKS}/local_a/${PROJECT}/c1.jsonl`,
      prompt('hello', { cwd: '/Users/mira/tide' }),
    );
    writeFile(home, `${TASKS}/local_a.json`, '{"userSelectedFolders":["/Users/mira/other"]}');
    expect(await read('project_path')).toEqual([{ project_path: '/Users/mira/tide' }]);
  });
});

describe('what the app knows of a task', () => {
  it('stands in the rows: its times in ISO 8601, its title in metadata', async () => {
    const times = { createdAt: 1770973200000, lastActivityAt: 1770973260500 };
    writeTask('local_a', 'hello', {
      sessionId: 'local_a',
      title: '潮',
      ...times,
      isArchived: true,
    });
    const columns = 'session_created_at, session_updated_at, archived, metadata, slug';
    expect(await read(columns)).toEqual([
      {
        session_created_at: '2026-02-13T09:00:00.000Z',
        session_updated_at: '2026-02-13T09:01:00.500Z',
        archived: true,
        metadata: '{"sessionId":"local_a","title":"潮"}',
        slug: null,
      },
    ]);
  });

  it('is NULL where it has a wrong type, one by one', async () => {
    writeTask('local_a', 'hello', { createdAt: '1', lastActivityAt: 1e300, isArchived: 1 });
    const columns = 'session_created_at, session_updated_at, archived, metadata, parse_error';
    const nothing = { session_created_at: null, session_updated_at: null, archived: null };
    expect(await read(columns)).toEqual([{ ...nothing, metadata: '{}', parse_error: null }]);
  });

  it('is told to be torn on the first row, wherever it was cut', async () => {
    const whole = '{"title":"潮","isArchived":true}';
    writeTask('local_a', 'hello');
    for (let length = 0; length < Buffer.byteLength(whole); length++) {
      writeFile(home, `${TASKS}/local_a.json`, Buffer.from(whole).subarray(0, length));
      const rows = await read('message_content, archived, metadata, parse_error');
      expect(rows).toMatchObject([{ message_content: 'hello', archived: null, metadata: null }]);
      expect(rows[0]?.['parse_error']).toMatch(/^task: ./);
    }
  });
});

describe('the audit log', () => {
  const record = (type: string, more: object) =>
    `${JSON.stringify({ type, session_id: 'c1', _audit_timestamp: 't', ...more })}\n`;

  it('repeats the messages, so conversations does not read it and events does', async () => {
    writeTask('local_a', 'hello');
    const log = record('user', {}) + record('result', { subtype: 'success' });
    writeFile(home, `${TASKS}/local_a/audit.jsonl`, log);
    expect(await read('message_content')).toEqual([{ message_content: 'hello' }]);
    const { rows } = await ask(
      `SELECT session_id, event_type, record_subtype, is_known_type
       FROM read_events(path = $path) WHERE file_name = 'audit.jsonl'`,
      { path: home },
    );
    const known = { session_id: 'local_a', is_known_type: true };
    expect(rows).toEqual([
      { ...known, event_type: 'user', record_subtype: null },
      { ...known, event_type: 'result', record_subtype: 'success' },
    ]);
  });

  it('is the file of that name in a task, not one that the user put there', async () => {
    writeFile(home, `${TASKS}/local_a/outputs/audit.jsonl`, record('user', {}));
    const { rows } = await ask('FROM read_events(path = $path)', { path: home });
    expect(rows).toEqual([]);
  });
});

it('reads the plans, todo lists, prompts and counts of every task', async () => {
  writeTask('local_a', 'hello');
  writeTask('local_b', 'hello');
  for (const task of ['local_a', 'local_b']) {
    writeFile(home, `${TASKS}/${task}/.claude/plans/calm.md`, '# Calm');
    writeFile(home, `${TASKS}/${task}/.claude/todos/c1-agent-c1.json`, '[{"content":"one"}]');
    writeFile(home, `${TASKS}/${task}/.claude/history.jsonl`, '{"display":"one"}\n');
    const day = '{"dailyActivity":[{"date":"2026-02-13","messageCount":2}]}';
    writeFile(home, `${TASKS}/${task}/.claude/stats-cache.json`, day);
  }
  for (const name of ['plans', 'todos', 'history', 'stats']) {
    const { rows } = await ask(`SELECT source FROM read_${name}(path = $path)`, { path: home });
    expect(rows).toEqual([{ source: 'claude-desktop' }, { source: 'claude-desktop' }]);
  }
});
