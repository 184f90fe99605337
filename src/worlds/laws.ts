import type { Action } from '../core/action.ts';
import type { Awaitable, Environment, Session } from '../core/contracts.ts';
import { causeText, EspalierError } from '../core/errors.ts';
import { createRandom, type Random } from '../core/random.ts';
import type { Task } from '../core/records.ts';
import { anyCall } from './any-call.ts';

export interface LawResult {
  /** The rule that this is, of the SPEC.md beside. */
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
}

interface Trial {
  readonly environment: Environment;
  readonly task: Task;
  /** A random walk that the task's own session offers. */
  readonly walk: readonly Action[];
}

interface OpenTrial extends Trial {
  /** A session of the task, closed when the law has been judged. */
  open(): Promise<Session>;
}

interface Law {
  readonly law: string;
  readonly title: string;
  /** Null when it holds, else what went wrong. */
  breach(trial: OpenTrial): Promise<string | null>;
}

/** Holds an environment against the laws that every environment must obey, ours and a user's. */
export async function checkLaws(environment: Environment, options: LawOptions): Promise<LawResult[]> {
  const trials: Trial[] = [];
  for (const task of options.tasks) {
    const random = createRandom(`walk ${task.id}`);
    const walk = await randomWalk(environment, task, { random, steps: options.steps ?? 15 });
    trials.push({ environment, task, walk });
  }
  const results: LawResult[] = [];
  for (const law of laws) results.push(await judge(law, trials));
  return results;
}

async function judge({ law, title, breach }: Law, trials: readonly Trial[]): Promise<LawResult> {
  const steps = trials.reduce((sum, trial) => sum + trial.walk.length, 0);
  if (steps === 0)
    return { law, title, pass: false, detail: 'there was nothing to try: no task, or no action on offer' };
  for (const trial of trials) {
    const opened: Session[] = [];
    const open = async (): Promise<Session> => {
      const session = await trial.environment.open(trial.task);
      opened.push(session);
      return session;
    };
    const wrong = await breach({ ...trial, open }).catch((cause: unknown) => `it threw: ${causeText(cause)}`);
    for (const session of opened) await session.close();
    if (wrong !== null) return { law, title, pass: false, detail: `${trial.task.id}: ${wrong}` };
  }
  return { law, title, pass: true, detail: `${trials.length} tasks, ${steps} steps` };
}

/** What an agent might do: mostly what the screen offers, now and then a tool call, and in the end a finish. */
async function randomWalk(
  environment: Environment,
  task: Task,
  { random, steps }: { random: Random; steps: number },
): Promise<Action[]> {
  const session = await environment.open(task);
  try {
    return await walkIn(session, { environment, random, steps });
  } finally {
    await session.close();
  }
}

interface Walk {
  readonly environment: Environment;
  readonly random: Random;
  readonly steps: number;
}

async function walkIn(session: Session, { environment, random, steps }: Walk): Promise<Action[]> {
  const { task } = session;
  const walk: Action[] = [];
  for (let ended = false; !ended && walk.length < steps; ) {
    const offered = (await session.candidates?.()) ?? [];
    const calls = environment.tools.length > 0 && (offered.length === 0 || random.chance(0.25));
    if (!calls && offered.length === 0) break;
    // The state is not ours to see: what an agent can know to put into a call stands in the task.
    const action = calls
      ? anyCall(random.pick(environment.tools), task.parameters, random)
      : random.pick(offered).action;
    walk.push(action);
    ended = (await session.step(action)).end !== undefined;
  }
  return walk;
}

const laws: readonly Law[] = [
  {
    law: 'ENV-1',
    title: 'same task, seed and actions give the same digests, observations and outcomes',
    async breach({ environment, task, walk, open }) {
      const again = await environment.task(task.template, task.seed);
      if (JSON.stringify(again) !== JSON.stringify(task)) return 'the same template and seed gave two different tasks';
      return firstDifference(await open(), await open(), { walk: finished(walk), who: 'two runs' });
    },
  },
  {
    law: 'ENV-2',
    title: 'restoring a snapshot gives back the state it was taken in',
    async breach({ walk, open }) {
      const session = await open();
      if (session.snapshot === undefined || session.restore === undefined) return null;
      const half = Math.floor(walk.length / 2);
      const reference = await walked(await open(), walk.slice(0, half));
      await walked(session, walk.slice(0, half));
      const snapshot = await session.snapshot();
      await walked(session, finished(walk.slice(half)));
      if (await isRefused(() => session.restore?.(snapshot))) return null;
      return firstDifference(session, reference, {
        walk: finished(walk.slice(half)),
        who: `a session restored after ${half} steps and a fresh one`,
      });
    },
  },
  {
    law: 'ENV-3',
    title: 'a fork and its parent never affect each other',
    async breach({ walk, open }) {
      const half = Math.floor(walk.length / 2);
      const rest = finished(walk.slice(half));
      const parent = await walked(await open(), walk.slice(0, half));
      if (parent.fork === undefined) return null;
      const reference = await walked(await open(), walk.slice(0, half));
      if (await isRefused(async () => (await parent.fork?.())?.close())) return null;
      const [child, sibling] = [await parent.fork(), await parent.fork()];
      const atBirth = await difference(child, parent);
      if (atBirth !== null) return `a fork starts with another ${atBirth} than its parent`;
      for (const action of rest) {
        await child.step(action);
        const wrong = await difference(parent, reference);
        if (wrong !== null) return `a step in the fork changed the ${wrong} of its parent`;
      }
      for (const action of rest) {
        await parent.step(action);
        const wrong = await difference(sibling, reference);
        if (wrong !== null) return `a step in the parent changed the ${wrong} of its fork`;
      }
      const wrong = await firstDifference(sibling, reference, { walk: rest, who: 'a fork and a fresh session' });
      for (const session of [child, sibling]) await session.close();
      return wrong;
    },
  },
  {
    law: 'ENV-4',
    title: 'the observation is a function of the state',
    async breach({ walk, open }) {
      const seen = new Map<string, string>();
      for (let round = 0; round < 2; round++) {
        const session = await open();
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
    async breach({ walk, open }) {
      const session = await open();
      for (let step = 0; step <= walk.length; step++) {
        const before = await session.digest();
        const dataBefore = dataOf(session);
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
        if (action === undefined) continue;
        const { applied } = await session.step(action);
        // A refusal may be evidence of how things stand: what was seen then belongs to the digest, the data stay.
        const isTold = dataBefore !== null && dataOf(session) === dataBefore;
        if (!applied && !isTold && (await session.digest()) !== before)
          return `a rejected action changed the state at step ${step}`;
      }
      return null;
    },
  },
];

/** A session that says that it cannot go back is walked again by a trail: nothing is wrong about that. */
async function isRefused(work: () => Awaitable<void>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (cause) {
    if (cause instanceof EspalierError && cause.code === 'diverged') return true;
    throw cause;
  }
}

/** The data of a session as text; null when they lie elsewhere. */
function dataOf(session: object): string | null {
  return 'state' in session && typeof session.state === 'function' ? JSON.stringify(session.state()) : null;
}

const notOnOffer = [
  { kind: 'click', ref: 'e99999' },
  { kind: 'fill', ref: 'e99999', text: 'x' },
  { kind: 'select', ref: 'e0', option: 'x' },
  { kind: 'call', tool: 'no-such-tool', input: {} },
  { kind: 'teleport' },
] as readonly Action[];

function finished(walk: readonly Action[]): Action[] {
  return [...walk, { kind: 'finish', answer: 'done' }];
}

async function walked(session: Session, walk: readonly Action[]): Promise<Session> {
  for (const action of walk) await session.step(action);
  return session;
}

interface Parallel {
  readonly walk: readonly Action[];
  readonly who: string;
}

/** Takes the same steps in two sessions that should be in the same state, and says where they part. */
async function firstDifference(left: Session, right: Session, { walk, who }: Parallel): Promise<string | null> {
  for (let step = 0; ; step++) {
    const wrong = await difference(left, right);
    if (wrong !== null) return `${who} have another ${wrong} after ${step} steps`;
    const action = walk[step];
    if (action === undefined) return null;
    const [ours, theirs] = [await left.step(action), await right.step(action)];
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) return `${who} have another outcome at step ${step + 1}`;
  }
}

/** What two sessions that should be in the same state differ in. */
async function difference(left: Session, right: Session): Promise<string | null> {
  if ((await left.digest()) !== (await right.digest())) return 'digest';
  if ((await left.observe()).text !== (await right.observe()).text) return 'observation';
  if (JSON.stringify(await left.verify()) !== JSON.stringify(await right.verify())) return 'verdict';
  const [ours, theirs] = [await left.candidates?.(), await right.candidates?.()];
  return JSON.stringify(ours) === JSON.stringify(theirs) ? null : 'choice of actions';
}
