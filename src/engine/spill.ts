/**
 * Where DuckDB puts what does not fit into memory.
 *
 * Each engine spills into a folder of its own: DuckDB gives its files the same names in every
 * process, so that two processes in one folder read each other's bytes, and it removes the folder
 * at the end. It makes that folder itself, when it first needs it, but none above it: so where
 * ahq's data folder does not exist yet, the folder lies in the nearest one above that does.
 * Nothing is written for a query that fits into memory.
 */

import { isFolderAt } from '../bytes/walk.ts';
import { AhqError } from '../errors.ts';
import { dataFolder, type Environment } from '../places.ts';

/**
 * A new path for one engine, or an empty text where there is no home folder: what DuckDB takes
 * for "do not spill".
 */
export function spillFolder(environment: Environment): string {
  const data = knownDataFolder(environment);
  if (data === null) return '';
  const { join } = environment.path;
  const above = nearestFolder(data, environment);
  const name = `spill-${Math.random().toString(36).slice(2)}`;
  return join(above, above === data ? name : `ahq-${name}`);
}

/** The data folder, or null where nothing says where it would be. */
function knownDataFolder(environment: Environment): string | null {
  try {
    return dataFolder(environment);
  } catch (error) {
    if (error instanceof AhqError && error.code === 'USAGE') return null;
    throw error;
  }
}

function nearestFolder(folder: string, environment: Environment): string {
  const { dirname } = environment.path;
  let nearest = folder;
  while (!isFolderAt(nearest) && nearest !== dirname(nearest)) {
    nearest = dirname(nearest);
  }
  return nearest;
}
