/** Why an answer could not be written. */

import { AhqError, systemCode } from '../errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
};

/** The error to throw when writing to `target` failed: a path in quotes, or `stdout`. */
export function writeError(target: string, error: unknown): AhqError {
  const code = systemCode(error);
  const text = error instanceof Error ? error.message : String(error);
  const known = code !== null && Object.hasOwn(REASONS, code);
  const reason = known ? `${REASONS[code]} (${code})` : text;
  return new AhqError('READ', `cannot write ${target}: ${reason}`, { cause: error });
}
