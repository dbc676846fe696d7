/** What records of Codex say about tools. */

import { member } from '../../bytes/json.ts';
import { nonEmptyText } from '../shared/fields.ts';

const CALL = /_call$/;
const OUTPUT = /_output$/;

/** Whether a response item calls a tool, run here or at the provider. */
export function isCall(payload: unknown): boolean {
  return CALL.test(typeIn(payload));
}

/** Whether a response item is what a tool gave. */
export function isOutput(payload: unknown): boolean {
  return OUTPUT.test(typeIn(payload));
}

/** The call that a record is or belongs to, or null. */
export function callIn(payload: unknown): string | null {
  return nonEmptyText(member(payload, 'call_id'));
}

/** The tool that a call names; tools of the provider are named by the type of their calls. */
export function toolIn(payload: unknown): string | null {
  const name = nonEmptyText(member(payload, 'name'));
  const type = typeIn(payload);
  if (name !== null || type === 'function_call' || type === 'custom_tool_call') return name;
  return type.replace(CALL, '');
}

/** What a call asks, text or JSON; undefined when it says nothing. */
export function inputIn(payload: unknown): unknown {
  for (const name of ['arguments', 'input', 'action']) {
    const input = member(payload, name);
    if (input !== undefined && input !== null) return input;
  }
  return undefined;
}

function typeIn(payload: unknown): string {
  return nonEmptyText(member(payload, 'type')) ?? '';
}
