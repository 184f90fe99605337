import { join } from 'node:path';
import { compare, type ComparisonByLevel } from '../../src/analysis/compare.ts';
import type { Evaluation } from '../../src/analysis/evaluate.ts';
import type { ReportData } from '../../src/analysis/report/data.ts';
import { createRandom } from '../../src/core/random.ts';
import type { ReportOptions } from '../../src/runs/report.ts';
import {
  adaptiveBranches,
  aheadClaim,
  behindClaim,
  queryClaim,
  shortBranches,
  stepsClaim,
  worldsClaims,
  type Claim,
} from './claims.ts';
import type { DemoSize } from './demo-size.ts';
import { gatherTeachers } from './gather.ts';
import { gatherWorlds } from './worlds/gather-worlds.ts';
import type { WorldsPlan } from './worlds/worlds-plan.ts';

/** Where the parts of a demo lie in its folder. */
export function demoFolders(folder: string) {
  const worlds = join(folder, 'worlds');
  return { worlds, baselines: join(worlds, 'baselines'), teachers: join(folder, 'teachers') };
}

const levels = ['heldOut', 'unseenApps'] as const;

export interface ConcludeOptions extends Omit<ReportOptions, 'levels'> {
  readonly plan: WorldsPlan;
  readonly size: DemoSize;
}

/** Gathers the parts of a demo, and holds them against what is claimed. */
export function concludeDemo({ folder, plan, size, ...about }: ConcludeOptions): ReportData {
  const { worlds: worldsFolder, baselines, teachers } = demoFolders(folder);
  const { students, points } = size;
  const { worlds, evaluations } = gatherWorlds({ folder: worldsFolder, baselines, plan, points, students });
  const taught = gatherTeachers({ ...about, folder: teachers, rounds: size.teachers.rounds, students });
  const rise = compared(evaluations.at(-1) as Evaluation, evaluations[0] as Evaluation);
  return {
    ...taught.data,
    title: 'Espalier: the demo',
    worlds: { ...worlds, risen: levels.filter(level => (rise[level]?.difference.low ?? 0) > 0) },
    claims: [...worldsClaims(worlds, rise), ...teacherClaims(taught.data, taught.evaluations)],
  };
}

function teacherClaims({ arms }: ReportData, evaluations: ReadonlyMap<string, Evaluation>): Claim[] {
  const between = (first: string, second: string): ComparisonByLevel =>
    compared(evaluations.get(first) as Evaluation, evaluations.get(second) as Evaluation);
  const queries = between('adaptive', 'imitation-queries');
  const steps = between('adaptive', 'imitation-steps');
  return [
    queryClaim(arms, between('adaptive', 'k-1').newInstances, adaptiveBranches),
    queryClaim(arms, between('src-3', 'k-1').newInstances, shortBranches),
    stepsClaim(arms, 'Adaptive speculation shows the teacher no more steps than K = ∞', ['adaptive', 'k-inf']),
    aheadClaim('SRC, adaptive is ahead of imitation of as many queries, on new instances', queries.newInstances),
    aheadClaim('SRC, adaptive is ahead of imitation of as many queries, in unseen apps', queries.unseenApps),
    aheadClaim('SRC, adaptive is ahead of imitation of as many steps, on new instances', steps.newInstances),
    behindClaim(
      'A teacher that errs in 10 % of its answers costs ten points or less on new instances',
      between('errors', 'adaptive').newInstances,
      0.1,
    ),
  ];
}

function compared(first: Evaluation, second: Evaluation): ComparisonByLevel {
  return compare(first, second, { random: createRandom(`${first.student} against ${second.student}`) });
}
