/**
 * The folder that an agent worked in, by the place of its transcript.
 *
 * The folder of a project in `~/.cursor/projects` has the path as its name, every run of other
 * characters than letters and digits written as `-`: what they were is lost. The agent on the
 * command line also writes the path itself, into `.workspace-trusted`. A name of digits only, and
 * the names of windows without a folder, stand for no path.
 */

import { member } from '../../bytes/json.ts';
import type { SourceContext } from '../harness.ts';
import { nonEmptyText } from '../shared/fields.ts';

const NO_FOLDER = /^(\d*|unknown|empty-window)$/;
const WINDOWS_DRIVE = /^[a-zA-Z]-/;

/** The folder as wire text, or null where nothing tells. */
export function folderOfTranscript(context: SourceContext): string | null {
  const trusted = nonEmptyText(member(context.companion('trusted'), 'workspacePath'));
  if (trusted !== null) return trusted;
  const name = context.source.facts['projectDir'] ?? '';
  if (NO_FOLDER.test(name)) return null;
  if (WINDOWS_DRIVE.test(name)) return `${name[0]}:\\${name.slice(2).replaceAll('-', '\\')}`;
  return `/${name.replaceAll('-', '/')}`;
}
