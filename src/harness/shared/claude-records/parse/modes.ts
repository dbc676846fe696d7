/**
 * Permission mode and plan mode, whenever they change.
 *
 * Files begin with records that carry no time. A mode that such a record tells waits for the first
 * record with one; its row keeps the address of the record that told it.
 */

import { nonEmptyText } from '../../fields.ts';
import { addEvent, changed, type Line } from './line.ts';

const KIND = 'permission_mode';

/** A permission mode that a record names. */
export function notePermission(line: Line, mode: string): void {
  const { state, uid, place } = line;
  if (line.at === null) {
    state.heldMode = { mode, uid, place };
    return;
  }
  if (changed(state, KIND, mode) !== null) addEvent(line, KIND, { value: mode });
}

/** Tells the mode that waited for a time. */
export function releaseHeldMode(line: Line): void {
  const { state } = line;
  const { heldMode } = state;
  if (heldMode === null || line.ownAt === null) return;
  state.heldMode = null;
  const { mode, uid, place } = heldMode;
  if (changed(state, KIND, mode) === null) return;
  addEvent({ ...line, uid, place }, KIND, { value: mode });
}

/** Takes a record of type `permission-mode`. */
export function readPermissionMode(line: Line): void {
  const mode = nonEmptyText(line.value['permissionMode']);
  if (mode !== null) notePermission(line, mode);
}

/** Takes a record of type `mode`: whether the agent plans. */
export function readMode(line: Line): void {
  const mode = nonEmptyText(line.value['mode']);
  if (mode === null || changed(line.state, 'mode', mode) === null) return;
  addEvent(line, 'plan_mode', { value: mode, detail: { source: 'mode_record' } });
}
