import type { Clock } from '../../core/clock.ts';
import type { Policy } from '../../core/episode/agents.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { createFixedEnding } from '../../policies/fixed-ending.ts';
import { createPlannerPolicy } from '../../policies/planner-teacher.ts';
import { createRandomPolicy } from '../../policies/random.ts';
import { createLinear } from '../../rollout/strategies/linear.ts';
import { createTeachingPlanner } from '../agents/teaching-planner.ts';
import { studentContender } from '../agents/contender.ts';
import type { ActionSet } from '../environments/offered-actions.ts';
import { openWorlds, worldOf } from '../environments/worlds.ts';
import type { Host } from '../host.ts';
import type { EpisodeJob } from './job.ts';

export interface EvaluateJobData {
  readonly environments: readonly string[];
  readonly concurrency: number;
  readonly actions: ActionSet;
  /** What each student that is evaluated was named by, by its name in the store. */
  readonly students: Readonly<Record<string, string>>;
}

/** Opens the environments and students of an evaluation in a worker. */
export async function openJob(data: EvaluateJobData, host: Host): Promise<EpisodeJob> {
  const { environments, students, concurrency, actions } = data;
  const policies = new Map<string, (head: EpisodeHead) => Policy>(Object.entries(baselinePolicies(host.clock)));
  for (const [name, source] of Object.entries(students))
    policies.set(name, (await studentContender(source, name)).policyFor);
  const how = { stateful: false, browser: null, concurrency, actions, host };
  const { worlds, close } = await openWorlds(environments, how);
  const strategy = createLinear();
  return {
    start: head => ({
      environment: worldOf(worlds, head.task.environment),
      student: (policies.get(head.student) as (head: EpisodeHead) => Policy)(head),
      strategy,
    }),
    environment: id => worldOf(worlds, id),
    close,
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
