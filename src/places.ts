/**
 * Where ahq keeps its own files, and how `~` is read.
 *
 * Every function takes the machine as a value, so that Windows and macOS are tested on Linux;
 * only `environment` looks at the real one. The first rule that answers wins:
 *
 * 1. `AHQ_DATA_DIR`, `AHQ_STATE_DIR`, `AHQ_CONFIG_DIR`: the folder itself;
 * 2. `XDG_DATA_HOME`, `XDG_STATE_HOME`, `XDG_CONFIG_HOME`, plus `ahq`, on every system; a relative
 *    value is ignored, as the XDG base directory specification demands;
 * 3. the custom of the system, as the npm package env-paths has it:
 *
 * |        | Linux and others   | macOS                             | Windows                  |
 * | ------ | ------------------ | --------------------------------- | ------------------------ |
 * | data   | ~/.local/share/ahq | ~/Library/Application Support/ahq | %LOCALAPPDATA%\ahq\Data  |
 * | state  | ~/.local/state/ahq | the same, then State              | %LOCALAPPDATA%\ahq\State |
 * | config | ~/.config/ahq      | ~/Library/Preferences/ahq         | %APPDATA%\ahq\Config     |
 *
 * macOS and Windows have no custom for state: there it lies beside the data.
 * An empty variable counts as unset.
 */

import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { AhqError } from './errors.ts';

/** The parts of a machine that decide where files live. */
export interface Environment {
  /** The operating system, as Node names it. */
  readonly platform: NodeJS.Platform;
  /** The user's home folder, or an empty text where there is none. */
  readonly home: string;
  /** The environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The path rules of the system: `path.win32` on Windows, else `path.posix`. */
  readonly path: typeof path.posix;
}

/** A folder on Windows: a variable that names its parent, and the parent when it is unset. */
interface WindowsFolder {
  readonly variable: string;
  readonly otherwise: readonly string[];
  readonly below: readonly string[];
}

/** One kind of folder: the variables that name it and its customary place on each system. */
interface Folder {
  readonly own: string;
  readonly xdg: string;
  readonly unix: readonly string[];
  readonly mac: readonly string[];
  readonly windows: WindowsFolder;
}

const LOCAL = { variable: 'LOCALAPPDATA', otherwise: ['AppData', 'Local'] };
const ROAMING = { variable: 'APPDATA', otherwise: ['AppData', 'Roaming'] };

const DATA: Folder = {
  own: 'AHQ_DATA_DIR',
  xdg: 'XDG_DATA_HOME',
  unix: ['.local', 'share', 'ahq'],
  mac: ['Library', 'Application Support', 'ahq'],
  windows: { ...LOCAL, below: ['ahq', 'Data'] },
};

const STATE: Folder = {
  own: 'AHQ_STATE_DIR',
  xdg: 'XDG_STATE_HOME',
  unix: ['.local', 'state', 'ahq'],
  mac: ['Library', 'Application Support', 'ahq', 'State'],
  windows: { ...LOCAL, below: ['ahq', 'State'] },
};

const CONFIG: Folder = {
  own: 'AHQ_CONFIG_DIR',
  xdg: 'XDG_CONFIG_HOME',
  unix: ['.config', 'ahq'],
  mac: ['Library', 'Preferences', 'ahq'],
  windows: { ...ROAMING, below: ['ahq', 'Config'] },
};

/**
 * The folder of the store and of everything that costs time to make again.
 * Throws `USAGE` when no variable names it and there is no home folder.
 */
export function dataFolder(env: Environment): string {
  return folder(DATA, env);
}

/**
 * The folder of what may be lost without harm: shell history, spooled results.
 * Throws `USAGE` when no variable names it and there is no home folder.
 */
export function stateFolder(env: Environment): string {
  return folder(STATE, env);
}

/**
 * The folder of `config.toml`.
 * Throws `USAGE` when no variable names it and there is no home folder.
 */
export function configFolder(env: Environment): string {
  return folder(CONFIG, env);
}

/**
 * A path as typed, with a leading `~` replaced by the home folder: `~` alone, `~/…`, and on
 * Windows `~\…`. The rest stays as it is, globs included, and so does `~user`.
 * Throws `USAGE` when the text asks for a home folder and there is none.
 */
export function expandHome(text: string, env: Environment): string {
  if (text === '~') return home(env, 'spell the path out');
  const separators = env.path.sep === '\\' ? '\\/' : '/';
  if (!text.startsWith('~') || !separators.includes(text.charAt(1))) return text;
  const base = home(env, 'spell the path out');
  const rest = text.slice(separators.includes(base.slice(-1)) ? 2 : 1);
  return base + rest;
}

/** The machine this process runs on. */
export function environment(): Environment {
  // On Windows process.env answers in any letter case; a copy of it would not.
  return { platform: process.platform, home: realHome(), variables: process.env, path };
}

function folder(kind: Folder, env: Environment): string {
  const own = env.variables[kind.own];
  // Taken as written: whoever names a relative folder means the one they stand in.
  if (own) return expandHome(own, env);
  const xdg = absolute(env.variables[kind.xdg], env);
  if (xdg !== null) return env.path.join(xdg, 'ahq');
  return customary(kind, env);
}

function customary(kind: Folder, env: Environment): string {
  const remedy = `set ${kind.own}`;
  if (env.platform === 'darwin') return env.path.join(home(env, remedy), ...kind.mac);
  if (env.platform !== 'win32') return env.path.join(home(env, remedy), ...kind.unix);
  const { variable, otherwise, below } = kind.windows;
  const parent = absolute(env.variables[variable], env);
  return env.path.join(parent ?? env.path.join(home(env, remedy), ...otherwise), ...below);
}

function home(env: Environment, remedy: string): string {
  const found = absolute(env.home, env);
  if (found !== null) return found;
  const name = env.platform === 'win32' ? 'USERPROFILE' : 'HOME';
  throw new AhqError('USAGE', `no home folder: ${name} is "${env.home}"; set it, or ${remedy}`);
}

function absolute(value: string | undefined, env: Environment): string | null {
  return value && env.path.isAbsolute(value) ? value : null;
}

function realHome(): string {
  try {
    return homedir();
  } catch {
    // A container may run as a user id without a passwd entry: then there is no home.
    return '';
  }
}
