import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../src/envs/web/servers/run-server.ts';
import { connectBlocking } from '../src/store/postgres/blocking.ts';
import type { FleetStatus } from '../src/fleet/status.ts';
import { installed, startPostgres } from './fixtures/app/services.ts';
import { contents } from './fixtures/episode-setup.ts';
import { episodesIn, runWarm } from './fixtures/program.ts';

let folder = '';
let server: Awaited<ReturnType<typeof startPostgres>>;

async function espalier(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runWarm(args, { folder });
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: expect.any(String) });
  return stdout;
}

/** What a command says that is refused. */
async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await runWarm(args, { folder });
  expect(code).toBe(2);
  return stderr;
}

/** Every file of an export, by name. */
async function exported(run: string): Promise<Record<string, string>> {
  await espalier('export', run);
  const place = join(folder, run, 'export');
  const names = readdirSync(place, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map(file => [file.slice(place.length), readFileSync(file, 'base64')]));
}

/** A command that goes on until it is stopped. */
function start(...args: string[]) {
  const root = join(import.meta.dirname, '..');
  const child = spawn(process.execPath, [join(root, 'bin', 'espalier.js'), ...args], { cwd: folder });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  return {
    child,
    says: (what: RegExp) =>
      vi.waitFor(() => {
        expect(said).toMatch(what);
        return said;
      }, 60_000),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
      return said;
    },
  };
}

const settings = ['mail', '--templates', 'star-message,contact-phone', '--instances', '3'];

describe.skipIf(!installed.postgres)('runs and Postgres', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'espalier-fleet-'));
    // Postgres runs as another user where this is root.
    chmodSync(folder, 0o755);
    server = await startPostgres(await freePort());
    await espalier('collect', ...settings, '--out', 'whole/one');
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('[STO-22] finishes a run in another place than it was begun in, with the bytes of a run that never moved', async () => {
    const address = `${server.url}?store=moved`;
    expect(await espalier('store', 'copy', 'whole/one', address)).toBe('Copied 6 episodes.\n');
    const connection = connectBlocking(server.url);
    connection.query('DELETE FROM espalier.episodes WHERE place % 2 = 0');
    connection.close();
    const refusal = await refused('collect', '--resume', address);
    expect(refusal).toContain('espalier store copy <address> <folder>');
    expect(refusal).not.toContain('postgres://');
    await espalier('store', 'copy', address, 'moved/one');
    expect(await espalier('collect', '--resume', 'moved/one')).toContain('3 episodes in');
    expect(await espalier('store', 'copy', 'moved/one', address)).toBe('Copied 3 episodes, 3 episodes there before.\n');
    await espalier('store', 'copy', address, 'back/one');
    const whole = await exported('whole/one');
    expect(Object.keys(whole).length).toBeGreaterThan(2);
    expect(await exported('moved/one')).toEqual(whole);
    expect(await exported('back/one')).toEqual(whole);
  });

  it('[FLEET-13] runs rl and eval on a fleet with the files of their students, as without one', async () => {
    const worker = start('worker', '--queue', server.url, '--slots', '4');
    await worker.says(/Worker pool-/);
    const learn =
      'rl mail --student untrained --rounds 2 --group 2 --instances 1 --eval-every 0 --templates star-message';
    const ask = 'eval mail --tasks mail/star-message/1000001,mail/contact-phone/1000001';
    for (const [place, fleet] of Object.entries({ alone: [], shared: ['--fleet', server.url] })) {
      await espalier(...learn.split(' '), '--out', `${place}/rl`, ...fleet);
      const student = join(place, 'rl', 'student.round-2.json');
      await espalier(...ask.split(' '), '--student', student, '--out', `${place}/eval`, ...fleet);
    }
    for (const run of ['rl', 'eval'])
      expect(contents(episodesIn(join(folder, 'shared', run)))).toEqual(
        contents(episodesIn(join(folder, 'alone', run))),
      );
    const { runs } = JSON.parse(await espalier('fleet', 'status', server.url, '--json')) as FleetStatus;
    // Two rounds; then planner, infeasible, random and the student.
    expect(runs.map(({ state, done, planned }) => [state, done === planned])).toEqual(
      Array.from({ length: 6 }, () => ['done', true]),
    );
    await worker.stop();
    const memory = ['study', 'memory', '--out', 'shared/memory', '--fleet', server.url];
    expect(await refused(...memory)).toContain('objects of its program');
    for (const verb of ['certify', 'annotate'])
      expect(await refused(verb, 'shared/rl', '--fleet', server.url)).toContain('Expected no --fleet');
    const lonely = ['collect', ...settings, '--out', 'shared/next', '--priority', '2'];
    expect(await refused(...lonely)).toContain('--fleet beside it');
  });

  it('[FLEET-8] starts a fleet, runs on it by the command line while a worker is killed, and stops it', async () => {
    const up = start('fleet', 'up', '--port', String(await freePort()), '--data', join(folder, 'database'));
    const address = /postgres:\S+/.exec(await up.says(/The fleet is up: \S+\n/))?.[0] ?? '';
    const killed = start('worker', '--queue', address, '--lease', '2', '--slots', '2');
    await killed.says(/Worker pool-/);
    const collecting = espalier('collect', ...settings, '--out', 'fleet/one', '--fleet', address);
    const other = start('worker', '--queue', address, '--lease', '2', '--slots', '2');
    await other.says(/Worker pool-/);
    killed.child.kill('SIGKILL');
    expect(await collecting).toContain('6 episodes in');
    expect(await exported('fleet/one')).toEqual(await exported('whole/one'));
    expect(await espalier('fleet', 'status', address)).toMatch(/one +done .* 6\/6 /);
    expect(await other.stop()).toContain('Left the fleet after');
    expect(await up.stop()).toContain(address);
  });
});
