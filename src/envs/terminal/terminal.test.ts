import { spawnSync } from 'node:child_process';
import { getuid } from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import type { Action } from '../../core/action.ts';
import type { Environment, Session } from '../../core/contracts.ts';
import type { StepOutcome } from '../../core/records.ts';
import { checkLaws } from '../../worlds/laws.ts';
import { fileTemplates } from './domains/files.ts';
import { createTerminalEnvironment } from './environment.ts';
import { createLayeredSandboxes } from './sandbox/layered-sandboxes.ts';

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

function environmentAs(startAs: { readonly uid: number; readonly gid: number } | undefined): Environment {
  const environment = createTerminalEnvironment({
    id: 'terminal-files',
    templates: fileTemplates,
    sandboxes: () => createLayeredSandboxes(startAs === undefined ? {} : { startAs }),
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
    const tasks = [await environment.task('files/number-pages', 3)];
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
    ).toBe('/home:\nuser\n\n/root:\n4\n0\n');
    expect(await seen('touch /usr/x /etc/x 2>&1 | grep -c "cannot touch"')).toBe('2\n');
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

describe('sandboxes of a process that is killed', () => {
  it('[TERM-7] leave no process and no mount', () => {
    const program = `
      const { createLayeredSandboxes } = await import(${JSON.stringify(`${import.meta.dirname}/sandbox/layered-sandboxes.ts`)});
      const { usualLimits } = await import(${JSON.stringify(`${import.meta.dirname}/sandbox/sandbox.ts`)});
      const sandboxes = await createLayeredSandboxes();
      const pool = await sandboxes.openPool();
      const request = { command: { kind: 'run', command: 'sleep 47.11' }, place: { folder: '/', exports: '' }, environment: { HOME: '/' }, limits: usualLimits };
      void pool.run([(await pool.lay([{ path: 'tmp' }])).id], request);
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(signal).toBe('SIGKILL');
    spawnSync('sleep', ['0.3']);
    expect(spawnSync('ps', ['ax'], { encoding: 'utf8' }).stdout).not.toContain('sleep 47.11');
    expect(spawnSync('mount', { encoding: 'utf8' }).stdout).not.toContain('espalier-terminal');
  });
});
