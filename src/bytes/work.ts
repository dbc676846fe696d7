/** Counts of work done, so that speed can be promised in numbers that hold on any machine. */

/** What reading cost so far. All figures only grow. */
export class Work {
  /** Bytes read from files. */
  bytesRead = 0;
  /** Files of which at least one byte was asked for. */
  filesOpened = 0;
  /** Lines found, parsed or not. */
  linesRead = 0;
  /** Records decoded as JSON. */
  recordsParsed = 0;
}
