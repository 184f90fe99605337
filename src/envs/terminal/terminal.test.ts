import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { getuid } from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import type { Action } from '../../core/action.ts';
import type { Environment, Session } from '../../core/contracts.ts';
import type { StepOutcome } from '../../core/records.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { createTrail } from '../../worlds/trail.ts';
import { fileTemplates } from './domains/files.ts';
import { createTerminalEnvironment } from './environment.ts';
import { createLayeredSandboxes, type LayeredOptions } from './sandbox/layered-sandboxes.ts';

const users: readonly (readonly [string, { readonly uid: number; readonly gid: number } | undefined])[] =
  getuid?.() === 0
    ? [
        ['root', undefined],
        ['an ordinary user', { uid: 65_534, gid: 65_534 }],
      ]
    : [['an ordinary user', undefined]];

const opened: Environment[] = [];
afterAll(async () => {
  for (const environment of opened) await environment.close?.();
});

function environmentAs(startAs: LayeredOptions['startAs'], options: LayeredOptions = {}): Environment {
  const environment = createTerminalEnvironment({
    id: 'terminal-files',
    templates: fileTemplates,
    sandboxes: () => createLayeredSandboxes(startAs === undefined ? options : { ...options, startAs }),
  });
  opened.push(environment);
  return environment;
}

const run = (command: string): Action => ({ kind: 'call', tool: 'run', input: { command } });
const call = (tool: string, input: Record<string, string>): Action => ({ kind: 'call', tool, input });

function outputOf({ result }: StepOutcome): string {
  return (result as { output: string }).output;
}

describe.each(users)('terminal worlds as %s', (_, startAs) => {
  const environment = environmentAs(startAs);
  const open = async (): Promise<Session> => environment.open(await environment.task('files/sort-inbox', 1));

  it('[TERM-1] obey the laws', async () => {
    // The walk of the second one types into a terminal before and after the snapshot.
    const tasks = [await environment.task('files/number-pages', 3), await environment.task('files/number-pages', 48)];
    const results = await checkLaws(environment, { tasks, steps: 5 });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
  });

  it('[TERM-1] go back and fork: files, folder and variables are as they were', async () => {
    const session = await open();
    await session.step(run('mkdir work && cd work && export COLOR="dark green" && echo one > file'));
    const [snapshot, digest] = [await session.snapshot!(), await session.digest()];
    const fork = await session.fork!();
    await session.step(run('rm file && cd .. && rmdir work && unset COLOR'));
    expect(await session.digest()).not.toBe(digest);
    expect(outputOf(await fork.step(run('pwd; echo $COLOR; cat file')))).toBe('/home/user/work\ndark green\none\n');
    await session.restore!(snapshot);
    expect(await session.digest()).toBe(digest);
    expect(outputOf(await session.step(run('pwd; echo $COLOR; cat file')))).toBe('/home/user/work\ndark green\none\n');
    expect(await session.digest()).toBe(digest);
    for (const each of [session, fork]) await each.close();
  });

  it('[TERM-2] have the same digest whichever way led to a state', async () => {
    const [one, other] = [await open(), await open()];
    await one.step(run('echo x > a; mkdir d; chmod 700 d; ln -s a l'));
    for (const command of ['ln -s a l', 'mkdir d', 'echo y > a', 'chmod 700 d', 'rm a; echo x > a', 'touch z', 'rm z'])
      await other.step(run(command));
    expect(await other.digest()).toBe(await one.digest());
    for (const each of [one, other]) await each.close();
  });

  it('[TERM-23] keep folder and variables whatever a command does to its shell', async () => {
    const session = await open();
    const said = async (command: string): Promise<string> => outputOf(await session.step(run(command)));
    expect(await said('trap "echo bye" EXIT; mkdir d; cd d; export A=1')).toBe('bye\n');
    expect(await said('set -xv; cd ..; printf() { :; }; readonly PATH; export() { :; }')).not.toContain('>&3');
    expect(await said('echo $A ${PWD##*/}; set -e; cd d; false')).toBe('1 user\n');
    expect(await said('echo "unclosed')).toMatch(/^[^\n]*unexpected EOF[^\n]*\n$/);
    expect(await said('pwd; export B=$(head -c 70000 /dev/zero | tr "\\0" x); cd /')).toBe('/home/user/d\n');
    expect(
      await said(
        'echo $A${#B} $(readonly -p | grep -c PATH=); cd "$(mktemp -d)" && mkdir "$(printf "\\377")" && cd ./*',
      ),
    ).toBe('10 1\n');
    expect(await said('pwd | grep -ac "$(printf "/\\377")"')).toBe('1\n');
    await session.close();
  });

  it('[TERM-3] end what a command leaves, and stop what prints too much', async () => {
    const session = await open();
    const before = await session.digest();
    await session.step(run('(sleep 30; touch late) & nohup sleep 30 > /dev/null 2>&1 &'));
    expect(outputOf(await session.step(run('ps ax | grep -c "[s]leep"')))).toBe('0\n');
    expect(await session.digest()).toBe(before);
    const flood = await session.step(run('yes'));
    expect(flood.result).toMatchObject({ exitCode: null, stopped: expect.stringContaining('megabyte') });
    expect(flood.incidents?.[0]).toMatchObject({ kind: 'whole-output' });
    expect(outputOf(flood).length).toBeLessThan(17_000);
    await session.close();
  });

  it('[TERM-4] see nothing of the machine but its system folders, read-only', async () => {
    const session = await open();
    const seen = async (command: string): Promise<string> => outputOf(await session.step(run(command)));
    expect(
      await seen('ls /home /root; ls /proc | grep -c "^[0-9]"; cat /proc/net/dev | grep -vc "lo:\\|Inter\\|face"'),
    ).toMatch(/^\/home:\nuser\n\n\/root:\n[34]\n0\n$/);
    expect(await seen('touch /usr/x /etc/x /x /home/x 2>&1 | grep -c "cannot touch"')).toBe('4\n');
    expect(await seen('id -u; grep CapEff /proc/self/status')).toBe('1000\nCapEff:\t0000000000000000\n');
    expect(await seen('exec 3<>/dev/tcp/1.1.1.1/80')).toContain('Network is unreachable');
    await session.close();
  });

  it('[TERM-5] read, write and edit files, and refuse what does not fit', async () => {
    const session = await open();
    expect(await session.step(call('write', { path: 'a/b.txt', text: 'one two\n' }))).toEqual({
      applied: true,
      result: { written: 'a/b.txt' },
    });
    expect(await session.step(call('edit', { path: 'a/b.txt', old: 'two', new: 'three' }))).toMatchObject({
      applied: true,
    });
    expect(outputOf(await session.step(call('read', { path: 'a/b.txt' })))).toBe('one three\n');
    const before = await session.digest();
    for (const [action, reason] of [
      [call('edit', { path: 'a/b.txt', old: 'e', new: 'x' }), 'it occurs 3 times'],
      [call('edit', { path: 'a/b.txt', old: '', new: 'x' }), 'it is empty'],
      [call('read', { path: 'nowhere' }), 'No such file'],
      [call('read', { path: 'a' }), 'it is a folder'],
      [call('write', { path: '/usr/x', text: '' }), 'Read-only file system'],
      [call('write', { path: 'a', text: '' }), 'it is a folder'],
      [call('run', { command: 'a\0b' }), 'without a NUL character'],
      [call('run', {}), 'Expected the texts command'],
      [call('dance', {}), 'There is no tool "dance"'],
      [{ kind: 'click', ref: 'e1' } as Action, 'There is no screen here'],
    ] as const) {
      const outcome = await session.step(action);
      expect(outcome.applied).toBe(false);
      expect(outcome.problem?.message).toContain(reason);
      expect(await session.digest()).toBe(before);
    }
    await session.close();
  });

  it('[TERM-6] pass with the solution, fail without it, and name what else was changed', async () => {
    const session = await open();
    expect(await session.verify()).toMatchObject({ pass: false, clean: true });
    for (const step of (await session.solution!()).slice(0, -1)) await session.step(step);
    expect(await session.verify()).toMatchObject({ pass: true, progress: 1, clean: true });
    await session.step(run('echo x > extra; chmod 700 ~'));
    expect(await session.verify()).toMatchObject({
      pass: false,
      progress: 1,
      clean: false,
      evidence: { sideEffects: ['/home/user', 'extra'] },
    });
    await session.close();
  });
});

describe('digests of terminal worlds', () => {
  const environment = environmentAs(users.at(-1)?.[1]);
  const open = async (): Promise<Session> => environment.open(await environment.task('files/sort-inbox', 1));
  const attribute = (name: string, value: string): string =>
    `perl -e 'my ($f, $n, $v) = ("f", "${name}", "${value}"); exit(syscall(188, $f, $n, $v, length $v, 0) != 0)'`;
  const stage = 'git init -q . && echo x > f && git add f';
  it.each([
    ['another name of a file, or a copy', 'echo x > f; ln f g', 'echo x > f; cp f g', false],
    ['an attribute', `touch f; ${attribute('user.note', 'x')}`, 'touch f', false],
    [
      'what an attribute says',
      `touch f; ${attribute('user.note', 'x')}`,
      `touch f; ${attribute('user.note', 'y')}`,
      false,
    ],
    [
      'bytes of a name that are no text',
      String.raw`touch "$(printf '\377')"`,
      String.raw`touch "$(printf '\376')"`,
      false,
    ],
    [
      'bytes of a link that are no text',
      String.raw`ln -s "$(printf '\377')" l`,
      String.raw`ln -s "$(printf '\376')" l`,
      false,
    ],
    ['a line in a name', String.raw`touch "$(printf 'a\nb')"`, 'touch a b', false],
    [
      'a pipe, or a socket',
      'mkfifo f',
      `perl -MSocket -e 'umask 022; socket(S, 1, 1, 0); bind(S, sockaddr_un("f")); chmod 0644, "f"'`,
      false,
    ],
    ['a mode alone', 'chmod u+s,o-r inbox', 'true', false],
    ['what is staged', `${stage}; git rm -q --cached f`, stage, false],
    ['how it was staged', `${stage}; git rm -q --cached f; touch f; git add f`, stage, true],
    ['files made again', 'mv inbox x; cp -a x inbox; rm -r x', 'true', true],
    ['files with holes', 'truncate -s 9000 f', 'head -c 9000 /dev/zero > f', true],
    ['attributes that layers are read by', `mkdir f; ${attribute('user.overlay.opaque', 'x')}; rmdir f`, 'true', true],
    ['times', 'touch -d 2001-01-01 f', 'touch f', true],
  ])('[TERM-2] tell %s', async (...[name, one, other, isSame]) => {
    const start = await open();
    const begin = await start.snapshot!();
    const listed = async (session: Session): Promise<string> =>
      outputOf(await session.step(run(String.raw`find . -not -name index -printf '%p %m %y %n %s %l\n' | sort`)));
    const digests: string[] = [];
    for (const command of [one, other]) {
      const session = await open();
      expect(await session.step(run(command)), name).toMatchObject({ result: { exitCode: 0 } });
      const [snapshot, digest, files] = [await session.snapshot!(), await session.digest(), await listed(session)];
      await session.step(run('chmod -R u+w .; rm -rf ./* .git; echo more > more'));
      await session.restore!(snapshot);
      expect([await session.digest(), await listed(session)]).toEqual([digest, files]);
      await start.restore!(begin);
      await start.step(run(command));
      expect([await start.digest(), await listed(start)]).toEqual([digest, files]);
      digests.push(digest);
      await session.close();
    }
    expect(digests[0] === digests[1]).toBe(isSame);
    await start.close();
  });
});

interface Shown {
  readonly screen: string;
  readonly ended?: string;
}

describe.each(users)('terminals as %s', (_, startAs) => {
  const environment = environmentAs(startAs);
  const open = async (): Promise<Session> => environment.open(await environment.task('files/sort-inbox', 1));
  const typed = async (session: Session, keys: string): Promise<Shown> =>
    (await session.step(call('keys', { keys }))).result as unknown as Shown;

  it('[TERM-11] take keys and show the screen; what runs there goes on beside commands', async () => {
    const session = await open();
    expect((await typed(session, 'cd inbox; export A=1<Enter>')).screen).toBe('~$ cd inbox; export A=1\n~/inbox$');
    expect((await typed(session, 'echo $A; sleep 47.12 &<Enter>')).screen).toMatch(/\n1\n\[1\] \d+\n~\/inbox\$$/);
    expect(outputOf(await session.step(run('ps ax | grep -c "[s]leep 47.12"; echo one > ~/beside')))).toBe('1\n');
    expect((await typed(session, '<Ctrl-L>cat ~/beside<Enter>')).screen).toBe('~/inbox$ cat ~/beside\none\n~/inbox$');
    expect((await typed(session, 'read -rsn3 x; echo -n $x | od -An -c<Enter><Up>')).screen).toContain('033   [   A');
    expect(await typed(session, 'exit<Enter>')).toMatchObject({ ended: 'The shell has ended.' });
    expect(outputOf(await session.step(run('ps ax | grep -c "[s]leep 47.12"; cat ~/beside')))).toBe('0\none\n');
    await session.close();
  });

  it('[TERM-20] carry out programs, and keep an interpreter', async () => {
    const session = await open();
    const program =
      'import pathlib\nfor n in range(3):\n    pathlib.Path(f"n{n}").write_text(str(n * n))\nprint(sum(range(4)))';
    expect(outputOf(await session.step(run(`python3 - <<'END'\n${program}\nEND`)))).toBe('6\n');
    expect(outputOf(await session.step(run('cat n2')))).toBe('4');
    await typed(session, 'python3 -q<Enter>');
    await typed(session, 'total = 40<Enter>');
    expect((await typed(session, 'print(total + 2)<Enter>')).screen).toContain('\n42\n');
    await session.close();
  });

  it('[TERM-11] draw what full-screen programs draw, and answer what they ask the terminal', async () => {
    const session = await open();
    const program = [
      String.raw`printf "\033[2J\033[5;10Hmiddle\033[1;1Htop\033[6n"`,
      'IFS= read -rsd R where; printf "\\033[3;1H%q" "$where"; read -rsn1',
    ].join('; ');
    const { screen } = await typed(session, `${program}<Enter>`);
    expect(screen).toBe(['top', '', "$'\\E[1;4'", '', '         middle'].join('\n'));
    await session.close();
  });

  it('[TERM-11] are not forked, and do not go back once they went on: what lived would be lost', async () => {
    const session = await open();
    const before = await session.snapshot!();
    await typed(session, 'echo one > file; sleep 47.13 &<Enter>');
    const [snapshot, digest, seen] = [await session.snapshot!(), await session.digest(), await session.observe()];
    await session.restore!(snapshot);
    expect([await session.digest(), await session.observe()]).toEqual([digest, seen]);
    expect(outputOf(await session.step(run('ps ax | grep -c "[s]leep 47.13"')))).toBe('1\n');
    await typed(session, 'echo two > file<Enter>');
    const now = await session.digest();
    for (const refused of [() => session.restore!(snapshot), () => session.fork!()])
      await expect((async () => refused())()).rejects.toMatchObject({ code: 'diverged' });
    expect(await session.digest()).toBe(now);
    const trial = await session.fork!({ unchecked: true });
    expect(outputOf(await trial.step(run('cat file; ps ax | grep -c "[s]leep 47.13"')))).toBe('two\n0\n');
    expect((await typed(trial, 'jobs<Enter>')).screen).toBe(
      '[What lived in the terminal has ended, and a new shell began.]\n~$ jobs\n~$',
    );
    await session.restore!(before);
    expect(spawnSync('ps', ['ax'], { encoding: 'utf8' }).stdout).not.toContain('sleep 47.13');
    expect((await typed(session, 'ls<Enter>')).screen).toBe('~$ ls\ninbox  sorted\n~$');
    for (const each of [session, trial]) await each.close();
  });

  it('[TERM-11] go back by replaying what was typed, with what lived there', async () => {
    const task = await environment.task('files/sort-inbox', 1);
    const trail = await createTrail(environment, task);
    const somebody = { role: 'student', name: 'test' } as const;
    const keys = (text: string): Action => call('keys', { keys: text });
    const { id, after } = await trail.step(keys('export A=1; sleep 47.15 &<Enter>'), somebody);
    await trail.step(keys('exit<Enter>'), somebody);
    expect(await trail.rollback(id)).toMatchObject({ method: 'replay', digest: after });
    await trail.step(keys('<Ctrl-L>echo $A $(pgrep -fc 47.15)<Enter>'), somebody);
    expect((await trail.session().observe()).text).toMatch(/"1 1"/);
    const { trail: fork, method } = await trail.fork();
    expect(method).toBe('replay');
    expect(await fork.session().digest()).toBe(await trail.session().digest());
    for (const each of [trail, fork]) await each.session().close();
  });

  it('[TERM-11] do not fill the disk by being looked at; what was forked or judged before stays', async () => {
    const little = environmentAs(startAs, { disk: { bytes: 24 * 2 ** 20, files: 3000 } });
    const session = await little.open(await little.task('files/sort-inbox', 1));
    await typed(session, 'head -c 5M /dev/zero > big; echo one > file<Enter>');
    const fork = await session.fork!({ unchecked: true });
    expect(await session.verify()).toMatchObject({ evidence: { sideEffects: ['big', 'file'] } });
    await typed(session, 'rm big; head -c 5M /dev/zero > large; echo two > file<Enter>');
    for (let look = 0; look < 5; look++) expect(await typed(session, '')).not.toHaveProperty('ended');
    expect(outputOf(await fork.step(run('ls; cat file')))).toBe('big\nfile\ninbox\nsorted\none\n');
    await typed(session, '<Ctrl-L>exit<Enter>');
    expect(outputOf(await session.step(run('ls; cat file')))).toBe('file\ninbox\nlarge\nsorted\ntwo\n');
    for (const each of [session, fork]) await each.close();
  });

  it('[TERM-11] stay within limits: floods of output, processes and disk', async () => {
    const session = await open();
    const flood = await typed(session, 'yes<Enter>');
    expect(flood.screen.split('\n').slice(0, 5)).toEqual(['y', 'y', 'y', 'y', 'y']);
    expect((await typed(session, '<Ctrl-C><Ctrl-L>echo fine<Enter>')).screen).toContain('\nfine\n~$');
    const children = 'for (1 .. 300) { my $p = fork; if (defined $p && !$p) { setpgrp; exec "sleep", "47.14" } }';
    for (let round = 0; round < 2; round++) await session.step(run(`perl -e '${children}'`));
    expect(outputOf(await session.step(run('true')))).toContain('too many processes are alive');
    const disk = await typed(session, '<Ctrl-L>for i in 1 2 3 4 5; do head -c 60M /dev/zero > big$i; done<Enter>');
    expect(disk).toMatchObject({ ended: expect.stringContaining('It filled the disk') });
    expect(spawnSync('ps', ['ax'], { encoding: 'utf8' }).stdout).not.toContain('sleep 47.14');
    expect(outputOf(await session.step(run('ls; echo ok > file')))).toBe('inbox\nsorted\n');
    await session.close();
  });
});

/** A program that runs one command, and what it does beside. */
function programWith(command: string, rest: string): string[] {
  const program = `
    const { createLayeredSandboxes } = await import(${JSON.stringify(`${import.meta.dirname}/sandbox/layered-sandboxes.ts`)});
    const { usualLimits } = await import(${JSON.stringify(`${import.meta.dirname}/sandbox/sandbox.ts`)});
    const sandboxes = await createLayeredSandboxes();
    const pool = await sandboxes.openPool();
    const request = { command: { kind: 'run', command: ${JSON.stringify(command)} }, place: { folder: '/', exports: '' }, environment: { HOME: '/' }, limits: usualLimits };
    const ran = pool.run([(await pool.lay([{ path: 'tmp' }])).id], request);
    ${rest}`;
  return ['--input-type=module', '-e', program];
}

describe('sandboxes of a process', () => {
  it('[TERM-4] do not have what somebody left open', () => {
    const file = openSync(import.meta.filename, 'r');
    const program = programWith(
      'ls /proc/self/fd',
      'console.log(String((await ran).output)); await sandboxes.close();',
    );
    const { stdout } = spawnSync(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit', file, file, file] });
    closeSync(file);
    // What a shell writes down when it ends is the fourth one, and a folder that is listed the fifth.
    expect(stdout.toString()).toBe('0\n1\n2\n3\n4\n\n');
  });

  it('[TERM-7] leave no process, no mount and no control group when it is killed', () => {
    const program = programWith('sleep 47.11', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);");
    const { signal, pid } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    expect(signal).toBe('SIGKILL');
    spawnSync('sleep', ['0.3']);
    expect(spawnSync('ps', ['ax'], { encoding: 'utf8' }).stdout).not.toContain('sleep 47.11');
    expect(spawnSync('mount', { encoding: 'utf8' }).stdout).not.toContain('espalier-terminal');
    const groups = ['/sys/fs/cgroup', '-type', 'd', '-name', `espalier-terminal-${pid}-*`];
    expect(spawnSync('find', groups, { encoding: 'utf8' }).stdout).toBe('');
  });
});
