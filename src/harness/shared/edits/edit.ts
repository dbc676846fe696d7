/** What a tool did to one file: the common form of all ways in which harnesses record it. */

/** How many lines came and went; null where the record does not tell. */
export interface LineCounts {
  readonly added: number | null;
  readonly removed: number | null;
}

/** One change of one file. A moved file has its new path, and `moveFrom` is the old one. */
export interface FileEdit extends LineCounts {
  readonly op: 'create' | 'edit' | 'delete' | 'move';
  readonly path: string;
  readonly moveFrom: string | null;
}
