/**
 * `workspace.yaml`, which the Copilot CLI keeps beside the events of a session.
 *
 * The file is flat: a `key: value` a line. A value may be plain, in single or double quotes, or a
 * block (`|` keeps its line breaks, `>` folds them) whose lines are indented; names of sessions
 * are written so when they are long. Plain `null`, `~` and nothing are no value. Whatever else YAML
 * may hold (lists, nested maps) is passed over.
 */

import { fromWire, toWire } from '../../bytes/text.ts';
import type { SourceContext } from '../harness.ts';

/** The values of the file by key, as wire text. */
export type Workspace = ReadonlyMap<string, string>;

/** The workspace of the session that a source belongs to; empty when there is none. */
export function workspaceOf(context: SourceContext): Workspace {
  const lines: string[] = [];
  for (const record of context.companionRecords('workspace')) lines.push(fromWire(record.wire));
  const values = parseWorkspace(lines);
  return new Map([...values].map(([key, value]) => [key, toWire(value)]));
}

/** What people call the session: its summary, or its name in versions since 1.0. */
export function titleOf(workspace: Workspace): string | null {
  return workspace.get('summary') ?? workspace.get('name') ?? null;
}

/** The values of a file given by its lines, as ordinary text; never fails. */
export function parseWorkspace(lines: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, key, text = ''] = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/s.exec(line) ?? [];
    if (key === undefined) continue;
    const style = /^([|>])[-+\d]*\s*$/.exec(text)?.[1];
    const value = style ? blockAfter(lines, at, style) : scalarOf(text.trim());
    if (value !== null && value !== '') values.set(key, value);
  }
  return values;
}

function scalarOf(text: string): string | null {
  if (text.startsWith('"')) return doubleQuoted(text);
  const [, single] = /^'((?:[^']|'')*)'/.exec(text) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  const plain = text.replace(/(^|[ \t])#.*$/s, '').trim();
  return plain === 'null' || plain === '~' ? null : plain;
}

/** Double quotes as JSON reads them; YAML has escapes that JSON has not, which stay as written. */
function doubleQuoted(text: string): string | null {
  const [quoted, inside = null] = /^"((?:[^"\\]|\\.)*)"/s.exec(text) ?? [];
  if (quoted === undefined) return null;
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : inside;
  } catch {
    return inside;
  }
}

function blockAfter(lines: readonly string[], at: number, style: string): string {
  const block: string[] = [];
  for (const line of lines.slice(at + 1)) {
    if (/^\S/.test(line)) break;
    block.push(line);
  }
  const [indent = ''] = /^[ \t]*/.exec(block.find(line => line.trim() !== '') ?? '') ?? [];
  const texts = block.map(line => line.slice(indent.length).trimEnd());
  if (style === '|') return texts.join('\n').trimEnd();
  // A blank line in a folded block is a line break, any other line break is a space.
  return texts
    .map(text => (text === '' ? '\n' : text))
    .join(' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .trim();
}
