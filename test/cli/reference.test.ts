/** The generated parts of the README say what the declarations and the program say. */

import { describe, expect, it } from 'vitest';
import { relations } from '../../src/relations/index.ts';
import { ahq } from '../support/ahq.ts';
import { commandsMarkdown, coverageMarkdown, relationsMarkdown } from '../support/reference.ts';

describe('the generated parts', () => {
  it('list every relation', () => {
    const lines = relationsMarkdown().split('\n');
    expect(lines.slice(0, 2)).toEqual(['| function | rows | columns |', '| --- | --- | --- |']);
    const names = [...relationsMarkdown().matchAll(/^\| `(\w+)\(\)` \|/gm)].map(([, name]) => name);
    const listed = ahq(['schema', '--format', 'csv']).stdout.matchAll(/^\w+,(read_\w+),/gm);
    expect(names).toEqual([...listed].map(([, name]) => name));
  });

  it('hold the help of the program and of each command, as it is printed', () => {
    const text = commandsMarkdown();
    for (const name of ['', 'schema', 'sources', 'demo', 'refresh', 'status']) {
      const command = name === '' ? [] : [name];
      const help = ahq([...command, '--help']).stdout.trimEnd();
      expect(text).toContain(`### \`${['ahq', ...command].join(' ')}\`\n\n\`\`\`text\n${help}\n`);
    }
  });

  it('say what each harness fills', () => {
    const lines = coverageMarkdown().split('\n');
    const matrix = lines.filter(line => line.startsWith('|')).map(line => line.split(' | '));
    const [head = [], , ...rows] = matrix;
    const at = head.indexOf('`claude`');
    expect(head[0]).toBe('| relation');
    expect(at).toBeGreaterThan(0);
    expect(rows.map(([first]) => first?.replace(/^\| /, ''))).toEqual([
      ...relations.map(({ name }) => `\`${name}\``),
      'moved by',
    ]);
    const claude = rows.map(cells => [cells[0], cells[at]]);
    expect(claude).toContainEqual(['| `stats`', 'yes']);
    expect(claude).toContainEqual(['| `tool_op`', '–']);
    expect(claude.at(-1)).toEqual(['| moved by', '`CLAUDE_CONFIG_DIR`']);
    expect(lines).toContainEqual(expect.stringMatching(/^- Claude Code, tool_op: \S/));
  });
});
