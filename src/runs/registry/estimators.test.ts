import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { rewarded } from '../../../test/fixtures/credit/trajectories.ts';
import { createCredit } from '../../dataset/credit/credit.ts';
import { chooseEstimator } from './estimators.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-estimators-'));
afterAll(() => rmSync(folder, { recursive: true }));

function moduleOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it('[CREDIT-1] takes a module in the place of a name', async () => {
  const path = moduleOf(
    'own.js',
    `export const estimator = {
      name: 'own',
      estimate: ({ trajectories }) =>
        trajectories.map(({ id, reward, steps }) => ({ id, advantages: steps.map(() => reward * 2), mask: steps.map(() => true) })),
    };`,
  );
  expect(createCredit(await chooseEstimator(path))(rewarded([1, 0]))).toMatchObject({
    kind: 'credited',
    trajectories: [{ advantages: [2] }, { advantages: [0] }],
  });
});

it('[CREDIT-1] says what is wrong with a name or a module', async () => {
  await expect(chooseEstimator('gipgo')).rejects.toThrow('There is no estimator "gipgo". Did you mean "gigpo"?');
  const path = moduleOf('none.js', `export const estimator = { name: 'none' };`);
  await expect(chooseEstimator(path)).rejects.toThrow('exports no `estimator` with name, estimate');
});
