import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tortureFiles, tortureReadme, writeTorture } from './fixtures/torture.ts';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'claude', 'torture');

const pathsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(path => path.startsWith('.claude/'))
    .sort();

/** The contents of the lines of a transcript that are whole prompts `before` and `after`. */
const goodPrompts = (bytes: Buffer): string[] =>
  bytes
    .toString()
    .split(/[\r\n]+/)
    .filter(line => /"content":"(before|after)"\}\}$/.test(line))
    .map(line => JSON.parse(line.replace(/^\ufeff/, '')).message.content);

describe('the torture fixture', () => {
  const files = tortureFiles();
  const committed = files.filter(file => file.committed);
  const scratch = mkdtempSync(join(tmpdir(), 'ahq-torture-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('is what its builder makes, byte for byte', () => {
    const differing = committed.filter(
      ({ path, bytes }) => !bytes.equals(readFileSync(join(FOLDER, path))),
    );
    expect(differing.map(file => file.path)).toEqual([]);
  });

  it('holds no file that the builder does not make', () => {
    expect(pathsBelow(FOLDER)).toEqual(committed.map(file => file.path).sort());
  });

  it('is described file by file in its README', () => {
    expect(readFileSync(join(FOLDER, 'README.md'), 'utf8')).toBe(tortureReadme());
  });

  it('never uses a path twice', () => {
    expect(new Set(files.map(file => file.path)).size).toBe(files.length);
  });

  it('keeps a good prompt on both sides of every evil line', () => {
    const good = files.filter(file => file.good === 2);
    expect(good.length).toBeGreaterThan(100);
    for (const { path, bytes } of good)
      expect(goodPrompts(bytes), path).toEqual(['before', 'after']);
  });

  it('can be written whole, odd names included', () => {
    writeTorture(scratch);
    expect(pathsBelow(scratch)).toEqual(files.map(file => file.path).sort());
  });
});
