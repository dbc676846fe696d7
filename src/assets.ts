/**
 * The files that come with ahq beside its code.
 *
 * They are found from this module, which lies one folder below the package's root both as source
 * (`src/`) and in the bundle (`dist/`).
 */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);

/** An example query: `text` is SQL that begins with its question as a comment. */
export interface Example {
  /** The name of its file. */
  readonly name: string;
  readonly text: string;
}

/** The harness home that the examples are written for. */
export function demoHome(): string {
  return fileURLToPath(new URL('fixtures/claude/demo/.claude', ROOT));
}

/** The example queries in their order. Throws what the file system throws. */
export function examples(): readonly Example[] {
  const folder = new URL('sql/examples/', ROOT);
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'));
  return names.sort().map(name => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
}

/** The statements that make the store's own tables. Throws what the file system throws. */
export function storeSchema(): readonly string[] {
  const folder = new URL('sql/store/schema/', ROOT);
  const names = readdirSync(folder).filter(name => name.endsWith('.sql'));
  return names.sort().map(name => readFileSync(new URL(name, folder), 'utf8'));
}

const statements = new Map<string, string>();

/** A statement over the store, by the name of its file in `sql/store/`; read once. */
export function storeStatement(name: string): string {
  const known =
    statements.get(name) ?? readFileSync(new URL(`sql/store/${name}.sql`, ROOT), 'utf8');
  statements.set(name, known);
  return known;
}

/** The version of the package. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  return String((manifest as { readonly version?: unknown }).version);
}
