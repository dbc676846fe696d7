import { homedir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AhqError } from '../src/errors.ts';
import type { Environment } from '../src/places.ts';
import { configFolder, dataFolder, environment, expandHome, stateFolder } from '../src/places.ts';

type Variables = Environment['variables'];

function linux(variables: Variables = {}, home = '/home/ada'): Environment {
  return { platform: 'linux', home, variables, path: path.posix };
}

function mac(variables: Variables = {}, home = '/Users/ada'): Environment {
  return { platform: 'darwin', home, variables, path: path.posix };
}

function windows(variables: Variables = {}, home = 'C:\\Users\\ada'): Environment {
  return { platform: 'win32', home, variables, path: path.win32 };
}

/** The three folders of a machine, in the order data, state, config. */
function folders(env: Environment): string[] {
  return [dataFolder(env), stateFolder(env), configFolder(env)];
}

/** The error that a call throws; anything but an AhqError fails the test. */
function refusal(call: () => unknown): AhqError {
  try {
    call();
  } catch (error) {
    if (error instanceof AhqError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('without any variable', () => {
  it('Linux uses the defaults of the XDG specification', () => {
    expect(folders(linux())).toEqual([
      '/home/ada/.local/share/ahq',
      '/home/ada/.local/state/ahq',
      '/home/ada/.config/ahq',
    ]);
  });

  it('an unknown Unix is treated as Linux is', () => {
    expect(folders({ ...linux(), platform: 'freebsd' })).toEqual(folders(linux()));
  });

  it('macOS uses the folders of the Library, with state below the data', () => {
    expect(folders(mac())).toEqual([
      '/Users/ada/Library/Application Support/ahq',
      '/Users/ada/Library/Application Support/ahq/State',
      '/Users/ada/Library/Preferences/ahq',
    ]);
  });

  it('Windows uses AppData below the home folder', () => {
    expect(folders(windows())).toEqual([
      'C:\\Users\\ada\\AppData\\Local\\ahq\\Data',
      'C:\\Users\\ada\\AppData\\Local\\ahq\\State',
      'C:\\Users\\ada\\AppData\\Roaming\\ahq\\Config',
    ]);
  });
});

describe('the variables of Windows', () => {
  it('LOCALAPPDATA and APPDATA move the folders to another drive', () => {
    const env = windows({ LOCALAPPDATA: 'D:\\Local', APPDATA: 'E:\\Roaming' });
    expect(folders(env)).toEqual([
      'D:\\Local\\ahq\\Data',
      'D:\\Local\\ahq\\State',
      'E:\\Roaming\\ahq\\Config',
    ]);
  });

  it('a UNC path is a place like any other', () => {
    const share = '\\\\server\\profiles\\ada';
    expect(configFolder(windows({ APPDATA: share }))).toBe(`${share}\\ahq\\Config`);
    expect(dataFolder(windows({}, share))).toBe(`${share}\\AppData\\Local\\ahq\\Data`);
  });

  it('a path relative to the current folder of a drive is ignored', () => {
    expect(dataFolder(windows({ LOCALAPPDATA: 'D:Local' }))).toBe(dataFolder(windows()));
  });

  it('no home folder is needed when the variables name absolute folders', () => {
    expect(dataFolder(windows({ LOCALAPPDATA: 'D:\\Local' }, ''))).toBe('D:\\Local\\ahq\\Data');
  });

  it('mean nothing on other systems', () => {
    expect(dataFolder(linux({ LOCALAPPDATA: '/elsewhere' }))).toBe(dataFolder(linux()));
  });
});

describe('the XDG variables', () => {
  const absolute = {
    XDG_DATA_HOME: '/x/data',
    XDG_STATE_HOME: '/x/state',
    XDG_CONFIG_HOME: '/x/config',
  };

  it('win on Linux and on macOS, each for its own folder', () => {
    const expected = ['/x/data/ahq', '/x/state/ahq', '/x/config/ahq'];
    expect(folders(linux(absolute))).toEqual(expected);
    expect(folders(mac(absolute))).toEqual(expected);
  });

  it('win over the variables of Windows', () => {
    const env = windows({ XDG_DATA_HOME: 'D:\\xdg', LOCALAPPDATA: 'C:\\Local' });
    expect(dataFolder(env)).toBe('D:\\xdg\\ahq');
  });

  it.each(['', 'share', './share', '../share', '~/share'])(
    'are ignored when they say "%s"',
    value => {
      const variables = { XDG_DATA_HOME: value, XDG_STATE_HOME: value, XDG_CONFIG_HOME: value };
      expect(folders(linux(variables))).toEqual(folders(linux()));
      expect(folders(mac(variables))).toEqual(folders(mac()));
    },
  );

  it('are read by the path rules of the system', () => {
    expect(dataFolder(linux({ XDG_DATA_HOME: 'C:\\data' }))).toBe(dataFolder(linux()));
    expect(dataFolder(windows({ XDG_DATA_HOME: 'C:\\data' }))).toBe('C:\\data\\ahq');
  });
});

describe('the AHQ variables', () => {
  it('name the folder itself and win over everything', () => {
    const variables = {
      AHQ_DATA_DIR: '/srv/data',
      AHQ_STATE_DIR: '/srv/state',
      AHQ_CONFIG_DIR: '/srv/config',
      XDG_DATA_HOME: '/x',
      XDG_STATE_HOME: '/x',
      XDG_CONFIG_HOME: '/x',
    };
    const expected = ['/srv/data', '/srv/state', '/srv/config'];
    expect(folders(linux(variables))).toEqual(expected);
    expect(folders(mac(variables))).toEqual(expected);
    expect(folders(windows(variables))).toEqual(expected);
  });

  it('are taken as written when relative, and may start with the home folder', () => {
    expect(dataFolder(linux({ AHQ_DATA_DIR: 'local/store' }))).toBe('local/store');
    expect(dataFolder(linux({ AHQ_DATA_DIR: '~/store' }))).toBe('/home/ada/store');
    expect(dataFolder(windows({ AHQ_DATA_DIR: '~\\store' }))).toBe('C:\\Users\\ada\\store');
  });

  it('count as unset when empty', () => {
    expect(dataFolder(linux({ AHQ_DATA_DIR: '' }))).toBe(dataFolder(linux()));
    expect(dataFolder(linux({ AHQ_DATA_DIR: undefined }))).toBe(dataFolder(linux()));
  });
});

describe('a missing home folder', () => {
  it.each(['', 'ada', '.'])('"%s" is refused, naming the variables that help', home => {
    const error = refusal(() => dataFolder(linux({}, home)));
    expect(error.code).toBe('USAGE');
    expect(error.message).toBe(`no home folder: HOME is "${home}"; set it, or set AHQ_DATA_DIR`);
  });

  it('is named USERPROFILE on Windows', () => {
    const error = refusal(() => configFolder(windows({}, '')));
    expect(error.message).toContain('USERPROFILE');
    expect(error.message).toContain('AHQ_CONFIG_DIR');
  });

  it('does no harm while a variable names the folder', () => {
    expect(stateFolder(linux({ AHQ_STATE_DIR: '/srv/state' }, ''))).toBe('/srv/state');
    expect(stateFolder(linux({ XDG_STATE_HOME: '/x' }, ''))).toBe('/x/ahq');
  });
});

describe('expandHome', () => {
  it('replaces a lone tilde', () => {
    expect(expandHome('~', linux())).toBe('/home/ada');
    expect(expandHome('~', windows())).toBe('C:\\Users\\ada');
  });

  it('replaces a tilde before a separator and keeps the rest as typed', () => {
    expect(expandHome('~/.claude/**/*.jsonl', linux())).toBe('/home/ada/.claude/**/*.jsonl');
    expect(expandHome('~//a/../b/', linux())).toBe('/home/ada//a/../b/');
    expect(expandHome('~/.claude', windows())).toBe('C:\\Users\\ada/.claude');
    expect(expandHome('~\\.claude', windows())).toBe('C:\\Users\\ada\\.claude');
  });

  it('does not double the separator of a home that ends with one', () => {
    expect(expandHome('~/x', linux({}, '/'))).toBe('/x');
    expect(expandHome('~\\x', windows({}, 'Z:\\'))).toBe('Z:\\x');
    expect(expandHome('~/x', windows({}, '\\\\server\\home\\'))).toBe('\\\\server\\home\\x');
  });

  it('takes a backslash for a separator on Windows only', () => {
    expect(expandHome('~\\x', linux())).toBe('~\\x');
  });

  it('leaves the home of another user alone', () => {
    expect(expandHome('~grace/.claude', linux())).toBe('~grace/.claude');
    expect(expandHome('~~', linux())).toBe('~~');
  });

  it('returns every text that does not start with a tilde unchanged', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        fc.pre(!text.startsWith('~'));
        return expandHome(text, linux({}, '')) === text && expandHome(text, windows()) === text;
      }),
    );
  });

  it('refuses a tilde without a home folder, instead of making a folder called ~', () => {
    expect(refusal(() => expandHome('~/x', linux({}, ''))).code).toBe('USAGE');
  });
});

describe('environment', () => {
  it('describes the machine of this process', () => {
    const env = environment();
    expect(env.platform).toBe(process.platform);
    expect(env.home).toBe(homedir());
    expect(env.variables).toBe(process.env);
    expect(env.path).toBe(path);
  });
});
