/**
 * Who wrote a row of Codex.
 *
 * - `agent`: what the model said, thought, planned or called;
 * - `tool`: outputs of tools, and completed items whose text is one;
 * - in the user's slot, in this order: `system` for what Codex puts there in envelopes of its own,
 *   `caller` where a program supplied the prompt (a sub-agent's session, `codex exec`), else
 *   `user`;
 * - `system`: everything else, developer messages too.
 */

import type { SourceContext } from '../harness.ts';
import { contentOf, messageType } from './content.ts';
import { sessionOf } from './session.ts';
import { type CodexUnit, envelopeOf } from './units.ts';

/** The value of `author`. */
export type Author = 'user' | 'caller' | 'agent' | 'tool' | 'system';

const BY_AGENT: ReadonlySet<string> = new Set(['assistant', 'agent_message', 'reasoning', 'plan']);

const BY_TOOL: ReadonlySet<string> = new Set([
  'collab_agent_tool_call',
  'command_execution',
  'dynamic_tool_call',
  'file_change',
  'image_view',
  'mcp_tool_call',
]);

/** How texts begin that Codex puts into the user's slot. */
const ENVELOPES = [
  '<environment_context>',
  '<user_instructions>',
  '# AGENTS.md instructions',
  '<turn_aborted>',
  '<recommended_plugins>',
  '<heartbeat>',
  '<subagent_notification>',
  '<codex_internal_context>',
  '<app-context>',
  '<external_codex_apps_open_page>',
  '<task-notification>',
];

/** Who wrote a row; never null. */
export function authorOf(unit: CodexUnit, context: SourceContext): Author {
  const type = messageType(unit);
  const { isCall, isOutput } = envelopeOf(unit);
  if (isCall) return 'agent';
  if (isOutput) return 'tool';
  if (BY_AGENT.has(type)) return 'agent';
  if (BY_TOOL.has(type)) return 'tool';
  if (type !== 'user' && type !== 'user_message') return 'system';
  if (isInjected(unit)) return 'system';
  const { isAgent, client } = sessionOf(context);
  return isAgent || client === 'exec' ? 'caller' : 'user';
}

/** Whether the text of a row in the user's slot is Codex's own. */
export function isInjected(unit: CodexUnit): boolean {
  const text = contentOf(unit)?.trimStart() ?? '';
  return ENVELOPES.some(envelope => text.startsWith(envelope));
}
