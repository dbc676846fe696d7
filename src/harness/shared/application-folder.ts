/**
 * The folder in which desktop applications keep their data for one user:
 *
 *     Linux    $XDG_CONFIG_HOME or ~/.config
 *     macOS    ~/Library/Application Support
 *     Windows  %APPDATA%
 *
 * A relative value is ignored, as the XDG base directory specification demands.
 */

import type { Environment } from '../../places.ts';

/** The folder by the custom of the system. */
export function applicationFolder({ platform, home, path, variables }: Environment): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  const isWindows = platform === 'win32';
  const moved = variables[isWindows ? 'APPDATA' : 'XDG_CONFIG_HOME'];
  if (moved && path.isAbsolute(moved)) return moved;
  return isWindows ? path.join(home, 'AppData', 'Roaming') : path.join(home, '.config');
}
