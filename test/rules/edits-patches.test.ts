/** Files in patches: the text that a tool gets, and what Codex records of one that it applied. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWire } from '../../src/bytes/text.ts';
import { codexChanges } from '../../src/harness/shared/edits/codex-changes.ts';
import { patchFiles } from '../../src/harness/shared/edits/patch.ts';

const PATCH = [
  '*** Begin Patch',
  '*** Add File: new.ts',
  '+one',
  '+two',
  '*** Update File: src/a b.ts',
  '@@ function f() {',
  ' kept',
  '-old',
  '--- old too',
  '+new',
  '@@',
  '++++ new too',
  '+*** Delete File: not-a-head.ts',
  ' *** Delete File: not-a-head.ts',
  '*** End of File',
  '*** Delete File: gone.ts',
  '*** Update File: from.ts',
  '*** Move to: to.ts',
  '@@',
  '-x',
  '+y',
  '*** Update File: only-moved.ts',
  '*** Move to: there/only-moved.ts',
  '*** End Patch',
].join('\n');

const FILES = [
  { op: 'create', path: 'new.ts', moveFrom: null, added: 2, removed: 0 },
  { op: 'edit', path: 'src/a b.ts', moveFrom: null, added: 3, removed: 2 },
  { op: 'delete', path: 'gone.ts', moveFrom: null, added: 0, removed: null },
  { op: 'move', path: 'to.ts', moveFrom: 'from.ts', added: 1, removed: 1 },
  { op: 'move', path: 'there/only-moved.ts', moveFrom: 'only-moved.ts', added: 0, removed: 0 },
];

const HERE_DOCUMENT = `cd /repo && apply_patch <<'EOF'\n${PATCH}\nEOF\ngit diff -- +a\n`;

describe('patchFiles', () => {
  it.each([
    ['alone', PATCH],
    ['with line ends of Windows', PATCH.replaceAll('\n', '\r\n')],
    ['in a here-document', HERE_DOCUMENT],
    ['as a quoted argument', `apply_patch "${PATCH}"`],
    ['under input', JSON.stringify({ input: PATCH })],
    ['under patch', JSON.stringify({ workdir: '/repo', patch: PATCH })],
    ['under cmd, in a here-document', JSON.stringify({ cmd: HERE_DOCUMENT })],
    ['as an argument', JSON.stringify({ command: ['apply_patch', PATCH] })],
    ['in a shell', JSON.stringify({ command: ['bash', '-lc', HERE_DOCUMENT] })],
    ['in a list', JSON.stringify(['apply_patch', PATCH])],
    ['as a JSON string', JSON.stringify(PATCH)],
    ['with lines around it', `-before\n+before\n${PATCH}\n+after\n-after`],
    ['without its end', PATCH.replace('\n*** End Patch', '')],
  ])('finds every file of a patch %s', (_name, text) => {
    expect(patchFiles(text)).toEqual(FILES);
  });

  it.each([
    ['', 'nothing'],
    ['*** Update File: a.ts\n+a', 'no beginning'],
    ['*** Begin Patch\n*** End Patch', 'no file'],
    ['*** Begin Patch\n+a\n-b\n*** End Patch', 'lines before a file'],
    ['{"input":"nothing"}', 'JSON without a patch'],
    ['{"input":"*** Begin Patch\\n*** Add File: a', 'JSON that was cut off'],
    ['[ -f a ] && echo', 'a command that starts like JSON'],
  ])('finds nothing in %j: %s', text => {
    expect(patchFiles(text)).toEqual([]);
  });

  it('reads two patches of one command', () => {
    const one = '*** Begin Patch\n*** Add File: a\n+a\n*** End Patch';
    const two = '*** Begin Patch\n*** Delete File: b\n*** End Patch';
    const files = patchFiles(`apply_patch <<A\n${one}\nA\n+no\napply_patch <<B\n${two}\nB`);
    expect(files.map(({ op, path, added }) => [op, path, added])).toEqual([
      ['create', 'a', 1],
      ['delete', 'b', 0],
    ]);
  });

  it('gives paths as bytes, also where one ends like a blank and JSON escapes it', () => {
    const path = 'voil\u00e0';
    const patch = `*** Begin Patch\n*** Add File:  ${path} \t\r\n+\u00e0\n*** End Patch`;
    const escaped = JSON.stringify({ input: patch }).replaceAll('\u00e0', '\\u00e0');
    for (const text of [toWire(patch), toWire(JSON.stringify({ input: patch })), escaped]) {
      expect(patchFiles(text).map(file => file.path)).toEqual([toWire(path)]);
    }
  });

  it('never throws, and never finds more than there is', () => {
    const piece = fc.constantFrom(...PATCH.split('\n'), '{"input":"', '[', '"', '\\', 'EOF');
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('\n', '\r\n', ''), (pieces, end) => {
        const text = pieces.join(end);
        expect(patchFiles(text).length).toBeLessThanOrEqual(text.split(' File:').length - 1);
      }),
    );
  });
});

describe('codexChanges', () => {
  const diff = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n kept\n-old\n+new\n';
  const edited = { op: 'edit', path: '/r/a', moveFrom: null, added: 1, removed: 1 };
  const moved = { op: 'move', path: '/r/b', moveFrom: '/r/a', added: 1, removed: 1 };
  const created = { op: 'create', path: '/r/a', moveFrom: null, added: 2, removed: 0 };
  const deleted = { op: 'delete', path: '/r/a', moveFrom: null, added: 0, removed: 2 };

  it.each([
    [{ type: 'update', unified_diff: diff, move_path: null }, edited],
    [{ type: 'update', unified_diff: diff, move_path: '/r/b' }, moved],
    [{ type: 'add', content: '+a\n-b' }, created],
    [{ type: 'delete', content: 'a\nb\n' }, deleted],
    [{ type: 'delete' }, { ...deleted, removed: null }],
    [{ type: 'add' }, { ...created, added: null }],
    [{ type: 'update' }, { ...edited, added: null, removed: null }],
    [{ update: { unified_diff: diff, move_path: null } }, edited],
    [{ update: { unified_diff: diff, move_path: '/r/b' } }, moved],
    [{ add: { content: 'a\nb' } }, created],
    [{ delete: { content: 'a\nb' } }, deleted],
  ])('reads the change %j of a path', (change, expected) => {
    expect(codexChanges({ '/r/a': change })).toEqual([expected]);
  });

  it.each([
    [{ kind: 'update', diff }, edited],
    [{ kind: { type: 'update', move_path: null }, diff }, edited],
    [{ kind: { type: 'update', move_path: '/r/b' }, diff: `${diff}\nMoved to: /r/b` }, moved],
    [{ kind: { type: 'add' }, diff: 'a\nb\n' }, created],
    [{ kind: 'delete', diff: 'a\nb\n' }, deleted],
    [{ kind: 'add' }, { ...created, added: null }],
  ])('reads the item %j of a list', (change, expected) => {
    expect(codexChanges([{ path: '/r/a', ...change }])).toEqual([expected]);
  });

  it('keeps the order of the files', () => {
    const changes = { b: { type: 'add', content: '' }, a: { type: 'delete', content: '' } };
    expect(codexChanges(changes).map(({ path, added, removed }) => [path, added, removed])).toEqual(
      [
        ['b', 0, 0],
        ['a', 0, 0],
      ],
    );
  });

  it('leaves out what is no change', () => {
    const odd = { a: null, b: 'add', c: { type: 'chmod' }, d: { type: 1 }, e: [], f: { add: 'x' } };
    expect(codexChanges(odd)).toEqual([]);
    expect(codexChanges([{ kind: 'add', diff: '' }, null, 7, { path: 'a' }])).toEqual([]);
    fc.assert(fc.property(fc.jsonValue(), value => Array.isArray(codexChanges(value))));
  });
});
