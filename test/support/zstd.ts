/** Compressing, for tests and benches of what reads compressed files. */

import { createRequire } from 'node:module';

interface Zstd {
  compress(bytes: Uint8Array, options?: Readonly<Record<string, unknown>>): Buffer;
}

/** A zstd frame. Throws where the optional package zstd-napi is not installed. */
export function compress(bytes: Uint8Array, options?: Readonly<Record<string, unknown>>): Buffer {
  const zstd: Zstd = createRequire(import.meta.url)('zstd-napi');
  return zstd.compress(bytes, options);
}
