import { createSystemTimers } from '../../src/system/clock.ts';
import type { Action } from '../../src/core/action.ts';
import type { Environment, Session } from '../../src/core/contracts.ts';
import type { Trail } from '../../src/core/episode/trail.ts';
import { createRandom, type Random } from '../../src/core/random.ts';
import { createBrowserPool } from '../../src/envs/web/browser/pool.ts';
import { createWaiEnvironment, type WaiEnvironment } from '../../src/envs/web/sites/wai/environment.ts';
import { createTrail } from '../../src/worlds/trail.ts';
import { figure, quantile, type Bench, type BenchOptions, type Figure, type Reason } from '../measure.ts';
import { measureReference } from './reference.ts';

const depths = [5, 20, 100];
const actor = { role: 'student', name: 'random' } as const;
const rollbacksAtDepth = 60;
const forkRounds = 10;
const workers = 8;
/** Steps that a worker may roll back to. */
const walkLength = 25;
/** Then it starts anew, as an episode would. */
const rollbacksPerEpisode = 40;

/** Rollback on WebArena-Infinity apps, beside the way of the reference implementation. */
export const waiBench: Bench = {
  group: 'browser',
  onDemand: true,
  usesBrowser: true,
  figures: [
    ...depths.map(depth => `wai.rollback@${depth}`),
    'wai.rollback-p99',
    'wai.step',
    'wai.fork@20',
    'wai.exact',
    'wai.wrong',
    'wai.reference@20',
    'wai.reference-nosleep@20',
  ],
  async *run({ wai = [], ...options }, news) {
    for (const folder of wai) {
      const suffix = wai.length === 1 ? '' : ` ${folder.split('/').findLast(part => part !== '') ?? folder}`;
      for await (const { name, ...found } of measureApp(folder, options)) {
        for (const line of reasonLines(name + suffix, found.reasons ?? [])) news.line(line);
        yield { ...found, name: name + suffix };
      }
    }
  },
};

async function* measureApp(
  folder: string,
  { rollbacks, browser }: Pick<BenchOptions, 'rollbacks' | 'browser'>,
): AsyncGenerator<Figure> {
  const timers = createSystemTimers();
  const pool = createBrowserPool({ timers, pages: 2 * workers + 2, ...browser });
  const viewport = { width: 1280, height: 800 };
  const environment = await createWaiEnvironment({ folder, timers, pool, viewport, pictures: null });
  try {
    yield* measureDepths(environment);
    if (rollbacks > 0) yield* measureWrong(environment, { rollbacks });
  } finally {
    await environment.close?.();
    await pool.close();
  }
  // The machine is theirs alone while they are measured, as it was ours.
  yield* measureReference(folder, { viewport, path: browser.path });
}

async function* measureDepths(environment: WaiEnvironment): AsyncGenerator<Figure> {
  const all: number[] = [];
  const steps: number[] = [];
  for (const depth of depths) {
    const random = createRandom(`depth ${depth}`);
    const trail = await openTrail(environment, 0);
    for (let taken = 0; taken < depth; taken++) steps.push(await timed(() => walk(trail, random)));
    const end = trail.at();
    const values: number[] = [];
    for (let round = 0; round < rollbacksAtDepth; round++) {
      await walk(trail, random);
      values.push(await timed(() => trail.rollback(end)));
    }
    all.push(...values);
    yield figure(`wai.rollback@${depth}`, 'ms', values);
    if (depth === 20) yield await measureFork(trail, random);
    await trail.session().close();
  }
  const sorted = all.toSorted((left, right) => left - right);
  yield { ...figure('wai.rollback-p99', 'ms', all), value: quantile(sorted, 0.99) };
  yield figure('wai.step', 'ms', steps);
}

/** A fork, its first step, and the next step of its parent: a page that both share is paid for by then. */
async function measureFork(trail: Trail, random: Random): Promise<Figure> {
  const values: number[] = [];
  const end = trail.at();
  for (let round = 0; round < forkRounds; round++) {
    const start = performance.now();
    const fork = await trail.session().fork?.();
    if (fork === undefined) throw new Error('The session of an app folder does not fork.');
    await stepAtRandom(fork, random);
    await stepAtRandom(trail.session(), random);
    values.push(performance.now() - start);
    await fork.close();
    await trail.rollback(end);
  }
  return figure('wai.fork@20', 'ms', values);
}

/** One action that does something; not recorded by any trail. */
async function stepAtRandom(session: Session, random: Random): Promise<void> {
  for (let tries = 0; tries < 20; tries++)
    if ((await session.step(await actionAtRandom(session, random))).applied) return;
}

async function actionAtRandom(session: Session, random: Random): Promise<Action> {
  const offered = (await session.candidates?.()) ?? [];
  return offered.length === 0 ? { kind: 'wait', milliseconds: 100 } : random.pick(offered).action;
}

/** Why steps were replayed and not restored, for a person. */
function reasonLines(name: string, reasons: readonly Reason[]): readonly string[] {
  if (reasons.length === 0) return [];
  return [
    `${name}: replayed because of`,
    ...reasons.map(({ reason, count }) => `${String(count).padStart(6)}  ${reason}`),
  ];
}

interface Tally {
  rollbacks: number;
  /** How often, by the reason. */
  readonly replayed: Map<string, number>;
  wrong: number;
}

interface WrongOptions {
  readonly rollbacks: number;
  /** Pages that are rolled back at a time. */
  readonly lanes?: number;
}

/**
 * Random rollbacks by several workers at once. After each, the step that was recorded from there is taken again: another
 * end than the recorded one means that the rollback, which had compared the digests, was wrong.
 */
export async function* measureWrong(
  environment: Environment,
  { rollbacks, lanes = workers }: WrongOptions,
): AsyncGenerator<Figure> {
  const tally: Tally = { rollbacks: 0, replayed: new Map(), wrong: 0 };
  await Promise.all(
    Array.from({ length: lanes }, async (_, worker) => {
      for (let episode = 0; tally.rollbacks < rollbacks; episode++)
        await tryEpisode(environment, { tally, most: rollbacks, seed: worker * 1000 + episode });
    }),
  );
  const reasons = [...tally.replayed].map(([reason, count]) => ({ reason, count }));
  const replayed = reasons.reduce((sum, { count }) => sum + count, 0);
  yield {
    name: 'wai.exact',
    unit: 'share',
    value: 1 - replayed / tally.rollbacks,
    spread: 0,
    runs: tally.rollbacks,
    reasons: reasons.toSorted((one, other) => other.count - one.count),
  };
  yield { name: 'wai.wrong', unit: 'count', value: tally.wrong, spread: 0, runs: tally.rollbacks };
}

async function tryEpisode(
  environment: Environment,
  { tally, most, seed }: { tally: Tally; most: number; seed: number },
): Promise<void> {
  const random = createRandom(`wrong ${seed}`);
  const trail = await openTrail(environment, seed);
  for (let taken = 0; taken < walkLength; taken++) await walk(trail, random);
  for (let round = 0; round < rollbacksPerEpisode && tally.rollbacks < most; round++) {
    const to = Math.floor(random.next() * walkLength);
    tally.rollbacks++;
    const { divergence } = await trail.rollback(to);
    if (divergence !== null) tally.replayed.set(divergence, (tally.replayed.get(divergence) ?? 0) + 1);
    const recorded = trail.tree.children(to)[0];
    if (recorded === undefined) continue;
    // Not by the trail, which would notice the difference and make it good.
    const { applied } = await trail.session().step(recorded.action);
    const isSame = (await trail.session().digest()) === recorded.after && applied === recorded.outcome.applied;
    if (!isSame) tally.wrong++;
  }
  await trail.session().close();
}

async function openTrail(environment: Environment, seed: number): Promise<Trail> {
  const template = environment.templates[seed % environment.templates.length]?.id as string;
  return createTrail(environment, await environment.task(template, 1));
}

/** One action that does something. */
async function walk(trail: Trail, random: Random): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const action = await actionAtRandom(trail.session(), random);
    if ((await trail.step(action, actor)).outcome.applied) return;
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
