/**
 * What results mean in Codex. Of a tool's name only what follows the last dot counts.
 *
 * - wait and sleep bring an event when their output shows that a process has exited, wait_agent
 *   when it says that it has not timed out; else they wait.
 * - Tools that run commands or code follow the rule about these, with the exit of a process making
 *   an event of a wait, unless the code itself slept. write_stdin with nothing to write is a poll.
 * - list_agents and get_goal look; tools that start, tell or stop agents orchestrate; the person
 *   answers request_user_input.
 */

import { member, textOf } from '../../../bytes/json.ts';
import { compactJson } from '../../../bytes/json-print.ts';
import { lookUp } from '../fields.ts';
import { type ExecClass, execClass } from './exec-class.ts';
import { commandOf, decodedInput, type FinishedCall, type ResultClass } from './finished-call.ts';

const CLASSES: Readonly<Record<string, ResultClass>> = {
  list_agents: 'status',
  get_goal: 'status',
  spawn_agent: 'orchestrate',
  send_message: 'orchestrate',
  followup_task: 'orchestrate',
  interrupt_agent: 'orchestrate',
  request_user_input: 'user',
  request_user_input_async: 'user',
};

const SHELL_TOOLS = ['exec_command', 'shell', 'shell_command', 'local_shell', 'write_stdin'];
const CODE_TOOLS = ['exec', 'js', 'run'];

/** An output may hold JSON in a string, with a backslash before each quote. */
const EXIT = /Process exited with code -?\d|\bexit_code\\?"?\s*[:=]\s*-?\d/;
const NOT_TIMED_OUT = /\btimed_out\\?"?\s*:\s*false\b/;
const CODE_SLEEPS = /\btools\.(?:\w+__)?sleep\b|setTimeout/;

/** What the result of a call means. */
export function codexResultClass(call: FinishedCall): ResultClass {
  const tool = call.tool.slice(call.tool.lastIndexOf('.') + 1);
  const output = call.outputText ?? '';
  if (tool === 'wait' || tool === 'sleep') return EXIT.test(output) ? 'event' : 'wait';
  if (tool === 'wait_agent') return NOT_TIMED_OUT.test(output) ? 'event' : 'wait';
  if (!SHELL_TOOLS.includes(tool) && !CODE_TOOLS.includes(tool)) {
    return lookUp(CLASSES, tool) ?? 'work';
  }
  const input = decodedInput(call.input);
  if (input === undefined || input === null) return 'work';
  const text = textIn(input);
  const found = isPoll(tool, input) ? 'wait' : classOf(tool, input, text);
  return found === 'wait' && EXIT.test(output) && !CODE_SLEEPS.test(text) ? 'event' : found;
}

function classOf(tool: string, input: unknown, text: string): ExecClass {
  const isShell = SHELL_TOOLS.includes(tool) || commandOf(input) !== null;
  return execClass(text, isShell ? 'shell' : 'cell');
}

/** The command or the code that an input holds, or the whole input as text. */
function textIn(input: unknown): string {
  const code = commandOf(input) ?? textOf(member(input, 'script')) ?? textOf(member(input, 'code'));
  return code ?? textOf(input) ?? compactJson(input) ?? '';
}

/** Whether a call asks a process for what it has printed, giving it no text. */
function isPoll(tool: string, input: unknown): boolean {
  if (tool !== 'write_stdin' || member(input, 'session_id') === undefined) return false;
  return (member(input, 'chars') ?? '') === '';
}
