/** Compressing and back, for tests and benches of what reads compressed files. */

import { createRequire } from 'node:module';

interface Zstd {
  compress(bytes: Uint8Array, options?: Readonly<Record<string, unknown>>): Buffer;
  decompress(bytes: Uint8Array): Buffer;
}

/** Throws where the optional package zstd-napi is not installed. */
function zstd(): Zstd {
  return createRequire(import.meta.url)('zstd-napi');
}

/** A zstd frame of some bytes. */
export function compress(bytes: Uint8Array, options?: Readonly<Record<string, unknown>>): Buffer {
  return zstd().compress(bytes, options);
}

/** The bytes of a zstd frame. */
export function decompress(bytes: Uint8Array): Buffer {
  return zstd().decompress(bytes);
}

/**
 * Whether compressed files can be read here. A machine that checks (`CI`) must be able to: there
 * it is said so in any case, and what reads them fails.
 */
export function canReadZstd(): boolean {
  if (process.env['CI']) return true;
  try {
    return zstd() !== null;
  } catch {
    return false;
  }
}
