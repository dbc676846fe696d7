/**
 * What results mean in harnesses that have no tools for waiting and for agents: what a shell ran
 * follows the rule about commands, everything else is work.
 */

import { execClass } from './exec-class.ts';
import { commandOf, decodedInput, type FinishedCall, type ResultClass } from './finished-call.ts';

/** Names under which harnesses run shell commands, in small letters. */
const SHELL_TOOLS = [
  'bash',
  'execute_command',
  'powershell',
  'run_command',
  'run_in_terminal',
  'run_shell_command',
  'run_terminal_cmd',
  'run_terminal_command',
  'run_terminal_command_v2',
  'shell',
  'terminal',
];

/** What the result of a call means. */
export function genericResultClass(call: FinishedCall): ResultClass {
  if (!SHELL_TOOLS.includes(call.tool.toLowerCase())) return 'work';
  const input = decodedInput(call.input);
  const command = typeof input === 'string' ? input : commandOf(input);
  return command === null ? 'work' : execClass(command);
}
