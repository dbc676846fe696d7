/**
 * Counts of records, strictly: `12` is one; `12.0`, `1e3`, `-1`, `true` and `"12"` are not.
 *
 * Decoding takes `12.0` for 12. So a record that holds such a number is decoded once more with all
 * numbers left out that are not written as integers. Hardly any record does.
 */

import type { SourceRecord } from '../../../bytes/record.ts';

/** A number with a fraction of zeros or an exponent, or what looks like one within a text. */
const SUSPECT = /[:,[]\s*-?[0-9]+(?:\.0+|(?:\.[0-9]+)?[eE][+-]?[0-9]+)\s*[,}\]]/;

const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/**
 * The decoded value of a record; numbers that are not written as integers may be null in it. Only
 * those in members called `keys`, and behind them, are sure to be looked at.
 */
export function valueWithCounts(record: SourceRecord, ...keys: readonly string[]): unknown {
  const bytes = record.buffer.subarray(record.start, record.end);
  // Between quotes that are not escaped a name is a name, not a part of a text.
  const places = keys.map(key => bytes.indexOf(`"${key}"`)).filter(at => at >= 0);
  const first = Math.min(bytes.length, ...places);
  if (!SUSPECT.test(bytes.toString('latin1', first))) return record.value;
  return JSON.parse(withoutFractions(record.wire.replace(BYTE_ORDER_MARK, '')));
}

const NUMBER_START = /[-0-9]/;
const NUMBER = /[-+.eE0-9]+/y;

/** Valid JSON with `null` for every number that has a fraction or an exponent. */
function withoutFractions(wire: string): string {
  let text = '';
  let copied = 0;
  for (let at = 0; at < wire.length; ) {
    if (wire.charAt(at) === '"') {
      at = endOfString(wire, at);
    } else if (NUMBER_START.test(wire.charAt(at))) {
      NUMBER.lastIndex = at;
      const token = NUMBER.exec(wire)?.[0] ?? '-';
      if (/[.eE]/.test(token)) {
        text += `${wire.slice(copied, at)}null`;
        copied = at + token.length;
      }
      at += token.length;
    } else {
      at++;
    }
  }
  return text + wire.slice(copied);
}

function endOfString(wire: string, start: number): number {
  let at = start + 1;
  while (at < wire.length && wire.charAt(at) !== '"') at += wire.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}
