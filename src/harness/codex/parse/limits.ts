/** Rate limits: each window of each limit, whenever what it tells is not what it told before. */

import { isObject, member } from '../../../bytes/json.ts';
import { recordedJson } from '../../../bytes/json-print.ts';
import { nonEmptyText } from '../../shared/fields.ts';
import { instantMicros } from '../../shared/prompt/instants.ts';
import { looseInteger, strictCount } from '../../shared/prompt/numbers.ts';
import { type Line, ownerOf } from './line.ts';
import { remember } from './state.ts';

const WINDOWS = ['primary', 'secondary', 'credits'] as const;
const MAX_LIMITS = 64;
const SECOND = 1_000_000;

/** The limits in a `token_count`. */
export function readLimits(line: Line): void {
  const { state, payload } = line;
  if (!line.rows.wants('rate_limit_sample')) return;
  const limits = member(payload, 'rate_limits') ?? member(member(payload, 'info'), 'rate_limits');
  if (!isObject(limits)) return;
  for (const kind of WINDOWS) {
    const window = member(limits, kind);
    if (!isObject(window)) continue;
    const names = ['limit_id', 'limit_name', 'plan_type', 'rate_limit_reached_type'] as const;
    const shared = names.map(name => nonEmptyText(member(limits, name)));
    const told = recordedJson([...shared, window]) ?? '';
    const key = `${shared[0] ?? ''} ${kind}`;
    if (state.limits.get(key) === told) continue;
    remember(state.limits, key, told, MAX_LIMITS);
    addSample(line, kind, window, shared);
  }
}

function addSample(
  line: Line,
  kind: string,
  window: unknown,
  [id, name, plan, reached]: readonly (string | null)[],
): void {
  const used = member(window, 'used_percent');
  const left = looseInteger(member(window, 'resets_in_seconds'));
  const counted = left === null || line.at === null ? null : line.at + left * SECOND;
  line.rows.add('rate_limit_sample', line.place, {
    ...ownerOf(line),
    event_uid: line.uid,
    window_kind: kind,
    ts: line.at,
    limit_id: id ?? null,
    limit_name: name ?? null,
    plan_type: plan ?? null,
    used_percent: typeof used === 'number' ? used : null,
    window_minutes: strictCount(member(window, 'window_minutes')),
    resets_at: instantMicros(member(window, 'resets_at')) ?? counted,
    reached_type: reached ?? null,
  });
}
