/** The program and the host that a shell command is about. */

import { describe, expect, it } from 'vitest';
import { toWire } from '../../src/bytes/text.ts';
import { ghPullRequestAction } from '../../src/harness/shared/shell/pull-requests.ts';
import { commandText, commandVerb, sshTarget } from '../../src/harness/shared/shell/verb.ts';

describe('the text of a command', () => {
  it.each([
    ['git status', 'git status'],
    [['bash', '-lc', 'a && b'], 'a && b'],
    [['/bin/zsh', '-c', 'a | b'], 'a | b'],
    [['sh', '-x', 'a'], 'sh -x a'],
    [['bash', '-lc'], 'bash -lc'],
    [['git', 'commit', '-m', "it's"], `git commit -m 'it'"'"'s'`],
    [['echo', '', 'a b', '$c'], "echo '' 'a b' '$c'"],
    [[], null],
    [['a', 1], null],
    [{ cmd: 'a' }, null],
    [null, null],
    [7, null],
  ])('%j', (input, expected) => {
    expect(commandText(input)).toBe(expected);
  });
});

describe('the verb', () => {
  it.each([
    ['git status', 'git'],
    ['/usr/bin/git log', 'git'],
    ['"/opt/my tools/run it" x', 'run it'],
    ['cd /srv && make test', 'make'],
    ['cd /srv', null],
    ['export A=1; source x; . y; unset z; : ; true; npm ci', 'npm'],
    ['A=1 B="x y" npm test', 'npm'],
    ['A=1', null],
    ['X=$(curl -s host); echo $X', 'curl'],
    ['X=`hostname -f`', 'hostname'],
    ['X="$(curl host)"; echo $X', 'echo'],
    ['sudo -u ada -n systemctl stop x', 'systemctl'],
    ['sudo -- make', 'make'],
    ['env -i -u B A=1 node x.js', 'node'],
    ['timeout -k 5 -s KILL 1.5m pytest', 'pytest'],
    ['gtimeout 30s pytest', 'pytest'],
    ['nice -n 10 ionice -c 2 -n 7 tar x', 'tar'],
    ['nohup stdbuf -oL ./serve.sh &', 'serve.sh'],
    ['stdbuf -o L tail -f x', 'tail'],
    ['xargs -0 -n 1 -I {} rm {}', 'rm'],
    ['npx --yes vitest run', 'vitest'],
    ['bunx prettier .', 'prettier'],
    ['exec -a name sleep 1', 'sleep'],
    ['command -v git', 'git'],
    ['time -p make', 'make'],
    ['caffeinate -i make', 'make'],
    ['uv run --with httpx --python 3.12 pytest -q', 'pytest'],
    ['uv run --with=httpx -- main.py', 'main.py'],
    ['uv pip install x', 'uv'],
    ["bash -lc 'cd x && ruff check'", 'ruff'],
    [`bash -euo pipefail -c "zsh -c 'ls -l'"`, 'ls'],
    ["bash --login -c 'ls'", 'ls'],
    ["bash -c 'cd x'; wc y", 'wc'],
    ['bash script.sh', 'bash'],
    [['bash', '-lc', 'cd /a && ls'], 'ls'],
    [['git', 'commit', '-m', 'a; b'], 'git'],
    ['# first\nls # -l', 'ls'],
    ['>out 2>&1 ls', 'ls'],
    ['(cd x && ls)', 'ls'],
    ['{ ls; }', 'ls'],
    ['if [ -f x ]; then ls; fi', '['],
    ['! grep x y', 'grep'],
    ['for f in a b; do wc $f; done', 'wc'],
    ['case $x in esac', null],
    ["cat <<'E'\nit's\nE", 'cat'],
    ['cat <<E\nno end', 'cat'],
    ['git commit -m "$(cat <<\'E\'\nit\'s "so"\nE\n)"', 'git'],
    ["git commit -m 'it", null],
    ['', null],
    ['   ', null],
    ["''", null],
    ['a/', null],
    [undefined, null],
    ['x'.repeat(100), 'x'.repeat(64)],
    [`${'x'.repeat(63)}${toWire('é')}y`, 'x'.repeat(63)],
    [`${'x'.repeat(62)}${toWire('é')}y`, `${'x'.repeat(62)}${toWire('é')}`],
  ])('of %j', (command, expected) => {
    expect(commandVerb(command)).toBe(expected);
  });
});

describe('the host', () => {
  it.each([
    ['ssh -o X -J bastion root@192.0.2.10 -- systemctl restart', '192.0.2.10', 'systemctl'],
    ['ssh build-1', 'build-1', null],
    ['ssh Ada@Build-1.Example.org "cd /srv && sudo make"', 'build-1.example.org', 'make'],
    ['ssh -p22 -oBatchMode=no host.example uptime', 'host.example', 'uptime'],
    ['ssh -vvp 22 host.example -t -- uptime', 'host.example', 'uptime'],
    ['ssh ssh://ada@host.example:2222 ls', 'host.example', 'ls'],
    ['ssh host.example:2222', 'host.example', null],
    ['ssh ada@[2001:DB8::1]:22 ls', '2001:db8::1', 'ls'],
    ['ssh 2001:db8::1', '2001:db8::1', null],
    ["ssh host <<'E'\nls\nE", 'host', null],
    ['cd x; timeout 5 ssh host uptime', 'host', 'uptime'],
    ['X=$(ssh host uptime)', 'host', 'uptime'],
    ['for i in 1 2; do ssh host ls; done', 'host', 'ls'],
    ['ls | ssh host "cat > x"', 'host', 'cat'],
    ["bash -c 'ssh host ls'", 'host', 'ls'],
    ['ssh $h; ssh second', 'second', null],
    ['mosh --ssh="ssh -p 22" host -- tmux', 'host', 'tmux'],
    ['tailscale ssh ada@node ls', 'node', 'ls'],
    ['scp -i key a.txt ada@host.example:/tmp', 'host.example', null],
    ['scp host:a ./b:c', 'host', null],
    ['rsync -e "ssh -p 22" -av a/ Host:/b', 'host', null],
    ['sftp ada@host:/a', 'host', null],
  ])('of %j', (command, host, verb) => {
    expect(sshTarget(command)).toEqual({ host, verb });
  });

  it.each([
    'ssh $h',
    'ssh "$h" ls',
    'ssh host{1,2}',
    'ssh web*',
    'ssh -V',
    'ssh x',
    'ssh',
    'echo "ssh host"',
    'echo ssh host',
    'git commit -m "ssh host ls"',
    'scp a b',
    'scp C:/x y',
    'scp ./a:b /c:d ~/e:f',
    'scp $h:/x .',
    'rsync rsync://host/module .',
    'tailscale status',
    "cat > x <<'E'\nssh host\nE",
    `ssh ${'h'.repeat(121)}`,
    "ssh host 'ls",
  ])('is not in %j', command => {
    expect(sshTarget(command)).toBeNull();
  });

  it('is not in what is no command', () => {
    expect(sshTarget(null)).toBeNull();
    expect(sshTarget(['bash', '-lc', 'ssh host ls'])).toEqual({ host: 'host', verb: 'ls' });
  });
});

describe('what gh pr does', () => {
  it.each([
    ['gh pr create --title "x" --body "gh pr close 1"', 'create'],
    ['gh pr new --fill', 'create'],
    ['git push && gh -R ada/site pr merge 7 --squash', 'merge'],
    ['gh pr -R ada/site comment 7 -b hi', 'comment'],
    ['GH_TOKEN=x gh pr --repo ada/site close 7', 'close'],
    ['url=$(gh pr create --fill)', 'create'],
    ['gh pr update-branch 7', 'update-branch'],
    ['gh pr; gh pr ready', 'ready'],
    ['gh issue create', null],
    ['gh pr frobnicate', null],
    ['gh pr', null],
    ['echo gh pr create', null],
    ["echo 'gh pr create", null],
  ])('in %j', (command, expected) => {
    expect(ghPullRequestAction(command)).toBe(expected);
  });
});
