import { bootstrap, type NestedMean, type NestedValue } from '../../src/analysis/bootstrap.ts';
import { levelOf, type Level } from '../../src/analysis/evaluate.ts';
import type { Policy } from '../../src/core/episode/agents.ts';
import type { EpisodeSummary } from '../../src/core/episode/journal.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Task } from '../../src/core/records.ts';
import type { Limits } from '../../src/episode/cursor/budget.ts';
import type { Strategy } from '../../src/episode/strategies/strategy.ts';
import { allTemplates, withWorlds } from '../../src/runs/environments/worlds.ts';
import { createEntrantRunner } from '../../src/runs/evaluation/run-entrants.ts';
import { closeAfter, openRunForWriting, runNameOf } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import type { Store } from '../../src/store/store.ts';

/** One way to run a student: its name in the table, and how it is made for each training seed. */
export interface Arm {
  readonly name: string;
  readonly strategy: Strategy;
  /** Limits that every arm of a comparison shares. */
  readonly limits: Partial<Limits>;
  policyFor(seed: number): Policy;
}

interface ArmsOptions {
  readonly folder: string;
  readonly environments: readonly string[];
  readonly levels: readonly Level[];
  readonly instances: number;
  readonly seeds: number;
  readonly arms: readonly Arm[];
  /** Tasks that count; all of them when left out. */
  takes?(task: Task): boolean;
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** One after the other: what an episode takes is its own time. */
const concurrency = 1;

/** What an arm did on all tasks, with all training seeds. */
export interface ArmResult {
  readonly name: string;
  readonly success: NestedMean;
  /** The paired difference to the first arm, which has none. */
  readonly difference: NestedMean | null;
  readonly episodes: number;
  readonly errored: number;
  /** Means of an episode. */
  readonly steps: number;
  readonly queries: number;
  /** Reviews and corrections of a teacher. */
  readonly taught: number;
  readonly tokens: number;
  readonly milliseconds: number;
}

interface Trial extends NestedValue {
  readonly key: string;
}

/**
 * Runs every arm on the same tasks, and compares each with the first. Empty where there are no tasks of these levels. Null when it
 * was stopped; the next call goes on.
 */
export async function runArms(options: ArmsOptions): Promise<ArmResult[] | null> {
  const { folder, environments, levels, instances, seeds, arms, host, signal } = options;
  const setting = { browser: null, concurrency, host, stateful: false };
  return withWorlds(environments, setting, async worlds => {
    const choices = allTemplates(worlds).filter(({ template }) => levels.includes(levelOf(template.split)));
    // An environment may have no held-out templates.
    if (choices.length === 0) return [];
    const store = openRunForWriting(folder);
    try {
      const run = runNameOf(folder);
      const runEntrant = createEntrantRunner({
        run,
        store,
        worlds,
        choices,
        instances,
        host,
        signal,
        trials: 1,
        seed: 1,
        concurrency,
        browser: null,
        policies: arms.length * seeds,
        pool: null,
        share: null,
      });
      const keys = new Map<string, ReadonlySet<string>>();
      let done = 0;
      for (const { name, strategy, limits, policyFor } of arms) {
        for (let seed = 1; seed <= seeds; seed++) {
          const bounded: Strategy = { ...strategy, limits: { ...strategy.limits, ...limits } };
          const policy = policyFor(seed);
          const entrant = {
            name: `${name} #${seed}`,
            round: 1,
            strategy: bounded,
            hasWorkers: false,
            policyFor: () => policy,
            ...(options.takes === undefined ? {} : { takes: options.takes }),
          };
          const ran = await runEntrant(entrant);
          if (ran.stopped) return null;
          keys.set(`${name}\n${seed}`, ran.keys);
          options.onProgress(++done, arms.length * seeds);
          // Where all of them had ended, nothing was waited for.
          await turn(host);
        }
      }
      return await resultsOf(store, { run, arms, seeds, keys, host });
    } finally {
      closeAfter(store);
    }
  });
}

interface Found {
  readonly run: string;
  readonly arms: readonly Pick<Arm, 'name'>[];
  readonly seeds: number;
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly host: Host;
}

async function resultsOf(store: Store, { run, arms, seeds, keys, host }: Found): Promise<ArmResult[]> {
  const all = [...store.summaries({ run, phase: 'evaluate' })];
  const ran = arms.map(({ name }) => ({
    name,
    seeds: Array.from({ length: seeds }, (_, at) => {
      const own = keys.get(`${name}\n${at + 1}`);
      return all.filter(({ head }) => own?.has(head.key) === true);
    }),
  }));
  // None of the tasks may count.
  return ran[0]?.seeds.flat().length === 0 ? [] : compareArms(ran, host);
}

/** What an arm ran with each training seed. */
export interface ArmEpisodes {
  readonly name: string;
  readonly seeds: readonly (readonly EpisodeSummary[])[];
}

type ValueOf = (episodes: readonly EpisodeSummary[]) => number;

const hasPassed: ValueOf = ([episode]) => Number(episode?.end.outcome === 'passed');

/** Compares each arm with the first, task by task. What a task is worth comes from its episodes; they pass, when left out. */
export async function compareArms(
  arms: readonly ArmEpisodes[],
  host: Host,
  valueOf: ValueOf = hasPassed,
): Promise<ArmResult[]> {
  const results: ArmResult[] = [];
  let first: ReadonlyMap<string, Trial> | null = null;
  for (const { name, seeds } of arms) {
    const trials = trialsOf(seeds, valueOf);
    const episodes = seeds.flat();
    const mean = (value: (one: EpisodeSummary) => number): number =>
      episodes.reduce((sum, one) => sum + value(one), 0) / Math.max(1, episodes.length);
    results.push({
      name,
      success: bootstrap([...trials.values()], { random: createRandom(`success ${name}`), range: { low: 0, high: 1 } }),
      difference: first === null ? null : differenceOf(trials, first, name),
      episodes: episodes.length,
      errored: episodes.filter(({ end }) => end.outcome === 'errored').length,
      steps: mean(({ end }) => end.counts.taken),
      queries: mean(({ end }) => end.counts.queries ?? 0),
      taught: mean(({ end }) => end.counts.reviews + end.counts.corrections),
      tokens: mean(({ end }) => end.counts.tokens),
      milliseconds: mean(({ end }) => end.milliseconds),
    });
    first ??= trials;
    // An interval takes a while.
    await turn(host);
  }
  return results;
}

/** Others get a turn: a thread that never waits is taken for stuck. */
function turn({ timers }: Host): Promise<void> {
  return new Promise(resolve => void timers.after(0, resolve));
}

/** One for each task and training seed. */
function trialsOf(seeds: ArmEpisodes['seeds'], valueOf: ValueOf): Map<string, Trial> {
  const trials = new Map<string, Trial>();
  for (const [at, episodes] of seeds.entries()) {
    for (const [task, own] of Map.groupBy(episodes, ({ head }) => head.task.id)) {
      const { environment: app, template } = (own[0] as EpisodeSummary).head.task;
      const key = `${task} ${at + 1}`;
      trials.set(key, { key, app, template, task, seed: String(at + 1), value: valueOf(own) });
    }
  }
  return trials;
}

/** Both sides on the same task with the same training seed. */
function differenceOf(trials: ReadonlyMap<string, Trial>, first: ReadonlyMap<string, Trial>, name: string): NestedMean {
  const pairs = [...trials.values()].flatMap(trial => {
    const other = first.get(trial.key);
    return other === undefined ? [] : [{ ...trial, value: trial.value - other.value }];
  });
  return bootstrap(pairs, { random: createRandom(`difference ${name}`), range: { low: -1, high: 1 } });
}
