import { createManualClock, type Timers } from '../../core/clock.ts';
import { after, type Awaitable, type Environment, type Session } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import type { Policy, Teacher } from '../../core/episode/agents.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { causeText } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import type { Task, Verdict } from '../../core/records.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import type { Limits } from '../cursor/budget.ts';
import type { CreateTrail } from '../cursor/lifecycle.ts';
import { runEpisodes } from '../engine.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { createLawJournal, type LawJournal } from './memory-journal.ts';

export interface StrategyLawOptions {
  readonly strategy: Strategy;
  readonly environment: Environment;
  readonly tasks: readonly Task[];
  /** Made anew for each episode. */
  student(): Policy;
  /** Left out for a strategy that asks none. */
  readonly teacher?: Teacher;
  readonly createTrail: CreateTrail;
  /** Whether students are evaluated with it: then no verdict may change what it chooses. */
  readonly evaluates?: boolean;
  /** Moments at which a run is stopped and resumed; 8 when left out. */
  readonly stops?: number;
}

export interface StrategyLawResult {
  /** The rule that this is, of the SPEC.md of episodes. */
  readonly law: string;
  readonly title: string;
  readonly pass: boolean;
  /** How much was tried, or what went wrong and where. */
  readonly detail: string;
}

interface Law {
  readonly law: string;
  readonly title: string;
  /** Null when it holds, else what went wrong. */
  breach(bench: Bench): Promise<string | null>;
}

/** Runs the tasks of a law. */
interface Bench extends StrategyLawOptions {
  run(how?: How): Promise<LawJournal>;
}

interface How {
  readonly limits?: Partial<Limits>;
  readonly concurrency?: number;
  readonly journal?: LawJournal;
  readonly environment?: Environment;
  /** Stops the run when the student is asked for the nth time. */
  readonly stopAt?: number;
}

/** Holds a strategy against the laws that every strategy obeys, ours and a user's. */
export async function checkStrategyLaws(options: StrategyLawOptions): Promise<StrategyLawResult[]> {
  const bench: Bench = { ...options, run: how => runTasks(options, how) };
  const results: StrategyLawResult[] = [];
  for (const { law, title, breach } of laws) {
    const problem = await breach(bench).catch((cause: unknown) => causeText(cause));
    const tried = options.tasks.length === 0 ? 'there was nothing to try: no task' : null;
    const detail = problem ?? tried ?? `${options.tasks.length} tasks`;
    results.push({ law, title, pass: problem === null && tried === null, detail });
  }
  return results;
}

const promptTimers: Timers = { after: () => () => undefined };

async function runTasks(options: StrategyLawOptions, how: How = {}): Promise<LawJournal> {
  const { strategy, tasks, teacher = null, createTrail } = options;
  const journal = how.journal ?? createLawJournal();
  const stop = new AbortController();
  let asked = 0;
  const watched = (student: Policy): Policy => {
    if (how.stopAt === undefined && how.limits?.tokens === undefined) return student;
    const act = (...given: Parameters<Policy['act']>): ReturnType<Policy['act']> => {
      if (++asked === how.stopAt) stop.abort(new Error('stopped by the law'));
      const answer = (student.act as (...all: unknown[]) => ReturnType<Policy['act']>)(...given);
      // Where tokens are limited, every answer takes ten.
      return how.limits?.tokens === undefined ? answer : after(answer, decision => ({ ...decision, tokens: 10 }));
    };
    return Object.create(student, { act: { value: act } }) as Policy;
  };
  await runEpisodes({
    plan: tasks.map((task, index) => headOf(task, index, strategy.name)),
    seed: 'law',
    concurrency: how.concurrency ?? 1,
    journal,
    clock: createManualClock(),
    timers: promptTimers,
    createTrail,
    signal: stop.signal,
    certifies: false,
    start: () => ({
      environment: how.environment ?? options.environment,
      student: watched(options.student()),
      teacher,
      strategy,
      limits: { ...strategy.limits, ...how.limits },
    }),
  });
  return journal;
}

function headOf(task: Task, index: number, strategy: string): EpisodeHead {
  const key = `collect/0/${task.id}/${index}`;
  const fixed = { run: 'law', phase: 'collect', round: 0, trial: 0, student: 'law', teacher: null } as const;
  return { ...fixed, key, index, task, strategy };
}

const tight: Partial<Limits> = { steps: 7, taken: 11, queries: 13, interventions: 3, reviews: 3, forks: 2, leaves: 3 };

/** Each limit alone at its least, where a strategy has the least room, and all together. */
const budgets: readonly Partial<Limits>[] = [
  tight,
  { taken: 1 },
  { queries: 1 },
  { steps: 1 },
  { leaves: 1, taken: 9 },
  { forks: 0, queries: 6 },
  { tokens: 45 },
];

const laws: readonly Law[] = [
  {
    law: 'ROL-7',
    title: 'keeps to every budget, and stops by itself before one has to stop it',
    async breach({ run, tasks }) {
      for (const limits of budgets) {
        const { ended } = await run({ limits });
        if (ended.size !== tasks.length) return `${ended.size} of ${tasks.length} episodes ended`;
        for (const episode of ended.values()) {
          const problem = overrun(episode, limits);
          if (problem !== null) return `${episode.head.key} within ${JSON.stringify(limits)}: ${problem}`;
        }
      }
      return null;
    },
  },
  {
    law: 'ROL-8',
    title: 'does the same on the same inputs',
    breach: async ({ run }) => difference(await run(), await run()),
  },
  {
    law: 'ROL-1',
    title: 'does the same however many episodes run at once',
    breach: async ({ run }) => difference(await run(), await run({ concurrency: 5 })),
  },
  {
    law: 'ROL-6',
    title: 'counts what it did, and every path replays to its states',
    async breach({ run, environment }) {
      for (const episode of (await run()).ended.values()) {
        const problem = (await replayed(episode, environment)) ?? counted(episode);
        if (problem !== null) return `${episode.head.key}: ${problem}`;
      }
      return null;
    },
  },
  {
    law: 'ROL-5',
    title: 'passes nothing that the verifier does not pass',
    async breach({ run, environment }) {
      const none = await run({ environment: passingNothing(environment) });
      const passed = [...none.ended.values()].find(({ end }) => end.outcome === 'passed');
      return passed === undefined ? null : `${passed.head.key} passed although the verifier passes nothing`;
    },
  },
  {
    law: 'ROL-10',
    title: 'stopped at any question and run again, it ends as if it had not been stopped',
    async breach({ run, tasks, stops = 8 }) {
      const whole = await run();
      const asked = [...whole.ended.values()].reduce((sum, { end }) => sum + (end.counts.queries ?? 0), 0);
      const random = createRandom('stops');
      for (let stop = 0; stop < stops; stop++) {
        const stopAt = random.between(1, Math.max(1, asked));
        const journal = await run({ stopAt });
        for (const { head, events } of journal.ended.values())
          if (text(events) !== text(whole.ended.get(head.key)?.events)) return `${head.key} differs before the stop`;
        const resumed = await run({ journal });
        if (resumed.ended.size !== tasks.length) return `${resumed.ended.size} of ${tasks.length} ended after a stop`;
        const problem = difference(whole, resumed);
        if (problem !== null) return `stopped at question ${stopAt}: ${problem}`;
      }
      return null;
    },
  },
  {
    law: 'ROL-35',
    title: 'where students are evaluated with it, no verdict changes what it chooses',
    async breach({ run, environment, evaluates = false }) {
      if (!evaluates) return null;
      const [usual, failing] = [await run(), await run({ environment: passingNothing(environment) })];
      for (const [key, { end }] of usual.ended)
        if (failing.ended.get(key)?.end.leaf !== end.leaf)
          return `${key} ends elsewhere when the verifier passes nothing`;
      return null;
    },
  },
];

function overrun({ end, events }: StoredEpisode, limits: Partial<Limits>): string | null {
  if (end.outcome === 'errored') return `${end.boundary}: ${end.message}`;
  const { taken, queries = 0, interventions, reviews, forks } = end.counts;
  const used = {
    taken,
    queries,
    interventions,
    reviews,
    forks,
    leaves: events.filter(({ kind }) => kind === 'leaf').length,
  };
  const over = Object.entries(used).find(([name, count]) => count > (limits[name as keyof Limits] ?? Infinity));
  if (over !== undefined) return `${over[1]} ${over[0]}`;
  const { tree } = foldEpisode({ head: headless, events, end, certificates: [] });
  const longest = Math.max(0, ...tree.leaves().map(({ id }) => tree.path(id).length));
  return longest > (limits.steps ?? Infinity) ? `a path of ${longest} steps` : null;
}

/** Trees do not depend on the head. */
const headless = {} as EpisodeHead;

function counted({ end, events }: StoredEpisode): string | null {
  const kinds = (kind: string): number => events.filter(event => event.kind === kind).length;
  const told = { step: end.counts.taken, rollback: end.counts.rollbacks, review: end.counts.reviews };
  const wrong = Object.entries(told).find(([kind, count]) => kinds(kind) !== count);
  return wrong === undefined ? null : `counts ${wrong[1]} of ${wrong[0]}, and its journal has ${kinds(wrong[0])}`;
}

async function replayed(episode: StoredEpisode, environment: Environment): Promise<string | null> {
  const { tree } = foldEpisode(episode);
  for (const leaf of tree.leaves()) {
    const session = await environment.open(episode.head.task);
    try {
      for (const { id, action, after: recorded } of tree.path(leaf.id)) {
        await session.step(action);
        if ((await session.digest()) !== recorded) return `node ${id} replays to another state`;
      }
    } finally {
      await session.close();
    }
  }
  return null;
}

/** The same environment, whose verifier passes nothing. */
function passingNothing(environment: Environment): Environment {
  const refused = (verdict: Verdict): Verdict => ({ ...verdict, pass: false });
  const wrap = (session: Session): Session =>
    new Proxy(session, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key, target);
        if (key === 'background' && target.background !== undefined)
          return { ...target.background, verify: () => target.background?.verify().then(refused) };
        if (typeof member !== 'function') return member;
        if (key === 'verify') return () => after(target.verify(), refused);
        if (key === 'fork') return () => after((member as () => Awaitable<Session>).call(target), wrap);
        return (member as (...given: unknown[]) => unknown).bind(target);
      },
    });
  return wrapStateEnvironment(environment, { opened: wrap });
}

const digest = createDigest();

function text(value: unknown): string {
  return digest(JSON.parse(JSON.stringify(value ?? null)) as Json);
}

/** The first episode in which two runs differ; null when there is none. Time is not compared. */
function difference(one: LawJournal, other: LawJournal): string | null {
  for (const [key, { events, end }] of one.ended) {
    const second = other.ended.get(key);
    if (second === undefined) return `${key} is missing`;
    const [a, b] = [events.map(text), second.events.map(text)];
    const at = a.findIndex((event, index) => event !== b[index]);
    if (at >= 0 || a.length !== b.length) return `${key} differs at event ${at < 0 ? a.length : at}`;
    if (text({ ...end, milliseconds: 0 }) !== text({ ...second.end, milliseconds: 0 }))
      return `${key} ends differently`;
  }
  return null;
}
