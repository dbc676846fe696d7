/** Holds the contract against the homes in a folder: `npm run test:shapes -- FOLDER`. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  process.stderr.write('usage: npm run test:shapes -- FOLDER (a home, or a folder of homes)\n');
  process.exit(2);
}

const root = path.resolve(import.meta.dirname, '../..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const config = path.join(root, 'test/shapes/vitest.config.ts');
const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', config], {
  cwd: root,
  env: { ...process.env, AHQ_SHAPES: path.resolve(folder) },
  stdio: 'inherit',
});
process.exit(status ?? 1);
