/**
 * Another program at work on a database: `node sqlite-writer.mjs FILE MODE`.
 *
 * `wal` leaves rows in a write-ahead log that is not checkpointed, `lock` holds the file for itself
 * alone. Says `ready` when it is so, and ends when its input does.
 */

import process from 'node:process';
import Database from 'better-sqlite3';

const [path, mode] = process.argv.slice(2);
const database = new Database(path);
if (mode === 'wal') {
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  const insert = database.prepare('INSERT INTO state VALUES (?, ?)');
  for (let index = 0; index < 100; index++) insert.run(`wal:${index}`, `"${index}"`);
} else {
  database.exec('BEGIN EXCLUSIVE');
}
process.stdout.write('ready\n');
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
