import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { planFor } from '../../../test/fixtures/episode-setup.ts';
import { episodesIn } from '../../../test/fixtures/program.ts';
import { startServer, type TestClient } from '../../../test/fixtures/serve/start-server.ts';
import type { Action } from '../../core/action.ts';
import type { Environment } from '../../core/contracts.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import type { Task } from '../../core/records.ts';
import { createWorld } from '../../worlds/world.ts';
import type { SessionRecord } from './session-file.ts';

const world = createWorld(app);
const wanted = { task: 'lend-to-reader', seed: 3 };
const plan = planFor(world.open(world.task(wanted.task, wanted.seed)));
const wrong = { kind: 'fill', ref: 'e1', text: 'x' } as const;

const folder = mkdtempSync(join(tmpdir(), 'espalier-resume-'));
afterAll(() => rmSync(folder, { recursive: true }));

function recordsIn(out: string): SessionRecord[] {
  const path = join(out, 'sessions.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map(line => JSON.parse(line) as SessionRecord);
}

function writeRecords(out: string, records: readonly SessionRecord[]): void {
  writeFileSync(join(out, 'sessions.jsonl'), records.map(record => `${JSON.stringify(record)}\n`).join(''));
}

async function opened(client: TestClient): Promise<string> {
  return (await client.ask('open', { ...wanted, keep: true })).data.session as string;
}

async function forked(client: TestClient, session: string): Promise<string> {
  return (await client.ask('fork', { n: 1 }, { session })).data.sessions[0].session as string;
}

async function stateOf(client: TestClient, session: string): Promise<unknown> {
  return (await client.ask('state', {}, { session })).data;
}

describe('a session that the file has and the journal does not', () => {
  it('[SRV-63] is not written before its events', async () => {
    const out = join(folder, 'order');
    const server = await startServer({ out });
    const client = await server.connect();
    const session = await opened(client);
    const journal = new DatabaseSync(join(out, 'store.db'), { readOnly: true });
    const forks = journal.prepare("SELECT count(*) AS count FROM events WHERE kind = 'fork'");
    const seen: { known: number; saved: number }[] = [];
    let isWatching = true;
    const watch = (): void => {
      if (!isWatching) return;
      // The file first: the journal may only be ahead of it.
      const known = recordsIn(out).filter(({ branch }) => branch > 0).length;
      seen.push({ known, saved: Number(forks.get()?.['count']) });
      setImmediate(watch);
    };
    watch();
    await client.ask('fork', { n: 64 }, { session });
    isWatching = false;
    journal.close();
    await server.stop();
    expect(seen.filter(({ known, saved }) => known > saved)).toEqual([]);
    expect(recordsIn(out).filter(({ branch }) => branch > 0)).toHaveLength(64);
  });

  it('[SRV-63] is refused with the reason, and its number is not given to another', async () => {
    const out = join(folder, 'phantom');
    const before = await startServer({ out });
    const client = await before.connect();
    const session = await opened(client);
    await client.ask('step', plan[0], { session });
    const state = await stateOf(client, session);
    await before.stop();
    const [record] = recordsIn(out) as [SessionRecord];
    writeRecords(out, [record, { ...record, session: 's-phantom', branch: 5 }]);

    for (const restart of ['first', 'second']) {
      const after = await startServer({ out });
      expect([restart, after.resumed]).toEqual([restart, { sessions: 1, lost: 1, waiting: {}, abandoned: 0 }]);
      const again = await after.connect();
      expect(await again.ask('attach', { session: 's-phantom' })).toMatchObject({
        data: { code: 'SESSION_ERROR', message: expect.stringContaining('was never saved') },
      });
      expect(after.log).toContainEqual(
        expect.objectContaining({ message: expect.stringContaining('was never saved') }),
      );
      expect(await stateOf(again, session)).toEqual(state);
      const fork = await forked(again, session);
      expect(recordsIn(out).find(found => found.session === fork)?.branch).toBeGreaterThan(5);
      await again.ask('close', {}, { session: fork });
      await after.stop();
    }
  });
});

describe('an episode with several branches, after a restart', () => {
  it('[SRV-64] keeps the verdict of a session that was reset', async () => {
    const out = join(folder, 'reset');
    const before = await startServer({ out });
    const client = await before.connect();
    const session = await opened(client);
    const fork = await forked(client, session);
    for (const action of plan) await client.ask('step', action, { session });
    await client.ask('reset', { ...wanted, seed: 5 }, { session });
    await before.stop();
    const after = await startServer({ out });
    const again = await after.connect();
    await again.ask('attach', { session: fork });
    expect(await again.ask('step', { kind: 'finish' }, { session: fork })).toMatchObject({ data: { reward: 0 } });
    await after.stop();
    expect(episodesIn(out).find(({ head }) => head.task.seed === wanted.seed)?.end.outcome).toBe('passed');
  });

  it('[SRV-64] tells each session its own verdict, never that of another branch', async () => {
    const out = join(folder, 'own-verdict');
    const before = await startServer({ out });
    const client = await before.connect();
    const session = await opened(client);
    const [failed, left] = [await forked(client, session), await forked(client, session)];
    for (const action of plan) await client.ask('step', action, { session });
    await client.ask('step', { kind: 'finish' }, { session: failed });
    await client.ask('close', {}, { session: left });
    await before.stop();
    // As when the server is killed before it has written the ends.
    writeRecords(
      out,
      recordsIn(out).map(record => ({ ...record, end: null })),
    );
    const after = await startServer({ out });
    const again = await after.connect();
    expect(await again.ask('verify', {}, { session })).toMatchObject({ data: { reward: 1 } });
    expect(await again.ask('verify', {}, { session: failed })).toMatchObject({
      data: { outcome: 'failed', reward: 0, verdict: { pass: false } },
    });
    expect(await again.ask('verify', {}, { session: left })).toMatchObject({
      data: { code: 'SESSION_ERROR', message: expect.stringContaining('ended without a verdict') },
    });
    await after.stop();
  });

  it('[SRV-64] ends a session whose verdict is in the journal, though its record says that it is open', async () => {
    const out = join(folder, 'unrecorded-end');
    const before = await startServer({ out });
    const client = await before.connect();
    const session = await opened(client);
    const fork = await forked(client, session);
    for (const action of plan) await client.ask('step', action, { session: fork });
    await before.stop();
    writeRecords(
      out,
      recordsIn(out).map(record => ({ ...record, end: null })),
    );
    const after = await startServer({ out });
    expect(after.resumed).toMatchObject({ sessions: 1, lost: 0 });
    expect(await (await after.connect()).ask('verify', {}, { session: fork })).toMatchObject({ data: { reward: 1 } });
    await after.stop();
  });

  it('[SRV-65] goes on in the branches that reach their states; the others are refused until theirs are reached', async () => {
    const out = join(folder, 'one-diverged');
    const before = await startServer({ out });
    const client = await before.connect();
    const session = await opened(client);
    await client.ask('step', plan[0], { session });
    const fork = await forked(client, session);
    await client.ask('step', wrong, { session: fork });
    await client.ask('step', plan[1], { session: fork });
    const [state, forkState] = [await stateOf(client, session), await stateOf(client, fork)];
    await before.stop();

    const changed = await startServer({ out, environments: [divergingAfter(wrong)] });
    expect(changed.resumed).toEqual({ sessions: 1, lost: 1, waiting: {}, abandoned: 0 });
    const meanwhile = await changed.connect();
    expect(await meanwhile.ask('attach', { session: fork })).toMatchObject({ data: { code: 'DIVERGED', step: 2 } });
    expect(await stateOf(meanwhile, session)).toEqual(state);
    await changed.stop();

    const after = await startServer({ out });
    expect(after.resumed).toEqual({ sessions: 2, lost: 0, waiting: {}, abandoned: 0 });
    const again = await after.connect();
    expect(await stateOf(again, fork)).toEqual(forkState);
    for (const action of plan.slice(1)) await again.ask('step', action, { session });
    await again.ask('step', { kind: 'finish' }, { session: fork });
    await after.stop();
    expect(episodesIn(out).map(({ end }) => end.outcome)).toEqual(['passed']);
  });
});

describe('an episode of which no branch can go on, after a restart', () => {
  it.each([
    ['its open branch diverges', divergingAfter(wrong), 'DIVERGED'],
    ['its world starts in another state', startingElsewhere(), 'DIVERGED'],
    ['its world does not open', notOpening(), 'SESSION_ERROR'],
  ])('[SRV-65] keeps the verdicts of the branches that had ended when %s', async (what, environment, code) => {
    const out = join(folder, `verdicts-${what.replaceAll(' ', '-')}`);
    const before = await startServer({ out });
    const client = await before.connect();
    const session = await opened(client);
    const [passed, lost] = [await forked(client, session), await forked(client, session)];
    await client.ask('step', { kind: 'finish' }, { session });
    for (const action of plan) await client.ask('step', action, { session: passed });
    await client.ask('step', wrong, { session: lost });
    await before.stop();
    // As when the server is killed before it has written one of the ends.
    writeRecords(
      out,
      recordsIn(out).map(record => (record.session === passed ? { ...record, end: null } : record)),
    );

    for (const run of ['the same server', 'a later one']) {
      const after = await startServer({ out, environments: [environment] });
      const again = await after.connect();
      expect([run, await again.ask('verify', {}, { session: passed })]).toMatchObject([run, { data: { reward: 1 } }]);
      expect(await again.ask('verify', {}, { session })).toMatchObject({ data: { outcome: 'failed', reward: 0 } });
      const refused = await again.ask('attach', { session: lost });
      expect(refused.data.code).toBe(run === 'a later one' ? 'SESSION_ERROR' : code);
      await after.stop();
    }
    const [episode] = episodesIn(out);
    // The branch that opened the episode decides.
    expect(episode?.end).toMatchObject({ outcome: 'failed', reason: 'finish not passed', verdict: { pass: false } });
    expect(foldEpisode(episode!).leaves.map(({ verdict }) => verdict?.pass)).toEqual([false, true]);
  });
});

describe('a server that was cut off between the last step and its verdict', () => {
  it('[SRV-67] is followed by one that verifies the session at its next request', async () => {
    const out = join(folder, 'unverified');
    const before = await startServer({ out, environments: [neverVerifying()] });
    const [client, other] = [await before.connect(), await before.connect()];
    const session = await opened(client);
    for (const action of plan.slice(0, -1)) await client.ask('step', action, { session });
    client.send(JSON.stringify({ type: 'step', data: plan.at(-1), session }));
    // The answer to another session with `keep` saves what was done so far.
    await expect
      .poll(async () => {
        await opened(other);
        const journal = new DatabaseSync(join(out, 'store.db'), { readOnly: true });
        const steps = journal.prepare("SELECT count(*) AS count FROM events WHERE kind = 'step'").get();
        journal.close();
        return Number(steps?.['count']);
      })
      .toBe(plan.length);
    await before.stop(100);

    const after = await startServer({ out });
    const again = await after.connect();
    expect(await again.ask('attach', { session })).toMatchObject({
      data: { done: true, reward: 1, observation: { ended: 'terminated' } },
    });
    expect(await again.ask('verify', {}, { session })).toMatchObject({ data: { outcome: 'passed', reward: 1 } });
    await after.stop();
  });
});

/** The library, in another state than before after one action. */
function divergingAfter(action: Action): Environment {
  const text = JSON.stringify(action);
  return {
    ...world,
    open(task: Task) {
      const { snapshot: _s, restore: _r, fork: _f, ...session } = world.open(task);
      let isChanged = false;
      return {
        ...session,
        step(taken: Action) {
          isChanged ||= JSON.stringify(taken) === text;
          return session.step(taken);
        },
        digest: () => (isChanged ? 'changed' : session.digest()),
      };
    },
  };
}

function startingElsewhere(): Environment {
  return { ...world, open: (task: Task) => ({ ...world.open(task), digest: () => 'changed' }) };
}

function notOpening(): Environment {
  return {
    ...world,
    open: () => {
      throw new Error('there is no world');
    },
  };
}

function neverVerifying(): Environment {
  return {
    ...world,
    open: (task: Task) => ({ ...world.open(task), verify: () => new Promise<never>(() => undefined) }),
  };
}
