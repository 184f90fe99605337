import type { Action } from '../core/action.ts';
import type { Environment, Session } from '../core/contracts.ts';
import { causeText, EspalierError } from '../core/errors.ts';
import { createRandom, type Random } from '../core/random.ts';
import type { Task } from '../core/records.ts';

export interface LawResult {
  /** The rule of SPEC.md that this is. */
  readonly law: string;
  readonly title: string;
  readonly pass: boolean;
  /** What was tried, or what went wrong and where. */
  readonly detail: string;
}

export interface LawOptions {
  readonly tasks: readonly Task[];
  /** Length of the random walks. */
  readonly steps?: number;
  readonly seed?: number;
}

interface Trial {
  readonly environment: Environment;
  readonly task: Task;
  /** A random walk that the task's own session offers. */
  readonly walk: readonly Action[];
  readonly random: Random;
}

interface Law {
  readonly law: string;
  readonly title: string;
  /** Null when it holds, else what went wrong. */
  breach(trial: Trial): Promise<string | null>;
}

/** Holds an environment against the laws that every environment must obey, ours and a user's. */
export async function checkLaws(environment: Environment, options: LawOptions): Promise<LawResult[]> {
  const trials: Trial[] = [];
  for (const task of options.tasks) {
    const random = createRandom(`${options.seed ?? 1} ${task.id}`);
    trials.push({
      environment,
      task,
      random,
      walk: await randomWalk(environment, task, { random, steps: options.steps ?? 15 }),
    });
  }
  const results: LawResult[] = [];
  for (const law of laws) results.push(await judge(law, trials));
  return results;
}

async function judge({ law, title, breach }: Law, trials: readonly Trial[]): Promise<LawResult> {
  for (const trial of trials) {
    const wrong = await breach(trial).catch((cause: unknown) => `it threw: ${causeText(cause)}`);
    if (wrong !== null) return { law, title, pass: false, detail: `${trial.task.id}: ${wrong}` };
  }
  const steps = trials.reduce((sum, trial) => sum + trial.walk.length, 0);
  return { law, title, pass: true, detail: `${trials.length} tasks, ${steps} steps` };
}

async function randomWalk(
  environment: Environment,
  task: Task,
  { random, steps }: { random: Random; steps: number },
): Promise<Action[]> {
  const session = await environment.open(task);
  if (session.candidates === undefined) throw noCandidates(environment.id);
  const walk: Action[] = [];
  while (walk.length < steps) {
    const offered = await session.candidates();
    if (offered.length === 0) break;
    const { action } = random.pick(offered);
    walk.push(action);
    if ((await session.step(action)).end !== undefined) break;
  }
  await session.close();
  return walk;
}

const laws: readonly Law[] = [
  {
    law: 'ENV-1',
    title: 'same task, seed and actions give the same digests and observations',
    async breach({ environment, task, walk }) {
      const again = await environment.task(task.template, task.seed);
      if (JSON.stringify(again) !== JSON.stringify(task)) return 'the same template and seed gave two different tasks';
      const [left, right] = [await environment.open(task), await environment.open(task)];
      for (let step = 0; ; step++) {
        const wrong = await difference(left, right);
        if (wrong !== null) return `two runs have another ${wrong} after step ${step}`;
        const action = walk[step];
        if (action === undefined) return null;
        await left.step(action);
        await right.step(action);
      }
    },
  },
  {
    law: 'ENV-2',
    title: 'restoring a snapshot gives back the state it was taken in',
    async breach({ environment, task, walk }) {
      const session = await environment.open(task);
      if (session.snapshot === undefined || session.restore === undefined) return null;
      const half = Math.floor(walk.length / 2);
      const reference = await opened(environment, task, walk.slice(0, half));
      for (const action of walk.slice(0, half)) await session.step(action);
      const snapshot = await session.snapshot();
      for (const action of walk.slice(half)) await session.step(action);
      await session.restore(snapshot);
      const wrong = await difference(session, reference);
      if (wrong !== null) return `after restore, the ${wrong} is not that of a fresh run of the same ${half} steps`;
      for (const action of walk.slice(half)) {
        await session.step(action);
        await reference.step(action);
      }
      const later = await difference(session, reference);
      return later === null ? null : `a restored session went on to another ${later} than a fresh one`;
    },
  },
  {
    law: 'ENV-3',
    title: 'a fork and its parent never affect each other',
    async breach({ environment, task, walk }) {
      const half = Math.floor(walk.length / 2);
      const parent = await opened(environment, task, walk.slice(0, half));
      if (parent.fork === undefined) return null;
      const [reference, child] = [await opened(environment, task, walk.slice(0, half)), await parent.fork()];
      const atBirth = await difference(child, parent);
      if (atBirth !== null) return `a fork starts with another ${atBirth} than its parent`;
      for (const action of walk.slice(half)) {
        await child.step(action);
        const wrong = await difference(parent, reference);
        if (wrong !== null) return `a step in the fork changed the ${wrong} of its parent`;
      }
      const sibling = await parent.fork();
      for (const action of walk.slice(half)) {
        await parent.step(action);
        const wrong = await difference(sibling, reference);
        if (wrong !== null) return `a step in the parent changed the ${wrong} of its fork`;
      }
      return null;
    },
  },
  {
    law: 'ENV-4',
    title: 'the observation is a function of the state',
    async breach({ environment, task, walk }) {
      const seen = new Map<string, string>();
      for (let round = 0; round < 2; round++) {
        const session = await environment.open(task);
        for (let step = 0; step <= walk.length; step++) {
          for (let look = 0; look < 2; look++) {
            const [digest, { text }] = [await session.digest(), await session.observe()];
            const before = seen.get(digest) ?? text;
            if (before !== text) return `the state ${digest} was seen with two observations, at step ${step}`;
            seen.set(digest, text);
          }
          const action = walk[step];
          if (action !== undefined) await session.step(action);
        }
      }
      return null;
    },
  },
  {
    law: 'ENV-5',
    title: 'nothing but an action on offer changes the state',
    async breach({ environment, task, walk }) {
      const session = await environment.open(task);
      for (let step = 0; step <= walk.length; step++) {
        const before = await session.digest();
        await session.observe();
        await session.verify();
        await session.candidates?.();
        if ((await session.digest()) !== before) return `looking changed the state at step ${step}`;
        for (const action of notOnOffer) {
          const outcome = await session.step(action);
          if (outcome.applied)
            return `${JSON.stringify(action)} was applied at step ${step}, though it is not on offer`;
          if ((await session.digest()) !== before) return `a rejected action changed the state at step ${step}`;
        }
        const action = walk[step];
        if (action !== undefined) await session.step(action);
      }
      return null;
    },
  },
];

const notOnOffer = [
  { kind: 'click', ref: 'e99999' },
  { kind: 'fill', ref: 'e99999', text: 'x' },
  { kind: 'select', ref: 'e0', option: 'x' },
  { kind: 'call', tool: 'no-such-tool', input: {} },
  { kind: 'teleport' },
] as readonly Action[];

async function opened(environment: Environment, task: Task, walk: readonly Action[]): Promise<Session> {
  const session = await environment.open(task);
  for (const action of walk) await session.step(action);
  return session;
}

/** What two sessions that should be in the same state differ in. */
async function difference(left: Session, right: Session): Promise<string | null> {
  if ((await left.digest()) !== (await right.digest())) return 'digest';
  if ((await left.observe()).text !== (await right.observe()).text) return 'observation';
  return JSON.stringify(await left.verify()) === JSON.stringify(await right.verify()) ? null : 'verdict';
}

function noCandidates(environment: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `Sessions of "${environment}" offer no candidates, so there is nothing to walk at random.`,
    expected: 'Expected session.candidates() to list the actions on offer.',
  });
}
