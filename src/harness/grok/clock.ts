/**
 * Times and tokens for the chat of a session, which has neither: both come from the updates.
 *
 * A line of the chat takes the time of the next update of its kind. The clock only goes forward,
 * and only where it leads to such an update: a line whose kind never comes leaves it where it was.
 * So that this costs no search, a first pass notes the last line of each kind. The same pass finds
 * the usage of the last completed turn, which stands for the session.
 */

import { integerOf, isObject, member, textOf } from '../../bytes/json.ts';
import type { SourceRecord } from '../../bytes/record.ts';
import type { SourceContext } from '../harness.ts';
import { at, isoOfMs } from '../shared/fields.ts';

/** Tokens as the last completed turn counts them; input includes what came from the cache. */
export interface Usage {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly reasoning: number | null;
}

/** The clock as plain JSON. */
export interface SavedClock {
  readonly usage: Usage | null;
  /** The last line of each kind of update that has a time. */
  readonly lastLines: Readonly<Record<string, number>>;
  /** The line of the update that gave the last time. */
  readonly line: number;
}

/** The clock of one session. */
export class Clock {
  readonly usage: Usage | null;
  readonly #lastLines: Readonly<Record<string, number>>;
  #line: number;
  #updates: Iterator<SourceRecord> | null = null;

  constructor({ usage, lastLines, line }: SavedClock) {
    this.usage = usage;
    this.#lastLines = lastLines;
    this.#line = line;
  }

  /** Everything that a later clock needs to go on. */
  save(): SavedClock {
    return { usage: this.usage, lastLines: this.#lastLines, line: this.#line };
  }

  /** The time of the next update of one of these kinds, in ISO 8601; null when none comes. */
  next(kinds: readonly string[], context: SourceContext): string | null {
    if (!kinds.some(kind => this.#comes(kind))) return null;
    this.#updates ??= updatesAfter(this.#line, context);
    for (let step = this.#updates.next(); !step.done; step = this.#updates.next()) {
      const { value, lineNumber } = step.value;
      this.#line = lineNumber;
      if (kinds.includes(kindOf(value) ?? '')) return timeOf(value);
    }
    return null;
  }

  #comes(kind: string): boolean {
    return (this.#lastLines[kind] ?? 0) > this.#line;
  }
}

/** A clock at the beginning of a session. */
export function startClock(context: SourceContext): Clock {
  const lastLines: Record<string, number> = {};
  let usage: Usage | null = null;
  for (const { value, lineNumber } of context.companionRecords('updates')) {
    const kind = kindOf(value);
    if (kind !== null) lastLines[kind] = lineNumber;
    usage = usageOf(value) ?? usage;
  }
  return new Clock({ usage, lastLines, line: 0 });
}

function* updatesAfter(line: number, context: SourceContext): Generator<SourceRecord> {
  for (const record of context.companionRecords('updates')) {
    if (record.lineNumber > line) yield record;
  }
}

/** Kinds of updates that lines of the chat take their times from. */
const KINDS: ReadonlySet<string> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'user_message_chunk',
]);

/** The kind of an update that can give a time, else null. */
function kindOf(value: unknown): string | null {
  const kind = textOf(member(at(value, 'params', 'update'), 'sessionUpdate'));
  return kind !== null && KINDS.has(kind) && timeOf(value) !== null ? kind : null;
}

/** Updates count whole seconds since 1970. */
function timeOf(value: unknown): string | null {
  const seconds = integerOf(member(value, 'timestamp'));
  return isoOfMs(seconds === null ? null : seconds * 1000)?.replace('.000Z', 'Z') ?? null;
}

function usageOf(value: unknown): Usage | null {
  const update = at(value, 'params', 'update');
  const usage = member(update, 'usage');
  if (member(update, 'sessionUpdate') !== 'turn_completed' || !isObject(usage)) return null;
  return {
    input: integerOf(member(usage, 'inputTokens')),
    output: integerOf(member(usage, 'outputTokens')),
    cacheRead: integerOf(member(usage, 'cachedReadTokens')),
    reasoning: integerOf(member(usage, 'reasoningTokens')),
  };
}
