import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { episodesIn } from '../../../test/fixtures/program.ts';
import { startServer, type StartedServer, type StartOptions } from '../../../test/fixtures/serve/start-server.ts';
import type { Action } from '../../core/action.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { createWorld } from '../../worlds/world.ts';

const world = createWorld(app);
const wanted = { task: 'lend-to-reader', seed: 3 };
const plan = planFor(world.open(world.task(wanted.task, wanted.seed)));
const idle: Action = { kind: 'fill', ref: 'e1', text: 'x' };
const keys = { student: null, teacher: 'the key of the teacher' };

const folder = mkdtempSync(join(tmpdir(), 'espalier-superset-'));
const started: StartedServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(options: StartOptions = {}): Promise<StartedServer> {
  const server = await startServer({ keys, ...options });
  started.push(server);
  return server;
}

describe('going back over the wire', () => {
  it('[SRV-24] restores and rolls back to any node, and tells both digests', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', wanted);
    const start = (await client.ask('digest')).data;
    expect(start).toMatchObject({ node: 0, equal: true, recorded: start.digest });
    await client.ask('step', plan[0]);
    const { data: kept } = await client.ask('snapshot');
    expect(kept).toMatchObject({ node: 1, digest: expect.any(String) });
    await client.ask('step', idle);
    const back = await client.ask('rollback', { node: 0 }, { id: 'r' });
    expect(back).toMatchObject({
      type: 'rollback',
      id: 'r',
      data: { node: 0, method: 'restore', recorded: start.digest, reached: start.digest, observation: { node: 0 } },
    });
    const restored = await client.ask('restore', { snapshot: kept.snapshot });
    expect(restored.data).toMatchObject({ node: 1, recorded: kept.digest, reached: kept.digest });
    expect(restored.data.observation.text).toBe((await client.ask('observe')).data.observation.text);
    for (const [verb, data] of [
      ['rollback', { node: 99 }],
      ['rollback', { node: -1 }],
      ['rollback', {}],
      ['restore', { snapshot: '1@collect/0/another' }],
      ['restore', { snapshot: '99@collect/0/library/lend-to-reader/3/0' }],
    ] as const)
      expect([data, await client.ask(verb, data)]).toMatchObject([data, { data: { code: 'VALIDATION_ERROR' } }]);
    for (const action of plan.slice(1)) await client.ask('step', action);
    expect(await client.ask('verify')).toMatchObject({ data: { outcome: 'passed', reward: 1 } });
  });

  it('[SRV-24] names the step where a world that is replayed diverges', async () => {
    let opened = 0;
    const forgetful = {
      ...world,
      certification: undefined as never,
      open(task: ReturnType<typeof world.task>) {
        const { snapshot: _s, restore: _r, fork: _f, ...session } = world.open(task);
        const isLater = opened++ > 0;
        let steps = 0;
        return {
          ...session,
          step: (action: Action) => {
            steps++;
            return session.step(action);
          },
          digest: () => (isLater && steps === 2 ? 'elsewhere' : session.digest()),
        };
      },
    };
    const client = await (await serve({ environments: [forgetful] })).connect();
    await client.ask('reset', wanted);
    for (let times = 0; times < 3; times++) await client.ask('step', idle);
    expect(await client.ask('rollback', { node: 1 })).toMatchObject({ data: { method: 'replay' } });
    expect(await client.ask('rollback', { node: 2 })).toMatchObject({
      data: { code: 'DIVERGED', step: 2, reached: 'elsewhere', recorded: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(await client.ask('state')).toMatchObject({ data: { outcome: 'errored' } });
  });
});

describe('forks over the wire', () => {
  it('[SRV-25] are branches of one episode, each with a verdict of its own', async () => {
    const out = join(folder, 'group');
    const server = await serve({ out });
    const client = await server.connect();
    await client.ask('reset', wanted);
    await client.ask('step', plan[0]);
    const { data: group } = await client.ask('fork', { n: 8 });
    const sessions = (group.sessions as { session: string; digest: string }[]).map(({ session }) => session);
    expect(new Set(sessions).size).toBe(8);
    for (const { digest } of group.sessions) expect(digest).toBe(group.digest);
    for (const [index, session] of sessions.entries()) {
      const actions = index < 3 ? plan.slice(1) : [{ kind: 'finish' }];
      for (const action of actions) await client.ask('step', action, { session });
    }
    const rewards: number[] = [];
    for (const session of sessions) rewards.push((await client.ask('verify', {}, { session })).data.reward);
    expect(rewards).toEqual([1, 1, 1, 0, 0, 0, 0, 0]);
    // The parent stands where it stood.
    expect((await client.ask('digest')).data).toMatchObject({ node: 1, digest: group.digest });
    expect(await client.ask('close', {}, { session: sessions[0] })).toMatchObject({ data: { closed: true } });
    await client.close();
    await server.stop();
    started.pop();
    const [episode, ...others] = episodesIn(out);
    expect(others).toEqual([]);
    const record = foldEpisode(episode!);
    expect(record.leaves.map(({ role, verdict }) => [role, verdict?.pass])).toEqual([
      ...Array.from({ length: 3 }, () => ['sample', true]),
      ...Array.from({ length: 5 }, () => ['sample', false]),
    ]);
    expect(episode!.end).toMatchObject({ outcome: 'passed', counts: { forks: 8, steps: plan.length } });
    expect(record.tree.children(1)).toHaveLength(8);
  });

  it('[SRV-25] start at any node; the session that opened the episode decides its outcome when it was verified', async () => {
    const out = join(folder, 'earlier');
    const server = await serve({ out });
    const client = await server.connect();
    await client.ask('reset', wanted);
    for (const action of plan.slice(0, -1)) await client.ask('step', action);
    const { data: group } = await client.ask('fork', { n: 2, node: 0 });
    expect(group.node).toBe(0);
    const [{ session }] = group.sessions as [{ session: string }];
    expect(await client.ask('observe', {}, { session })).toMatchObject({ data: { observation: { node: 0 } } });
    await client.ask('step', { kind: 'finish' }, { session });
    expect(await client.ask('step', plan.at(-1))).toMatchObject({ data: { reward: 1 } });
    expect(server.log.filter(({ event }) => event === 'episode')).toEqual([]);
    await client.close();
    await server.stop();
    started.pop();
    expect(episodesIn(out).map(({ end }) => [end.outcome, end.leaf])).toEqual([['passed', plan.length - 1 + 2]]);
  });

  it('[SRV-83] do not start at a node where the agent has finished, and no session goes there', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', wanted);
    const { data: group } = await client.ask('fork', { n: 1 });
    const [{ session }] = group.sessions as [{ session: string }];
    for (const action of plan) await client.ask('step', action, { session });
    const { data: finished } = await client.ask('state', {}, { session });
    const { data: own } = await client.ask('state');
    expect(finished).toMatchObject({ ended: 'terminated', outcome: 'passed' });
    for (const [verb, data] of [
      ['fork', { node: finished.node }],
      ['rollback', { node: finished.node }],
      ['restore', { snapshot: `${finished.node}@${own.episode_id}` }],
    ] as const)
      expect([verb, await client.ask(verb, data)]).toMatchObject([
        verb,
        { data: { code: 'VALIDATION_ERROR', message: expect.stringContaining('the agent has finished') } },
      ]);
    expect((await client.ask('state')).data).toEqual(own);
    expect(await client.ask('rollback', { node: finished.node - 1 })).toMatchObject({ type: 'rollback' });
  });

  it('[SRV-25] [SRV-28] are all made or none: a fork bomb ends at the limits, and harms nobody', async () => {
    const server = await serve({ sessions: 40, clientSessions: 20 });
    const [bomber, other] = [await server.connect(), await server.connect()];
    await other.ask('reset', wanted);
    await bomber.ask('reset', wanted);
    const known = [null as string | null];
    const refusals: unknown[] = [];
    for (let times = 0; times < 60; times++) {
      const session = known[times % known.length] ?? null;
      const answer = await bomber.ask('fork', { n: 7 }, session === null ? {} : { session });
      if (answer.type === 'fork') for (const made of answer.data.sessions) known.push(made.session);
      else refusals.push(answer.data);
    }
    expect(known).toHaveLength(15);
    expect(refusals).toHaveLength(58);
    const full = { code: 'CAPACITY_REACHED', active_sessions: 15, max_sessions: 20 };
    for (const refusal of refusals) expect(refusal).toMatchObject(full);
    for (const n of [0, -1, 65, 1.5, 'x'])
      expect(await bomber.ask('fork', { n })).toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
    expect(await bomber.ask('fork', { node: 9 })).toMatchObject({ data: { code: 'VALIDATION_ERROR' } });
    expect(await other.ask('fork', { n: 3 })).toMatchObject({ type: 'fork' });
    await bomber.close();
    await expect.poll(async () => (await other.ask('open', wanted)).type).toBe('open');
  });
});

describe('rights', () => {
  it('[SRV-60] are those of who asks: the ticket of a teacher does not make a teacher of a student', async () => {
    const server = await serve();
    const [student, teacher] = [await server.connect(), await server.connect(keys.teacher)];
    const { data } = await teacher.ask('open', wanted);
    const heldOut = { environment: 'library', task: 'who-has-book', seed: 3 };
    const more = { session: data.session };
    expect(await student.ask('reset', heldOut, more)).toMatchObject({ data: { code: 'FORBIDDEN' } });
    expect(await teacher.ask('reset', heldOut, more)).toMatchObject({ type: 'observation' });
  });

  it('[SRV-26] gives students the verdict after the end only, without the words of its checks', async () => {
    const server = await serve();
    const [student, teacher] = [await server.connect(), await server.connect(keys.teacher)];
    const { data: opened } = await student.ask('open', wanted);
    const { session } = opened;
    expect(await student.ask('verify', {}, { session })).toMatchObject({ data: { code: 'FORBIDDEN' } });
    expect(await student.ask('plan', {}, { session })).toMatchObject({ data: { code: 'FORBIDDEN' } });
    const { data: live } = await teacher.ask('verify', {}, { session });
    expect(live).toMatchObject({ outcome: null, reward: null, verdict: { pass: false, evidence: {} } });
    expect(live.verdict.checks[0].name).toContain('lent to');
    expect((await teacher.ask('plan', {}, { session })).data).toMatchObject({ outcome: 'solved', actions: plan });
    const { data: stopped } = await student.ask('verify', { stop: true }, { session });
    expect(stopped).toEqual({ outcome: 'failed', reward: 0, verdict: null });
    expect((await student.ask('verify', {}, { session })).data).toEqual(stopped);
    await student.ask('reset', wanted);
    await student.ask('step', { kind: 'finish' });
    const { data: finished } = await student.ask('verify');
    expect(finished).toMatchObject({ outcome: 'failed', reward: 0, verdict: { pass: false } });
    expect(Object.keys(finished.verdict).toSorted()).toEqual(['checks', 'clean', 'pass', 'progress']);
    for (const check of finished.verdict.checks) expect(Object.keys(check).toSorted()).toEqual(['id', 'pass']);
    expect((await teacher.ask('verify', {}, { session })).data.verdict).toHaveProperty('evidence');
  });

  it('[SRV-26] offers candidates that say nothing of the answer', async () => {
    const client = await (await serve()).connect();
    await client.ask('reset', wanted);
    const { data } = await client.ask('candidates');
    const kinds = new Set((data.candidates as { action: Action }[]).map(({ action }) => action.kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['click']));
    const bare = { ...world, open: (task: ReturnType<typeof world.task>) => bareSession(task) };
    const plain = await (await serve({ environments: [bare] })).connect(keys.teacher);
    await plain.ask('reset', wanted);
    for (const verb of ['candidates', 'plan'])
      expect(await plain.ask(verb)).toMatchObject({ data: { code: 'UNSUPPORTED' } });
    expect(await plain.ask('state')).toMatchObject({ data: { outcome: null } });
  });
});

/** A session without any of the optional powers. */
function bareSession(task: ReturnType<typeof world.task>) {
  const { observe, step, digest, verify, close } = world.open(task);
  return { task, observe, step, digest, verify, close };
}
