/** Git as sessions used it. */

import { instant, integer, requiredText, text } from './column.ts';
import { origin, owner, place } from './origin.ts';
import { relation } from './relation.ts';

/** Rows of `read_git_events()`: one per commit, push, pull request … that the records prove. */
export const gitEvent = relation({
  name: 'git_event',
  functionName: 'read_git_events',
  meaning: 'Commits, pushes, pull requests and the like, with what proves them',
  key: ['source', 'event_uid'],
  merge: 'NOTHING',
  columns: {
    ...origin,
    event_uid: requiredText('Identifier of the event'),
    ...owner,
    turn_key: text('Turn it belongs to'),
    call_uid: text('Tool call that did it'),
    ts: instant('When it was done'),
    op: requiredText('commit, cherry_pick, push, pr, rebase, merge or session_start'),
    evidence: requiredText('gitOperation, output_regex, command, pr_link or session_meta'),
    cwd: text('Working directory'),
    branch: text('Branch'),
    sha_short: text('Commit, up to 12 digits'),
    pr_number: integer('Number of the pull request'),
    pr_action: text('What was done to the pull request'),
    pr_url: text('Address of the pull request'),
    pr_repo: text('Repository of the pull request'),
    remote_url: text('Address of the remote'),
    ...place,
  },
});
