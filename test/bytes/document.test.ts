/** Whole files as one record. */

import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument } from '../../src/bytes/document.ts';
import { MAX_LINE_BYTES } from '../../src/bytes/lines.ts';
import { SourceRecord } from '../../src/bytes/record.ts';
import { Work } from '../../src/bytes/work.ts';
import { makeFolder, removeFolder, writeFile } from '../support/folder.ts';

let folder: string;

beforeAll(() => {
  folder = makeFolder();
});

afterAll(() => removeFolder(folder));

/** A file of so many zero bytes that takes no room on the disk. */
function sparseFile(name: string, byteLength: number): string {
  const path = writeFile(folder, name);
  const descriptor = openSync(path, 'r+');
  ftruncateSync(descriptor, byteLength);
  closeSync(descriptor);
  return path;
}

describe('a document', () => {
  it('is one record of all its bytes, line breaks included', () => {
    const content = '{\r\n  "a": "é"\n}\n';
    const path = writeFile(folder, 'plan.json', content);
    const work = new Work();
    const document = readDocument(path, work);
    const byteLength = Buffer.byteLength(content);
    expect(document).toEqual({
      buffer: Buffer.from(content),
      start: 0,
      end: byteLength,
      lineNumber: 1,
      byteOffset: 0,
      byteLength,
      ending: null,
      offsetSpace: 'file',
      recordKey: null,
      isTooLong: false,
    });
    const counts = { bytesRead: byteLength, filesOpened: 1, linesRead: 0, recordsParsed: 0 };
    expect(work).toEqual(Object.assign(new Work(), counts));
    expect(new SourceRecord(document, work).value).toEqual({ a: '\xc3\xa9' });
  });

  it('may be empty', () => {
    const document = readDocument(writeFile(folder, 'empty.md'), new Work());
    expect([document.end, document.byteLength, document.isTooLong]).toEqual([0, 0, false]);
    expect(new SourceRecord(document, new Work()).isBlank).toBe(true);
  });

  it('may be any bytes', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const { buffer } = readDocument(writeFile(folder, 'bytes.md', bytes), new Work());
    expect(buffer.equals(bytes)).toBe(true);
  });

  it('is read through a link', () => {
    writeFile(folder, 'target.md', 'text');
    symlinkSync('target.md', `${folder}/link.md`);
    expect(readDocument(`${folder}/link.md`, new Work()).buffer.toString()).toBe('text');
  });
});

describe('a document over the limit', () => {
  it('is an address: it is not opened, and no byte of it is read', () => {
    const path = sparseFile('long.json', MAX_LINE_BYTES + 1);
    const work = new Work();
    const document = readDocument(path, work);
    expect(document).toMatchObject({ start: 0, end: 0, isTooLong: true });
    expect([document.byteLength, document.buffer.length]).toEqual([MAX_LINE_BYTES + 1, 0]);
    expect(work).toEqual(new Work());
    expect(new SourceRecord(document, work).error).toContain('268435457 bytes is over the limit');
  });

  it('is longer than the limit itself', () => {
    const document = readDocument(sparseFile('just.json', MAX_LINE_BYTES), new Work());
    expect([document.isTooLong, document.buffer.length]).toEqual([false, MAX_LINE_BYTES]);
  });
});

describe('a document that cannot be read', () => {
  it.each([
    ['is missing', 'nothing', 'ENOENT'],
    ['lies in a file', 'file/x', 'ENOTDIR'],
    ['is a folder', 'folder', 'EISDIR'],
    ['is a link to itself', 'loop', 'ELOOP'],
  ])('throws the error of the operating system when it %s', (_, name, code) => {
    writeFile(folder, 'file');
    mkdirSync(`${folder}/folder`, { recursive: true });
    if (name === 'loop') symlinkSync('loop', `${folder}/loop`);
    const work = new Work();
    const read = () => readDocument(`${folder}/${name}`, work);
    expect(read).toThrow(expect.objectContaining({ code }));
    expect(work).toEqual(new Work());
  });

  it('is a pipe or a device, and nobody waits for it', () => {
    execFileSync('mkfifo', [`${folder}/pipe`]);
    for (const path of [`${folder}/pipe`, '/dev/zero']) {
      expect(() => readDocument(path, new Work())).toThrow('it is not an ordinary file');
    }
  });
});
