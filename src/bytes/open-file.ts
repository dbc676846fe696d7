/** Opening a file to read it. */

import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

/** An open file; whoever opened it closes it. */
export interface OpenFile {
  readonly descriptor: number;
  readonly stat: Stats;
}

/**
 * Opens `path` to read it, without ever waiting: a pipe that nobody writes to would hold up the
 * whole process. Throws for pipes and devices, which have no size and no end, and the operating
 * system's error when the file cannot be opened.
 */
export function openFile(path: string): OpenFile {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    // The system's own word for a folder comes when it is read.
    if (!stat.isFile() && !stat.isDirectory()) throw new Error(NO_FILE);
    return { descriptor, stat };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Why pipes, sockets and devices are not read. */
export const NO_FILE = 'it is not an ordinary file';
