import { join, relative } from 'node:path';
import { beforeEach, type RunnerTestCase, type RunnerTestSuite } from 'vitest';
import { readLeftOut } from '../scripts/short-form.ts';
import { runsAll } from './long-form.ts';

const root = join(import.meta.dirname, '..');

/** `npm test` leaves long tests out whose rules other tests try. */
if (!runsAll) {
  const leftOut = readLeftOut();
  beforeEach(({ task, skip }) => {
    const names = leftOut[relative(root, task.file.filepath).replaceAll('\\', '/')];
    if (names?.includes(fullName(task))) skip('Long: `npm run test:long` runs it.');
  });
}

function fullName({ name, suite }: RunnerTestCase): string {
  const names = [name];
  for (let group: RunnerTestSuite | undefined = suite; group?.name; group = group.suite) names.unshift(group.name);
  return names.join(' ');
}
