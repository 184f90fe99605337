import { spawnSync } from 'node:child_process';
import { Sandbox } from 'e2b';
import { afterAll, describe, expect, it } from 'vitest';
import { startE2bServer, type E2bServer, type E2bServerOptions } from '../../../../test/fixtures/e2b/server.ts';
import type { Action } from '../../../core/action.ts';
import type { Environment } from '../../../core/contracts.ts';
import type { StepOutcome } from '../../../core/records.ts';
import { checkLaws } from '../../../worlds/laws.ts';
import { fileTemplates } from '../domains/files.ts';
import { gitTemplates } from '../domains/git.ts';
import { createLiveEnvironment } from '../machine/machine-environment.ts';
import { openE2b } from './e2b.ts';
import { hostOf } from './remote-world.ts';

const closing: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function serverWith(options: E2bServerOptions = {}): Promise<E2bServer> {
  const server = await startE2bServer(options);
  closing.push(() => server.close());
  return server;
}

const connectionOf = ({ url, key }: E2bServer) => ({ apiUrl: url, sandboxUrl: url, apiKey: key });

function environmentAt(server: E2bServer): Environment {
  const environment = createLiveEnvironment({
    id: 'terminal-e2b-files',
    templates: [...fileTemplates, ...gitTemplates],
    host: async () => hostOf(await openE2b({ connection: connectionOf(server) })),
  });
  closing.push(async () => environment.close?.());
  return environment;
}

const run = (command: string): Action => ({ kind: 'call', tool: 'run', input: { command } });
const call = (tool: string, input: Record<string, string>): Action => ({ kind: 'call', tool, input });
const outputOf = ({ result }: StepOutcome): string => (result as { output: string }).output;

describe('the server of the tests', () => {
  it('[TERM-14] speaks the API to the client of E2B', async () => {
    const server = await serverWith();
    const connection = connectionOf(server);
    const sandbox = await Sandbox.create({ ...connection, metadata: { kind: 'test' } });
    expect((await sandbox.commands.run('echo one; pwd')).stdout).toBe('one\n/home/user\n');
    await expect(sandbox.commands.run('exit 3')).rejects.toMatchObject({ exitCode: 3 });
    await sandbox.files.write('/home/user/a.txt', 'text');
    expect(await sandbox.files.read('/home/user/a.txt')).toBe('text');
    const snapshot = await sandbox.createSnapshot({ name: 'kept' });
    await sandbox.commands.run('rm a.txt');
    const [fork] = await sandbox.fork();
    const back = await Sandbox.create(snapshot.snapshotId, connection);
    expect((await back.commands.run('ls')).stdout).toBe('a.txt\n');
    expect((await (fork as Sandbox).commands.run('ls')).stdout).toBe('');
    await sandbox.pause();
    await expect(sandbox.commands.run('true')).rejects.toThrow(/sandbox/i);
    const again = await Sandbox.connect(sandbox.sandboxId, connection);
    expect((await again.commands.run('echo on')).stdout).toBe('on\n');
    expect(await Sandbox.list({ ...connection, query: { metadata: { kind: 'test' } } }).nextItems()).toHaveLength(2);
    expect(await Sandbox.kill(sandbox.sandboxId, connection)).toBe(true);
    expect(await Sandbox.kill(sandbox.sandboxId, connection)).toBe(false);
    await expect(Sandbox.create({ ...connection, apiKey: 'e2b_00' })).rejects.toThrow('Unauthorized');
  });
});

describe('terminals at a server of sandboxes', () => {
  it('[TERM-14] obey the laws, by snapshots of the server', async () => {
    const server = await serverWith();
    const environment = environmentAt(server);
    const results = await checkLaws(environment, {
      tasks: [await environment.task('files/number-pages', 3)],
      steps: 3,
    });
    expect(results.filter(({ pass }) => !pass)).toEqual([]);
    expect(new Set(server.asked)).toContain('POST /sandboxes/snapshots');
  });

  it('[TERM-14] go back and fork; tools, limits and verdicts are those of every terminal', async () => {
    const server = await serverWith();
    const environment = environmentAt(server);
    const session = await environment.open(await environment.task('files/sort-inbox', 1));
    await session.step(run('mkdir work && cd work && export COLOR="dark green" && echo one > file'));
    const [snapshot, digest] = [await session.snapshot!(), await session.digest()];
    const fork = await session.fork!();
    await session.step(run('rm file && cd .. && rmdir work && unset COLOR'));
    expect(await session.digest()).not.toBe(digest);
    expect(outputOf(await fork.step(run('pwd; echo $COLOR; cat file')))).toBe('/home/user/work\ndark green\none\n');
    await session.restore!(snapshot);
    expect(await session.digest()).toBe(digest);
    expect(outputOf(await session.step(run('pwd; echo $COLOR; cat file; id -u')))).toBe(
      '/home/user/work\ndark green\none\n1000\n',
    );
    const long = `${'x'.repeat(900_000)}\n`;
    expect(await session.step(call('write', { path: '/tmp/long', text: long }))).toMatchObject({ applied: true });
    expect((await session.step(run('wc -c < /tmp/long; ls /tmp'))).result).toMatchObject({ output: '900001\nlong\n' });
    expect((await session.step(call('read', { path: 'nowhere' }))).problem?.message).toContain('No such file');
    expect((await session.step(run('yes'))).result).toMatchObject({ stopped: expect.stringContaining('megabyte') });
    for (const each of [session, fork]) await each.close();
    expect(server.sandboxes.size).toBe(0);
  });

  it('[TERM-14] pass with the solution', async () => {
    const environment = environmentAt(await serverWith());
    for (const template of ['files/sort-inbox', gitTemplates[0]?.id ?? '']) {
      const session = await environment.open(await environment.task(template, 2));
      expect(await session.verify()).toMatchObject({ pass: false });
      for (const step of (await session.solution!()).slice(0, -1)) await session.step(step);
      const last = (await session.solution!()).at(-1) as Action;
      await session.step(last);
      expect(await session.verify()).toMatchObject({ pass: true, clean: true });
      await session.close();
    }
  });

  it('[TERM-14] replay where the server makes no snapshots', async () => {
    const server = await serverWith({ hasSnapshots: false });
    const environment = environmentAt(server);
    const session = await environment.open(await environment.task('files/sort-inbox', 1));
    expect([session.snapshot, session.restore, session.fork]).toEqual([undefined, undefined, undefined]);
    for (const step of await session.solution!()) await session.step(step);
    expect(await session.verify()).toMatchObject({ pass: true });
    await session.close();
    expect(server.asked.filter(way => way === 'POST /sandboxes/snapshots')).toHaveLength(1);
  });

  it('[TERM-14] refuse a snapshot that comes back different', async () => {
    let isBroken = false;
    const server = await serverWith({ broken: layers => (isBroken ? layers.slice(1) : layers) });
    const environment = environmentAt(server);
    const session = await environment.open(await environment.task('files/sort-inbox', 1));
    await session.step(run('echo one > file'));
    const snapshot = await session.snapshot!();
    isBroken = true;
    await expect(session.restore!(snapshot)).rejects.toMatchObject({ code: 'diverged' });
    await expect(session.fork!()).rejects.toMatchObject({ code: 'diverged' });
    isBroken = false;
    await session.restore!(snapshot);
    await session.close();
  });

  it('[TERM-14] go on in a sandbox that was paused, if it is as it was', async () => {
    const server = await serverWith();
    const environment = environmentAt(server);
    const session = await environment.open(await environment.task('files/sort-inbox', 1));
    await session.step(run('echo one > file'));
    for (const sandbox of server.sandboxes.values()) sandbox.state = 'paused';
    expect(outputOf(await session.step(run('cat file')))).toBe('one\n');
    for (const sandbox of server.sandboxes.values()) {
      sandbox.state = 'paused';
      sandbox.layers = sandbox.layers.slice(1);
    }
    await expect(session.step(run('cat file'))).rejects.toMatchObject({ code: 'diverged' });
    await session.close();
  });

  it('[TERM-14] sweep what a process of this machine left, and nothing else', async () => {
    const server = await serverWith();
    const first = await openE2b({ connection: connectionOf(server) });
    await first.create(null);
    const [own] = [...server.sandboxes.values()];
    const { pid } = spawnSync('true');
    const left = { ...own?.metadata, process: String(pid) };
    const machine = String(own?.metadata['machine']);
    expect(JSON.stringify(own?.metadata)).not.toContain(server.key);
    for (const [id, metadata] of [
      ['left', left],
      ['elsewhere', { ...left, machine: 'another' }],
      ['foreign', { kind: 'mine' }],
    ] as const)
      server.sandboxes.set(id, { id, metadata, token: '', layers: [], state: 'paused' });
    server.snapshots.set('old', { names: [`team/espalier-${machine}-${pid}-1:latest`], layers: [] });
    server.snapshots.set('ours', { names: [`team/espalier-${machine}-${process.pid}-1:latest`], layers: [] });
    const second = await openE2b({ connection: connectionOf(server) });
    expect([...server.sandboxes.keys()]).toEqual([own?.id, 'elsewhere', 'foreign']);
    expect([...server.snapshots.keys()]).toEqual(['ours']);
    await second.close();
    await first.close();
    expect([...server.sandboxes.keys()]).toEqual(['elsewhere', 'foreign']);
  });

  it('[TERM-14] say what is missing: a key, a server, a template', async () => {
    const server = await serverWith();
    const connection = connectionOf(server);
    const failing = async (options: Parameters<typeof openE2b>[0]): Promise<unknown> => {
      const opened = await openE2b(options);
      return opened.create(null);
    };
    await expect(failing({ connection: { ...connection, apiKey: 'e2b_00' } })).rejects.toMatchObject({
      code: 'unavailable',
      expected: expect.stringContaining('E2B_API_KEY'),
    });
    const nobody = 'http://127.0.0.1:9';
    await expect(failing({ connection: { ...connection, apiUrl: nobody } })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(failing({ connection, template: 'nowhere' })).rejects.toThrow('template nowhere not found');
  });
});
