/** What every harness promises about every home, as checks that name what breaks it. */

import { lostBytes, unseenFiles, wrongAddresses } from './address-checks.ts';
import type { Home } from './home.ts';
import {
  looseTexts,
  lostResults,
  ownerlessRows,
  silentSessions,
  strangeWords,
  wrongCensus,
} from './meaning-checks.ts';
import { changedParsedRows, forgetfulParsers, misplacedRows } from './parsed-checks.ts';
import { changedRows, forgetfulReaders, tornRows, unsteadyRows } from './reader-checks.ts';
import {
  disagreeingRows,
  linesWithoutRows,
  lostTypes,
  rowsWithoutAuthor,
  rowsWithoutOrigin,
  sharedKeys,
  undeclaredRows,
  wrongCounts,
  wrongCoverage,
} from './row-checks.ts';
import type { HomeRows } from './rows.ts';
import { impossibleUsage, wrongUsage } from './usage-checks.ts';

/** Gives one line for each breach of the contract, none where it holds. */
export type Check = (home: Home, rows: HomeRows) => readonly string[] | Promise<readonly string[]>;

/** Every check, by the sentence that it proves. */
export const CONTRACT: readonly (readonly [sentence: string, check: Check])[] = [
  ['fills the relations that it says it fills', wrongCoverage],
  ['gives every byte of every transcript', lostBytes],
  ['reads every transcript or says why not', unseenFiles],
  ['leads from every row back to its line', wrongAddresses],
  ['gives one row for each line, and by block at least one', linesWithoutRows],
  ['tells the same about a record by block and by line', disagreeingRows],
  ['counts record types as a script does', wrongCounts],
  ['gives rows as they are declared', undeclaredRows],
  ['names harness and file in every row', rowsWithoutOrigin],
  ['gives no two rows with one key', sharedKeys],
  ['keeps types that it does not know', lostTypes],
  ['names an author for every row', rowsWithoutAuthor],
  ['goes on from its state after any record', forgetfulReaders],
  ['does not depend on the size of blocks', tornRows],
  ['gives through SQL what the readers compute', changedRows],
  ['parses the same whatever the blocks and after any stop', forgetfulParsers],
  ['gives through SQL as many rows as its parser makes', changedParsedRows],
  ['leads from every row of a parser back to its record', misplacedRows],
  ['counts in its census what is in the files', wrongCensus],
  ['gives every talk a session, a turn and a message', silentSessions],
  ['gives no row whose session is missing', ownerlessRows],
  ['loses no result of a tool', lostResults],
  ['joins what went into a tool and came out to its call', looseTexts],
  ['adds up usage as a script does', wrongUsage],
  ['gives only usage that is possible', impossibleUsage],
  ['uses the words that it declares', strangeWords],
  ['gives the same rows twice', unsteadyRows],
];
