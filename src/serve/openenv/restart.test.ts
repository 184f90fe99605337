import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { episodesIn, library } from '../../../test/fixtures/program.ts';
import { connectTo, startServer } from '../../../test/fixtures/serve/start-server.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { mail } from '../../envs/apps/mail/mail.ts';
import { createWorld } from '../../worlds/world.ts';

const world = createWorld(app);
const wanted = { task: 'lend-to-reader', seed: 3 };
const plan = planFor(world.open(world.task(wanted.task, wanted.seed)));
const root = join(import.meta.dirname, '..', '..', '..');

const folder = mkdtempSync(join(tmpdir(), 'espalier-restart-'));
afterAll(() => rmSync(folder, { recursive: true }));

function eventsIn(out: string): { readonly attempt: number; readonly kind: string }[] {
  const database = new DatabaseSync(join(out, 'store.db'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT attempt, kind FROM events ORDER BY seq').all();
    return rows.map(row => ({ attempt: Number(row['attempt']), kind: String(row['kind']) }));
  } finally {
    database.close();
  }
}

describe('sessions that outlive their connection', () => {
  it('[SRV-29] [SRV-84] go on with another connection; the others are abandoned with theirs', async () => {
    const server = await startServer({ out: join(folder, 'connections') });
    const first = await server.connect();
    const { data: kept } = await first.ask('open', { ...wanted, keep: true });
    const { data: lost } = await first.ask('open', wanted);
    await first.ask('step', plan[0], { session: kept.session });
    first.socket.terminate();
    const second = await server.connect();
    await expect.poll(async () => (await second.ask('attach', { session: lost.session })).type).toBe('error');
    const { data: attached } = await second.ask('attach', { session: kept.session });
    expect(attached).toMatchObject({ node: 1, episode: kept.episode, observation: { node: 1 }, done: false });
    for (const action of plan.slice(1)) await second.ask('step', action, { session: kept.session });
    expect(await second.ask('verify', {}, { session: kept.session })).toMatchObject({ data: { reward: 1 } });
    await server.stop();
  });

  it('[SRV-29] go on after a restart: replayed, compared, and with every branch in its place', async () => {
    const out = join(folder, 'restart');
    const before = await startServer({ out });
    const client = await before.connect();
    const { data: kept } = await client.ask('open', { ...wanted, keep: true });
    const session = kept.session as string;
    await client.ask('step', plan[0], { session });
    const { data: group } = await client.ask('fork', { n: 3 }, { session });
    const [one, two, three] = (group.sessions as { session: string }[]).map(made => made.session) as [
      string,
      string,
      string,
    ];
    for (const action of plan.slice(1)) await client.ask('step', action, { session: one });
    await client.ask('step', { kind: 'fill', ref: 'e1', text: 'x' }, { session: two });
    await client.ask('step', { kind: 'fill', ref: 'e1', text: 'y' }, { session: three });
    await client.ask('rollback', { node: 0 }, { session: three });
    await client.ask('open', wanted);
    const states = new Map<string, unknown>();
    for (const id of [session, two, three]) states.set(id, (await client.ask('state', {}, { session: id })).data);
    await before.stop();
    expect(episodesIn(out).map(({ end }) => end.reason)).toEqual(['abandoned']);

    const after = await startServer({ out });
    expect(after.resumed).toEqual({ sessions: 3, lost: 0, waiting: {}, abandoned: 0 });
    const again = await after.connect();
    expect((await again.ask('attach', { session: one })).data.code).toBe('SESSION_ERROR');
    for (const [id, state] of states) {
      const { data } = await again.ask('attach', { session: id });
      expect((await again.ask('state', {}, { session: id })).data).toEqual(state);
      expect((await again.ask('digest', {}, { session: id })).data).toMatchObject({ equal: true, digest: data.digest });
    }
    for (const action of plan.slice(1)) await again.ask('step', action, { session });
    await again.ask('step', { kind: 'finish' }, { session: two });
    await again.ask('step', { kind: 'finish' }, { session: three });
    await again.close();
    await after.stop();
    const whole = episodesIn(out).find(({ end }) => end.reason === null);
    expect(whole?.end).toMatchObject({ outcome: 'passed', counts: { forks: 3, rollbacks: 1 } });
    const { tree, leaves } = foldEpisode(whole!);
    expect(leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual([
      ['sample', true],
      ['main', true],
      ['sample', false],
      ['sample', false],
    ]);
    expect(tree.children(1)).toHaveLength(4);
    expect(readFileSync(join(out, 'sessions.jsonl'), 'utf8').split('\n').length).toBeGreaterThan(3);
  });

  it('[SRV-61] tell their verdict after a restart when they had finished', async () => {
    const out = join(folder, 'finished');
    const keys = { student: 'student-key', teacher: 'teacher-key' };
    const before = await startServer({ out, keys });
    const client = await before.connect('student-key');
    const open = async () => (await client.ask('open', { ...wanted, keep: true })).data.session as string;
    const [passed, failed, stopped, parent] = [await open(), await open(), await open(), await open()];
    for (const action of plan) await client.ask('step', action, { session: passed });
    await client.ask('step', { kind: 'finish' }, { session: failed });
    await client.ask('verify', { stop: true }, { session: stopped });
    const { data: group } = await client.ask('fork', { n: 1 }, { session: parent });
    const fork = group.sessions[0].session as string;
    await client.ask('step', { kind: 'finish' }, { session: fork });
    const told = new Map<string, unknown>();
    for (const session of [passed, failed, stopped, fork])
      told.set(session, await client.ask('verify', {}, { session }));
    await before.stop();

    const after = await startServer({ out, keys });
    expect(after.resumed).toMatchObject({ sessions: 1, lost: 0 });
    const again = await after.connect('student-key');
    const answers = new Map<string, unknown>();
    for (const session of told.keys()) answers.set(session, await again.ask('verify', {}, { session }));
    expect(answers).toEqual(told);
    expect(answers.get(passed)).toMatchObject({ data: { reward: 1, verdict: { pass: true } } });
    expect(answers.get(stopped)).toMatchObject({ data: { reward: 0, verdict: null } });
    const teacher = await after.connect('teacher-key');
    const { data: whole } = await teacher.ask('verify', {}, { session: stopped });
    expect(whole.verdict).toMatchObject({ pass: false });
    await after.stop();
  });

  it('[SRV-62] are resumed without writing to the journal: a server that is killed meanwhile loses nothing', async () => {
    const out = join(folder, 'killed-again');
    const before = await startServer({ out });
    const client = await before.connect();
    const { data: kept } = await client.ask('open', { ...wanted, keep: true });
    const { session } = kept;
    await client.ask('step', plan[0], { session });
    const { data: state } = await client.ask('state', {}, { session });
    await before.stop();
    const rows = eventsIn(out);
    expect(rows.map(({ kind }) => kind)).toEqual(['begin', 'open', 'step']);
    const between = await startServer({ out });
    expect((await (await between.connect()).ask('attach', { session })).data).toMatchObject({ node: 1 });
    await between.stop();
    expect(eventsIn(out)).toEqual(rows);
    const after = await startServer({ out });
    const again = await after.connect();
    await again.ask('attach', { session });
    expect((await again.ask('state', {}, { session })).data).toEqual(state);
    for (const action of plan.slice(1)) await again.ask('step', action, { session });
    await after.stop();
    const [episode] = episodesIn(out);
    expect(episode?.end).toMatchObject({ outcome: 'passed', counts: { taken: plan.length } });
    expect(eventsIn(out).map(({ kind }) => kind)).toEqual(['begin', 'open', ...plan.map(() => 'step'), 'leaf', 'end']);
  });

  it('[SRV-29] are refused with the step that differs when the world is another one now', async () => {
    const out = join(folder, 'diverged');
    const before = await startServer({ out });
    const client = await before.connect();
    const { data: kept } = await client.ask('open', { ...wanted, keep: true });
    await client.ask('step', plan[0], { session: kept.session });
    await before.stop();
    // A line that was cut off by a kill is left out.
    appendFileSync(join(out, 'sessions.jsonl'), '{"session":"s-cut');
    const changed = {
      ...world,
      open(task: ReturnType<typeof world.task>) {
        const opened = world.open(task);
        let steps = 0;
        const { snapshot: _s, restore: _r, fork: _f, ...session } = opened;
        return {
          ...session,
          step: (action: (typeof plan)[number]) => {
            steps++;
            return session.step(action);
          },
          digest: () => (steps > 0 ? 'changed' : session.digest()),
        };
      },
    };
    const after = await startServer({ out, environments: [changed] });
    expect(after.resumed).toEqual({ sessions: 0, lost: 1, waiting: {}, abandoned: 0 });
    const again = await after.connect();
    expect(await again.ask('attach', { session: kept.session })).toMatchObject({
      data: { code: 'DIVERGED', step: 1, reached: 'changed' },
    });
    await after.stop();
    expect(episodesIn(out).map(({ end }) => [end.outcome, end.boundary, end.reason])).toEqual([
      ['errored', 'environment', 'diverged'],
    ]);
  });

  it('[SRV-29] wait when their environment is left out, and go on when it is served again', async () => {
    const out = join(folder, 'left-out');
    const before = await startServer({ out });
    const client = await before.connect();
    const { data: kept } = await client.ask('open', { ...wanted, keep: true });
    await client.ask('step', plan[0], { session: kept.session });
    await before.stop();
    const without = await startServer({ out, environments: [createWorld(mail)] });
    expect(without.resumed).toEqual({ sessions: 0, lost: 0, waiting: { library: 1 }, abandoned: 0 });
    expect(await (await without.connect()).ask('attach', { session: kept.session })).toMatchObject({
      data: { code: 'SESSION_ERROR', message: expect.stringContaining('waits for the environment "library"') },
    });
    await without.stop();
    const after = await startServer({ out });
    expect(after.resumed).toEqual({ sessions: 1, lost: 0, waiting: {}, abandoned: 0 });
    expect(await (await after.connect()).ask('attach', { session: kept.session })).toMatchObject({ data: { node: 1 } });
    await after.stop();
  });

  it('[SRV-29] survive a server that is killed, up to the last answer', async () => {
    const out = join(folder, 'killed');
    const args = ['serve', library, '--port', '0', '--out', out, '--json'];
    const child = spawn(process.execPath, [join(root, 'bin', 'espalier.js'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const { url, environments } = JSON.parse(said.toString()) as { url: string; environments: string[] };
    expect(environments).toEqual(['library']);
    const client = await connectTo(url);
    const states = new Map<string, unknown>();
    for (let index = 0; index < 20; index++) {
      const { data } = await client.ask('open', { ...wanted, keep: true });
      for (const action of plan.slice(0, index % 3)) await client.ask('step', action, { session: data.session });
      states.set(data.session, (await client.ask('state', {}, { session: data.session })).data);
    }
    await client.ask('reset', wanted);
    child.kill('SIGKILL');
    await once(child, 'close');
    const after = await startServer({ out });
    expect(after.resumed).toMatchObject({ sessions: 20, lost: 0 });
    const again = await after.connect();
    for (const [session, state] of states) {
      await again.ask('attach', { session });
      expect((await again.ask('state', {}, { session })).data).toEqual(state);
    }
    await after.stop();
  }, 30_000);
});
