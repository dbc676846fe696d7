/** `file:` addresses, by which editors name folders. */

import { fromWire, toWire } from '../../bytes/text.ts';

/**
 * The path that a `file:` address names, in the way of the system that it is from; other addresses
 * as they are. What does not decode stays as written. Wire text.
 */
export function pathOfUri(uri: string): string {
  const [, host, encoded] = /^file:\/\/([^/]*)(\/.*)$/s.exec(uri) ?? [];
  if (host === undefined || encoded === undefined) return uri;
  const path = decoded(encoded);
  if (/^\/[A-Za-z]:/.test(path)) return path.slice(1).replaceAll('/', '\\');
  return host === '' ? path : `\\\\${host}${path.replaceAll('/', '\\')}`;
}

function decoded(path: string): string {
  try {
    return toWire(decodeURIComponent(fromWire(path)));
  } catch {
    return path;
  }
}
