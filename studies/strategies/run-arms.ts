import { bootstrap, type NestedMean, type NestedValue } from '../../src/analysis/bootstrap.ts';
import { levelOf, type Level } from '../../src/analysis/evaluate.ts';
import type { Policy } from '../../src/core/episode/agents.ts';
import { createRandom } from '../../src/core/random.ts';
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
  readonly host: Host;
  readonly signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

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
  const setting = { browser: null, concurrency: 4, host, stateful: false };
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
        concurrency: 4,
        browser: null,
        policies: arms.length * seeds,
        pool: null,
        shared: null,
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
          };
          const ran = await runEntrant(entrant);
          if (ran.stopped) return null;
          keys.set(`${name}\n${seed}`, ran.keys);
          options.onProgress(++done, arms.length * seeds);
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
  const results: ArmResult[] = [];
  let first: ReadonlyMap<string, Trial> | null = null;
  for (const { name } of arms) {
    const trials = new Map<string, Trial>();
    const sum = { steps: 0, queries: 0, tokens: 0, milliseconds: 0, episodes: 0, errored: 0 };
    for (let seed = 1; seed <= seeds; seed++) {
      const own = keys.get(`${name}\n${seed}`);
      for (const { head, end } of all.filter(summary => own?.has(summary.head.key) === true)) {
        const { environment: app, template, id: task } = head.task;
        const key = `${task} ${seed}`;
        trials.set(key, { key, app, template, task, seed: String(seed), value: Number(end.outcome === 'passed') });
        sum.episodes++;
        sum.errored += Number(end.outcome === 'errored');
        sum.steps += end.counts.taken;
        sum.queries += end.counts.queries ?? 0;
        sum.tokens += end.counts.tokens;
        sum.milliseconds += end.milliseconds;
      }
    }
    const mean = (total: number): number => total / Math.max(1, sum.episodes);
    results.push({
      name,
      success: bootstrap([...trials.values()], { random: createRandom(`success ${name}`), range: { low: 0, high: 1 } }),
      difference: first === null ? null : differenceOf(trials, first, name),
      episodes: sum.episodes,
      errored: sum.errored,
      steps: mean(sum.steps),
      queries: mean(sum.queries),
      tokens: mean(sum.tokens),
      milliseconds: mean(sum.milliseconds),
    });
    first ??= trials;
    // An interval takes a while: others get a turn.
    await new Promise<void>(resolve => void host.timers.after(0, resolve));
  }
  return results;
}

/** Both sides on the same task with the same training seed. */
function differenceOf(trials: ReadonlyMap<string, Trial>, first: ReadonlyMap<string, Trial>, name: string): NestedMean {
  const pairs = [...trials.values()].flatMap(trial => {
    const other = first.get(trial.key);
    return other === undefined ? [] : [{ ...trial, value: trial.value - other.value }];
  });
  return bootstrap(pairs, { random: createRandom(`difference ${name}`), range: { low: -1, high: 1 } });
}
