import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import {
  armingStudent,
  createForgetfulWorld,
  disarmingTeacher,
  lightingStudent,
  type Shows,
} from '../../../test/fixtures/certify/forgetful-world.ts';
import { impatientTimers, perfectTeacher, run, tasksOf } from '../../../test/fixtures/episode-setup.ts';
import { createMemoryJournal, type MemoryJournal } from '../../../test/fixtures/memory-journal.ts';
import type { Environment } from '../../core/contracts.ts';
import { certificateOf, lacksCertificate, outsideOf } from '../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Task } from '../../core/records.ts';
import { createWorld } from '../../worlds/world.ts';
import { createRandomPolicy } from '../../agents/random.ts';
import type { EpisodeParts } from '../attempt.ts';
import { leavesToCertify } from './certifier.ts';
import { certify, pathTo } from './certify.ts';
import { createBestOfN } from '../strategies/best-of-n.ts';
import { createLinear } from '../strategies/linear.ts';
import { createSpeculativeRollback } from '../strategies/speculative-rollback.ts';

function partsIn(environment: Environment): EpisodeParts {
  const strategy = createSpeculativeRollback({ speculate: 1 });
  return { environment, student: armingStudent, teacher: disarmingTeacher, strategy };
}

async function lampTasks(environment: Environment, count: number): Promise<Task[]> {
  return Promise.all(Array.from({ length: count }, (_, seed) => environment.task('light', seed)));
}

async function runLamp(shows: Shows): Promise<EpisodeRecord> {
  const environment = createForgetfulWorld({ shows });
  const { records } = await run({ tasks: await lampTasks(environment, 1), parts: partsIn(environment) });
  return records[0] as EpisodeRecord;
}

describe('certification of leaves', () => {
  it('[CERT-1] a leaf whose replay agrees in everything is certified, once, after its episode', async () => {
    const record = await runLamp('nothing');
    expect(record.end).toMatchObject({ outcome: 'passed', certification: 'by-replay' });
    expect(record.rollbacks).toMatchObject([{ method: 'restore' }]);
    expect(record.certificates).toEqual([{ result: 'agreed', leaf: record.end.leaf, milliseconds: 0 }]);
    expect(lacksCertificate(record, record.end.leaf)).toBe(false);
    expect(leavesToCertify(record)).toEqual([]);
  });

  it.each([
    ['digest', { step: 1, what: 'digest' }],
    ['observation', { step: 1, what: 'observation', got: 'line 2:   text "The lamp is lit."' }],
    ['outcome', { step: 1, what: 'outcome', got: '{"applied":true}' }],
    ['fingerprint', { step: 1, what: 'fingerprint', got: expect.stringContaining('lit (focus, scrolling') as string }],
    ['picture', { step: 1, what: 'picture' }],
    ['verdict', { step: 2, what: 'verdict' }],
  ] as const)(
    '[CERT-2] [CERT-14] [CERT-15] a restore that lies about the %s is found, and the first differing step named',
    async (shows, found) => {
      const record = await runLamp(shows);
      expect(record.end.outcome).toBe('passed');
      expect(record.rollbacks).toMatchObject([{ method: 'restore' }]);
      const { leaf } = record.end;
      const node = record.tree.path(leaf)[found.step - 1]?.id;
      expect(record.certificates).toEqual([
        expect.objectContaining({ result: 'diverged', leaf, node, expected: expect.any(String), ...found }),
      ]);
      expect(lacksCertificate(record, leaf)).toBe(true);
    },
  );

  it('[CERT-1] compares the screen at the leaf, too', async () => {
    const environment = createForgetfulWorld({ shows: 'nothing' });
    const record = await runLamp('nothing');
    const path = pathTo(record, record.end.leaf);
    expect(await certify(environment, path)).toEqual({ certified: true });
    expect(path.screen).toContain('The lamp is lit.');
    expect(await certify(environment, { ...path, screen: 'page "Lamp"' })).toMatchObject({
      certified: false,
      step: path.steps.length,
      what: 'observation',
    });
    expect(await certify(environment, { ...path, root: 'elsewhere' })).toMatchObject({ step: 0, what: 'digest' });
  });

  it('[CERT-13] notes where each action goes and what the world was given, as it was before the step', async () => {
    const honest = createForgetfulWorld({ shows: 'nothing' });
    const conditions = { clock: '2026-02-02T09:00:00.000Z' };
    const open: Environment['open'] = async task => {
      const session = await honest.open(task);
      let taken = 0;
      return {
        ...session,
        step: action => (taken++, session.step(action)),
        conditions: () => conditions,
        locator: action => ('ref' in action ? `step ${taken}: ${action.ref}` : null),
      };
    };
    const environment = { ...honest, open };
    const parts = { environment, student: lightingStudent, strategy: createLinear() };
    const { records } = await run({ tasks: await lampTasks(environment, 1), parts });
    const [record] = records as [EpisodeRecord];
    const outside = { conditions, locators: ['step 0: e1', null] };
    expect(record.certificates).toEqual([{ result: 'agreed', leaf: record.end.leaf, milliseconds: 0, outside }]);
    expect(outsideOf(record, record.end.leaf)).toEqual(outside);
  });

  it('[CERT-3] every leaf that passed is replayed by itself; those that failed are not unless asked for', async () => {
    const environment = createForgetfulWorld({ shows: 'nothing' });
    const student = { ...lightingStudent, name: 'several' };
    const parts = { environment, student, strategy: createBestOfN({ attempts: 3 }) };
    const { records } = await run({ tasks: await lampTasks(environment, 1), parts });
    const [record] = records as [EpisodeRecord];
    const leaves = record.leaves.map(({ node }) => node);
    expect(new Set(leaves).size).toBe(3);
    expect(record.certificates.map(({ leaf, result }) => [leaf, result]).toSorted()).toEqual(
      leaves.map(leaf => [leaf, 'agreed']).toSorted(),
    );
    const idle = { name: 'idle', act: () => ({ action: { kind: 'finish' } as const }) };
    const failed = await run({
      tasks: await lampTasks(environment, 1),
      parts: { environment, student: idle, strategy: createLinear() },
    });
    const [failure] = failed.records as [EpisodeRecord];
    expect(failure.certificates).toEqual([]);
    expect(leavesToCertify(failure)).toEqual([]);
    expect(leavesToCertify(failure, true)).toEqual([failure.end.leaf]);
    expect(await certify(environment, pathTo(failure, failure.end.leaf))).toEqual({ certified: true });
  });

  it('[CERT-4] state worlds are certified by construction: nothing is replayed', async () => {
    const world = createWorld(app);
    let opened = 0;
    const watched: Environment = {
      ...world,
      open(task) {
        opened++;
        return world.open(task);
      },
    };
    const tasks = tasksOf(world, 'lend-to-reader', [1, 2]);
    const parts = { environment: watched, student: createRandomPolicy(), teacher: perfectTeacher };
    const { records } = await run({ tasks, parts: { ...parts, strategy: createSpeculativeRollback() } });
    expect(opened).toBe(2);
    expect(records.map(({ end, certificates }) => [end.outcome, end.certification, certificates])).toEqual([
      ['passed', 'by-construction', []],
      ['passed', 'by-construction', []],
    ]);
  });

  it('[CERT-4] an environment that says nothing is replayed', async () => {
    const { certification: _certification, ...silent } = createWorld(app);
    const tasks = tasksOf(createWorld(app), 'lend-to-reader', [1]);
    const parts = { environment: silent, student: createRandomPolicy(), teacher: perfectTeacher };
    const { records } = await run({ tasks, parts: { ...parts, strategy: createSpeculativeRollback() } });
    expect(records[0]?.end.certification).toBe('by-replay');
    expect(records[0]?.certificates).toMatchObject([{ result: 'agreed' }]);
  });

  /** A lamp that counts as certified by construction; its buttons can be clicked by pixels as well. */
  function drawnLamp(): Environment {
    const lamp = createForgetfulWorld({ shows: 'nothing' });
    const open: Environment['open'] = async task => {
      const session = await lamp.open(task);
      const refAt = (x: number): string => (x < 50 ? 'e1' : 'e2');
      return {
        ...session,
        step: action => session.step(action.kind === 'click-at' ? { kind: 'click', ref: refAt(action.x) } : action),
      };
    };
    return { ...lamp, certification: 'by-construction', open };
  }

  /** The same student with a pointer instead of numbers of elements. */
  const byPixels: typeof armingStudent = {
    ...armingStudent,
    async act(view) {
      const { action } = await armingStudent.act(view);
      return {
        action: action?.kind === 'click' ? { kind: 'click-at', x: action.ref === 'e1' ? 10 : 90, y: 10 } : action,
      };
    },
  };

  it('[CERT-4] a path by pixels is replayed, also where states are certified by construction', async () => {
    const recordOf = async (student: typeof armingStudent): Promise<EpisodeRecord> => {
      const environment = drawnLamp();
      const { records } = await run({
        tasks: await lampTasks(environment, 1),
        parts: { ...partsIn(environment), student },
      });
      return records[0] as EpisodeRecord;
    };
    const byNumbers = await recordOf(armingStudent);
    expect([byNumbers.end.certification, byNumbers.certificates]).toEqual(['by-construction', []]);
    const honest = await recordOf(byPixels);
    expect(honest.end).toMatchObject({ outcome: 'passed', certification: 'by-replay' });
    expect(honest.certificates).toMatchObject([{ result: 'agreed' }]);
  });
});

describe('certification beside a run', () => {
  it('[CERT-5] a replay that breaks is tried once more, then told; the episode stays passed', async () => {
    let opened = 0;
    const breaking = (times: number): Environment => {
      opened = 0;
      return createForgetfulWorld({
        shows: 'nothing',
        opened() {
          // The first session is the episode's own.
          if (++opened > 1 && opened <= 1 + times) throw unavailable();
        },
      });
    };
    const once = breaking(1);
    const mended = await run({ tasks: await lampTasks(once, 1), parts: partsIn(once) });
    expect(mended.records[0]?.certificates).toMatchObject([{ result: 'agreed' }]);
    const twice = breaking(2);
    const broken = await run({ tasks: await lampTasks(twice, 1), parts: partsIn(twice) });
    const [record] = broken.records as [EpisodeRecord];
    expect(record.end.outcome).toBe('passed');
    expect(record.certificates).toMatchObject([{ result: 'broken', message: expect.stringContaining('is gone') }]);
    expect(broken.totals.certificates).toEqual({ agreed: 0, diverged: 0, broken: 1 });
    expect(lacksCertificate(record, record.end.leaf)).toBe(true);
    expect(leavesToCertify(record)).toEqual([record.end.leaf]);
  });

  it('[CERT-5] a replay that hangs has a deadline', async () => {
    let opened = 0;
    const honest = createForgetfulWorld({ shows: 'nothing' });
    const hanging: Environment = {
      ...honest,
      open: async task => {
        const session = await honest.open(task);
        return ++opened === 1 ? session : { ...session, digest: () => new Promise<string>(() => undefined) };
      },
    };
    const { records } = await run({
      tasks: await lampTasks(honest, 1),
      parts: { ...partsIn(hanging), limits: { waitMilliseconds: 5 } },
      timers: impatientTimers,
    });
    expect(records[0]?.certificates).toMatchObject([
      { result: 'broken', message: expect.stringContaining('did not answer in 5 ms') },
    ]);
  });

  it('[CERT-6] after a divergence, snapshots of that environment are not used any more', async () => {
    const environment = createForgetfulWorld({ shows: 'digest' });
    const { records, totals } = await run({ tasks: await lampTasks(environment, 4), parts: partsIn(environment) });
    const methods = records.map(({ rollbacks }) => rollbacks.map(({ method }) => method));
    // The replay of the first goes on beside the second, and is over before the third begins.
    expect([methods[0], methods[2], methods[3]]).toEqual([['restore'], ['replay'], ['replay']]);
    const replayed = records.flatMap(({ rollbacks }) => rollbacks).filter(({ method }) => method === 'replay');
    expect(replayed[0]?.divergence).toContain('snapshots of this environment are not used any more');
    // What went back by replay is right, and is certified.
    expect(totals.certificates.agreed).toBe(replayed.length);
    expect(totals.certificates.agreed + totals.certificates.diverged).toBe(4);
  });

  it('[CERT-6] where nothing was restored, snapshots are not to blame', async () => {
    let opened = 0;
    const honest = createForgetfulWorld({ shows: 'nothing' });
    const wavering: Environment = {
      ...honest,
      open: async task => {
        const session = await honest.open(task);
        const name = ++opened;
        return { ...session, digest: async () => `${name} ${await session.digest()}` };
      },
    };
    const linear = { environment: wavering, student: lightingStudent, strategy: createLinear() };
    const { records } = await run({
      tasks: await lampTasks(honest, 4),
      parts: ({ index }) => (index === 0 ? linear : partsIn(honest)),
    });
    expect(records[0]?.certificates).toMatchObject([{ result: 'diverged', step: 0, node: 0, what: 'digest' }]);
    for (const { rollbacks } of records.slice(1)) expect(rollbacks).toMatchObject([{ method: 'restore' }]);
  });

  it('[CERT-7] a place without an episode replays, too: the end of a run is not waited for one by one', async () => {
    const honest = createForgetfulWorld({ shows: 'nothing' });
    const seen = new Set<string>();
    const open = { now: 0, most: 0 };
    const counted: Environment = {
      ...honest,
      open: async task => {
        const isReplay = seen.has(task.id);
        seen.add(task.id);
        const session = await honest.open(task);
        if (!isReplay) return session;
        open.most = Math.max(open.most, ++open.now);
        const close = async (): Promise<void> => {
          // Long enough for every episode to end.
          await new Promise(resolve => setTimeout(resolve, 50));
          open.now--;
          await session.close();
        };
        return { ...session, close };
      },
    };
    const { totals } = await run({ tasks: await lampTasks(counted, 4), parts: partsIn(counted), concurrency: 4 });
    expect(totals.certificates).toEqual({ agreed: 4, diverged: 0, broken: 0 });
    expect(open.most).toBe(4);
  });

  it('[CERT-7] a store that cannot take a certificate stops the run', async () => {
    const environment = createForgetfulWorld({ shows: 'nothing' });
    const journal = createMemoryJournal();
    const failing: MemoryJournal = {
      ...journal,
      certify() {
        throw new Error('no space left on device');
      },
    };
    await expect(
      run({ tasks: await lampTasks(environment, 2), parts: partsIn(environment), journal: failing }),
    ).rejects.toMatchObject({ boundary: 'store', message: expect.stringContaining('no space left') });
    for (const stored of journal.episodes()) expect(stored.certificates).toEqual([]);
  });

  it('[CERT-7] a run that is stopped between verdict and certificate keeps the episode, and says that it is not done', async () => {
    const controller = new AbortController();
    let opened = 0;
    const environment = createForgetfulWorld({
      shows: 'nothing',
      opened() {
        if (++opened === 2) controller.abort();
      },
    });
    const { totals, records } = await run({
      tasks: await lampTasks(environment, 1),
      parts: partsIn(environment),
      signal: controller.signal,
    });
    expect(totals).toMatchObject({ ended: 1, stopped: true, certificates: { agreed: 0, broken: 0 } });
    const [record] = records as [EpisodeRecord];
    expect(certificateOf(record, record.end.leaf)).toBeNull();
    expect(leavesToCertify(record)).toEqual([record.end.leaf]);
  });

  it('[CERT-7] can be left for later', async () => {
    const environment = createForgetfulWorld({ shows: 'nothing' });
    const options = { tasks: await lampTasks(environment, 1), parts: partsIn(environment), certifies: false };
    const { records, totals } = await run(options);
    expect(totals.certificates).toEqual({ agreed: 0, diverged: 0, broken: 0 });
    expect(records[0]?.certificates).toEqual([]);
  });
});

function unavailable(): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: 'The page is gone.',
    expected: 'Expected a page.',
  });
}
