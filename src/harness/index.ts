/** The harnesses, in the order in which a folder is tried against them. */

import { claude } from './claude/index.ts';
import { claudeDesktop } from './claude-desktop/index.ts';
import { codex } from './codex/index.ts';
import { copilot } from './copilot/index.ts';
import { cursor } from './cursor/index.ts';
import { gemini } from './gemini/index.ts';
import { grok } from './grok/index.ts';
import type { Harness } from './harness.ts';
import { pi } from './pi/index.ts';
import { qwen } from './qwen/index.ts';

/** Every harness; the first that recognises a folder reads it. */
export const harnesses: readonly Harness[] = [
  claudeDesktop,
  claude,
  copilot,
  cursor,
  codex,
  grok,
  gemini,
  pi,
  qwen,
];
