import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

/**
 * Tests that make databases or compressed files need the packages that are optional for users. A
 * check on a machine (`CI`) must have them; elsewhere their tests are left out, aloud.
 */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': [
    'test/bytes/sqlite-*.test.ts',
    'test/harness/codex-session.test.ts',
    'test/harness/copilot.test.ts',
    'test/harness/cursor*.test.ts',
    'test/logic/*.test.ts',
  ],
  'zstd-napi': [
    'test/bench/codex-corpus.test.ts',
    'test/bytes/compressed.test.ts',
    'test/harness/codex-places.test.ts',
  ],
};

/** What needs Python with the packages duckdb, duckdb-cli and pytz in the folder of this variable. */
const STOCK = 'AHQ_TEST_STOCK';
const STOCK_TESTS = ['test/store/stock.test.ts'];

function leftOut(): string[] {
  return [...leftOutByPackage(), ...leftOutByStock()];
}

function leftOutByStock(): string[] {
  if (process.env[STOCK] !== undefined || process.env['CI']) return [];
  process.stderr.write(`${STOCK} is not set: left out ${STOCK_TESTS.join(', ')}\n`);
  return STOCK_TESTS;
}

function leftOutByPackage(): string[] {
  const require = createRequire(import.meta.url);
  return Object.entries(NEEDS).flatMap(([packageName, tests]) => {
    try {
      require(packageName);
      return [];
    } catch {
      if (process.env['CI']) return [];
      process.stderr.write(`${packageName} is not installed: left out ${tests.join(', ')}\n`);
      return tests;
    }
  });
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/shapes/**', ...leftOut()],
    env: { TZ: 'UTC', NO_COLOR: '1' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
