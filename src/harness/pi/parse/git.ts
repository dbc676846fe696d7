/**
 * Commits and pushes of shell commands: what git printed, then what the command is proved to have
 * done by its success and git did not print.
 */

import { commitsIn, pushesIn, unprovedExtras } from '../../shared/shell/git-output.ts';
import type { OpenCall, Step } from './state.ts';

const SHA_DIGITS = 12;

/** Adds what a command did to git, from its output. */
export function addGitEvents(step: Step, callUid: string, call: OpenCall, output: string): void {
  const { rows, place, owner, at, state } = step;
  if (call.tool !== 'bash' || !rows.wants('git_event')) return;
  const shared = { ...owner, turn_key: call.turn, call_uid: callUid, ts: at, cwd: state.cwd };
  const commits = commitsIn(output);
  const pushes = pushesIn(output);
  for (const [index, { branch, sha }] of commits.entries()) {
    rows.add('git_event', place, {
      ...{ event_uid: `${callUid}:commit:${index}`, ...shared, op: 'commit' },
      ...{ evidence: 'output_regex', branch, sha_short: sha.slice(0, SHA_DIGITS) },
    });
  }
  for (const [index, { destination, to }] of pushes.entries()) {
    rows.add('git_event', place, {
      ...{ event_uid: `${callUid}:push:${index}`, ...shared, op: 'push' },
      ...{ evidence: 'output_regex', branch: destination },
      sha_short: to?.slice(0, SHA_DIGITS) ?? null,
    });
  }
  for (const { operation, index } of unprovedExtras(call.git, commits.length, pushes.length)) {
    const group = operation === 'push' ? 'push' : 'commit';
    rows.add('git_event', place, {
      ...{ event_uid: `${callUid}:${group}:cmd${index}`, ...shared },
      ...{ op: operation, evidence: 'command' },
    });
  }
}
