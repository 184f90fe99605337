import { describe, expect, it } from 'vitest';
import { baseProblems } from '../src/envs/problems/catalog.ts';
import { randomCompositions } from '../src/envs/problems/compose/random-compositions.ts';
import { createProblemEnvironment, templatesOf } from '../src/envs/problems/environment/environment.ts';
import { admitProblems } from '../src/envs/problems/environment/ladder.ts';
import type { Problem } from '../src/envs/problems/problem.ts';
import { checkLaws } from '../src/worlds/laws.ts';
import { isLong } from './long-form.ts';

const seeds = 2;

/** Laws that a problem breaks, and levels that the ladder rejects. */
async function faultsOf(problem: Problem): Promise<unknown[]> {
  const environment = createProblemEnvironment({ id: 'one', title: 'One', problems: [problem] });
  const tasks = environment.templates.map(({ id }) => environment.task(id, 1));
  const laws = await checkLaws(environment, { tasks, steps: 3 });
  const admissions = [...admitProblems(templatesOf([problem]), seeds)];
  return [...laws.filter(({ pass }) => !pass), ...admissions.filter(({ admitted }) => !admitted)];
}

async function faultsIn(problems: readonly Problem[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const problem of problems) for (const fault of await faultsOf(problem)) found.push([problem.name, fault]);
  return found;
}

describe('laws and ladder', () => {
  it('[PROB-6] [PROB-10] hold on base problems (long form: every one)', async () => {
    const problems = baseProblems.filter((_, at) => isLong || at % 12 === 0);
    expect(await faultsIn(problems)).toEqual([]);
  });

  it('[PROB-6] [PROB-10] hold on random compositions (long form: 1,000)', async () => {
    const count = isLong ? 1000 : 6;
    const problems = [2, 3].flatMap(depth => [
      ...randomCompositions({ problems: baseProblems, depth, count: count / 2, seed: 11 }),
    ]);
    expect(problems).toHaveLength(count);
    expect(await faultsIn(problems)).toEqual([]);
  });

  it('[PROB-4] stop at a sampler without an instance', async () => {
    const [problem] = baseProblems as [Problem];
    const silent: Problem = { ...problem, draw: () => null };
    await expect(faultsOf(silent)).rejects.toThrow('found no instance');
  });
});
