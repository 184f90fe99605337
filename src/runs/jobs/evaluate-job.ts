import type { Clock } from '../../core/clock.ts';
import type { Policy } from '../../core/episode/agents.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { createFixedEnding } from '../../agents/fixed-ending.ts';
import { createPlannerPolicy } from '../../agents/planner/planner-teacher.ts';
import { createRandomPolicy } from '../../agents/random.ts';
import { createLinear } from '../../episode/strategies/linear.ts';
import { createTeachingPlanner } from '../agents/teaching-planner.ts';
import type { Strategy } from '../../episode/strategies/strategy.ts';
import { openStrategy } from './agents.ts';
import type { AskedStudent } from '../agents/evaluated.ts';
import { openSharedModels } from '../models/shared-models.ts';
import type { SpendingConfig } from '../settings/model-config.ts';
import { askedContender, studentContender } from './contender.ts';
import type { BrowserConfig } from '../settings/browser-config.ts';
import type { StrategyConfig } from '../config/config.ts';
import type { ActionSet } from '../environments/offered-actions.ts';
import { openWorlds, worldOf } from '../environments/worlds.ts';
import type { Host } from '../host/host.ts';
import type { EpisodeJob } from './job.ts';

export interface EvaluateJobData {
  readonly environments: readonly string[];
  readonly concurrency: number;
  readonly actions: ActionSet;
  /** Path of a module; null for none. */
  readonly contracts: string | null;
  /** Draws apps in a browser; null for text alone. */
  readonly browser: BrowserConfig | null;
  /** What each student that is evaluated was named by, by its name in the store. */
  readonly students: Readonly<Record<string, string>>;
  /** The same for students that ask models. */
  readonly asked: Readonly<Record<string, AskedStudent>>;
  readonly spending: SpendingConfig | null;
  /** How each student is run, by its name in the store; alone when left out. */
  readonly strategies: Readonly<Record<string, StrategyConfig>>;
}

/** Opens the environments and students of an evaluation in a worker. */
export async function openJob(data: EvaluateJobData, host: Host): Promise<EpisodeJob> {
  const { environments, students, asked, concurrency, actions, contracts, browser, spending } = data;
  const policies = new Map<string, (head: EpisodeHead) => Policy>(Object.entries(baselinePolicies(host.clock)));
  for (const [name, source] of Object.entries(students))
    policies.set(name, (await studentContender(source, name, host.onNotice)).policyFor);
  // Models are asked where the budget is: threads that run the baselines have none.
  const shared = host.budget === undefined || spending === null ? null : openSharedModels(host, spending, host.budget);
  if (shared !== null)
    for (const [name, config] of Object.entries(asked))
      policies.set(name, (await askedContender(config, name, shared)).policyFor);
  const how = { stateful: false, browser, concurrency, actions, contracts, host };
  const { worlds, close } = await openWorlds(environments, how);
  const linear = createLinear();
  const strategies = new Map<string, Strategy>();
  for (const [name, config] of Object.entries(data.strategies)) strategies.set(name, await openStrategy(config));
  return {
    start(head) {
      const strategy = strategies.get(head.student) ?? linear;
      return {
        environment: worldOf(worlds, head.task.environment),
        student: (policies.get(head.student) as (head: EpisodeHead) => Policy)(head),
        strategy,
        ...(strategy.limits === undefined ? {} : { limits: strategy.limits }),
      };
    },
    environment: id => worldOf(worlds, id),
    async close() {
      shared?.models.close();
      await close();
    },
  };
}

/** Baselines that need nothing but the task. */
export function baselinePolicies(clock: Clock): Readonly<Record<'planner' | 'random' | 'infeasible', () => Policy>> {
  return {
    infeasible: () => createFixedEnding('infeasible', { kind: 'finish', infeasible: true }),
    planner: () => createPlannerPolicy(createTeachingPlanner(clock)),
    random: () => createRandomPolicy(),
  };
}
