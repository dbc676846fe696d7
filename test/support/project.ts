/** The project's own files, as a fresh checkout has them. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The project's root folder, absolute. */
export const projectRoot = path.resolve(import.meta.dirname, '../..');

/**
 * Paths of all files that belong to the project, relative to its root, with `/`, sorted.
 * `.gitignore` decides, read here because an unpacked archive or a checkout that belongs to
 * another user has no working git. It understands names, `*.ending` and a closing `/`.
 */
export function projectFiles(): readonly string[] {
  files ??= walk('', ignoredNames()).sort();
  return files;
}

/** The text of a project file. */
export function projectText(file: string): string {
  return readFileSync(path.join(projectRoot, file), 'utf8');
}

let files: string[] | undefined;

function walk(folder: string, isIgnored: (name: string) => boolean): string[] {
  const entries = readdirSync(path.join(projectRoot, folder), { withFileTypes: true });
  return entries
    .filter(entry => !isIgnored(entry.name))
    .flatMap(entry => {
      const name = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? walk(name, isIgnored) : [name];
    });
}

function ignoredNames(): (name: string) => boolean {
  const lines = projectText('.gitignore').split('\n');
  const patterns = ['.git', ...lines.map(line => line.trim().replace(/\/$/, ''))];
  const names = new Set(patterns.filter(pattern => pattern !== '' && !pattern.startsWith('#')));
  const endings = [...names].filter(name => name.startsWith('*')).map(name => name.slice(1));
  return name => names.has(name) || endings.some(ending => name.endsWith(ending));
}
