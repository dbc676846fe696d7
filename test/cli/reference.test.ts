/** The generated parts of the README say what the declarations and the program say. */

import { describe, expect, it } from 'vitest';
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
    for (const command of [[], ['schema'], ['sources'], ['demo']]) {
      const help = ahq([...command, '--help']).stdout.trimEnd();
      expect(text).toContain(`### \`${['ahq', ...command].join(' ')}\`\n\n\`\`\`text\n${help}\n`);
    }
  });

  it('say what each harness fills', () => {
    const [head, , ...rows] = coverageMarkdown().split('\n');
    expect(head).toBe(
      '| harness | conversations | events | plans | todos | history | stats | moved by |',
    );
    const claude =
      '| Claude Code (`claude`) | yes | yes | yes | yes | yes | yes | `CLAUDE_CONFIG_DIR` |';
    expect(rows).toContain(claude);
  });
});
