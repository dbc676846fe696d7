/**
 * Whether the output of a tool is whole.
 *
 * Tools that cut record how; where that makes no sense, the output is taken for cut. The tool that
 * reads files also says so at the end of what it gives, and then the output is cut, and otherwise
 * whole. Of other tools that record nothing it is not known.
 */

import { isObject, member } from '../../../bytes/json.ts';
import { strictCount } from '../../shared/prompt/numbers.ts';

/** Whether an output was cut; null where that is not known. */
export function outputTruncated(
  tool: string | null,
  details: unknown,
  text: string,
  isError: boolean,
): boolean | null {
  const recorded = recordedCut(member(details, 'truncation'));
  if (recorded === true) return true;
  if (tool !== 'read') return recorded;
  if (saysCut(text)) return true;
  return isError ? null : false;
}

/** What the record of a cut says; null where there is none. */
function recordedCut(truncation: unknown): boolean | null {
  if (truncation === undefined || truncation === null) return null;
  if (!isObject(truncation)) return true;
  const isCut = truncation['truncated'];
  if (typeof isCut === 'boolean') return isCut;
  const all = strictCount(truncation['totalLines']);
  const given = strictCount(truncation['outputLines']);
  return isCut !== undefined || all === null || given === null || given !== all;
}

const MORE = /\[[1-9]\d* more lines in file[^\]\n]*\]\s*$/;
const EXCEEDS = /\[Line \d+ [^\]\n]*exceeds [^\]\n]*limit[^\]\n]*\]\s*$/;
const SHOWING = /\[Showing lines \d+-(\d+) of (\d+)[^\]\n]*\]\s*$/;

/** A notice stands on the last line, and is never longer. */
const NOTICE_BYTES = 1000;

function saysCut(text: string): boolean {
  const end = text.slice(-NOTICE_BYTES);
  if (MORE.test(end) || EXCEEDS.test(end)) return true;
  const [, last, all] = SHOWING.exec(end) ?? [];
  return last !== all;
}
