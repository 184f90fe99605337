import { expect, it } from 'vitest';
import { byLevel, defineProblem, problemTypes } from '../../index.ts';
import { admitProblems } from '../../envs/problems/environment/ladder.ts';
import { levels } from '../../envs/problems/problem.ts';
import { problemSkeleton } from './problem-skeleton.ts';

/** The code of the skeleton between its imports and its export, run with what it imports. */
function problemNamed(name: string) {
  const body = problemSkeleton(name)
    .replace(/^import .*$/m, '')
    .replace('export const problem =', 'return');
  // oxlint-disable-next-line no-new-func, no-implied-eval -- what a user would save and run
  const run = new Function('byLevel', 'defineProblem', 'problemTypes', body);
  return (run as (...parts: readonly unknown[]) => ReturnType<typeof defineProblem>)(
    byLevel,
    defineProblem,
    problemTypes,
  );
}

it('[PROB-9] a new problem passes the checks whatever its name', () => {
  const names = Array.from({ length: 60 }, (_, index) => `problem-${index}`);
  const templates = [...names, 'my-sum'].flatMap(name =>
    levels.map(level => ({ id: `${name} ${level}`, problem: problemNamed(name), level })),
  );
  expect([...admitProblems(templates as never, 3)].filter(({ admitted }) => !admitted)).toEqual([]);
});
