/** The harnesses, in the order in which a folder is tried against them. */

import { claude } from './claude/index.ts';
import type { Harness } from './harness.ts';

/** Every harness; the first that recognises a folder reads it. */
export const harnesses: readonly Harness[] = [claude];
