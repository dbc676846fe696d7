import { defineConfig } from 'vitest/config';

/** Runs what the ordinary configuration leaves out: the contract over homes that are not ours. */
export default defineConfig({
  test: {
    include: ['test/shapes/**/*.test.ts'],
    env: { TZ: 'UTC', NO_COLOR: '1' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
