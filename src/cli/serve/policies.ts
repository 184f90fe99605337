import type { StateEnvironment } from '../../core/contracts.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { createTrail } from '../../worlds/trail.ts';
import { untrainedWeights, createOdds } from '../../agents/learned/student.ts';
import { createPlannerPolicy, createPlannerTeacher } from '../../agents/planner/planner-teacher.ts';
import { createServedPlanner } from '../../serve/policy/planner.ts';
import type { ServedPolicy } from '../../serve/policy/served-policy.ts';
import { createServedStudent } from '../../serve/policy/student.ts';
import type { Host } from '../../runs/host/host.ts';
import { openStateEnvironment } from '../../runs/environments/open-environment.ts';
import { packageVersion } from '../../system/about.ts';
import { readStudentFile } from '../../runs/agents/student-file.ts';
import { openSmall, smallNamed } from '../../runs/agents/students/small.ts';
import { createTeachingPlanner } from '../../runs/agents/teaching-planner.ts';

export interface ServedPlannerOrder {
  /** Environments that it plans in, by id or path. */
  readonly environments: readonly string[];
  /** Share of its answers as a teacher that are wrong. */
  readonly errors: number;
  readonly host: Host;
}

/** A student behind an endpoint: `untrained`, `small`, or the file that espalier train wrote. */
export async function serveStudent(name: string): Promise<ServedPolicy> {
  const id = 'student';
  if (name === 'untrained')
    return createServedStudent({ id, version: 'untrained', weigh: createOdds(untrainedWeights()) });
  const small = smallNamed(name);
  if (small !== null) {
    const { createSmallOdds } = await import('../../agents/small/small-odds.ts');
    const { model } = await openSmall(small.folder);
    return createServedStudent({ id, version: `sha256-${model.sha256}`, weigh: createSmallOdds(model) });
  }
  const { weights, sha256 } = readStudentFile(name);
  return createServedStudent({ id, version: `sha256-${sha256}`, weigh: createOdds(weights) });
}

/** The planner behind an endpoint: the same that teaches in the runs of this process. */
export async function servePlanner({ environments, errors, host }: ServedPlannerOrder): Promise<ServedPolicy> {
  const worlds = new Map<string, StateEnvironment>();
  for (const name of environments) {
    const world = await openStateEnvironment(name, host);
    if (worlds.has(world.id)) throw twice(world.id);
    worlds.set(world.id, world);
  }
  return createServedPlanner({
    id: 'planner',
    version: `espalier-${packageVersion()}${errors === 0 ? '' : ` with ${100 * errors} % errors`}`,
    worlds,
    runtime: { clock: host.clock, timers: host.timers, createTrail },
    createPolicy: () => createPlannerPolicy(createTeachingPlanner(host.clock)),
    createTeacher: () => createPlannerTeacher({ planner: createTeachingPlanner(host.clock), errorRate: errors }),
  });
}

function twice(id: string): EspalierError {
  return invalidOption(
    `There are two environments with the id "${id}".`,
    'Expected each environment once; give one of them another id.',
  );
}
