import { describe, expect, it } from 'vitest';
import { expertsOf } from '../bench/signals/planted/experts.ts';
import { plantErrors } from '../bench/signals/planted/plant.ts';
import { judgePlanted } from '../bench/signals/planted/planted.ts';
import { environments } from '../src/catalog.ts';
import { createRandom } from '../src/core/random.ts';

/** A few of the failures of `espalier bench planted`: the bench has the figures, this keeps them from falling. */
const templates = [
  ['mail', 'label-message'],
  ['shop', 'add-address'],
  ['tracker', 'change-settings'],
] as const;

const share = (hits: readonly (number | null)[]): number => {
  const made = hits.filter(hit => hit !== null);
  return made.reduce((sum, hit) => sum + hit, 0) / made.length;
};

describe('planted errors', () => {
  it('[SIG-51] [SIG-54] are found at their exact step: nine of ten with forks, seven of ten from the record', async () => {
    const judged = [];
    for (const [app, template] of templates) {
      const environment = await environments.find(({ id }) => id === app)?.load();
      if (environment === undefined) throw new Error(`There is no app ${app}.`);
      for (const run of expertsOf({ source: app, environment, template, seed: 31 }))
        for (const failure of plantErrors(run, createRandom(run.task.id))) judged.push(judgePlanted(failure, true));
    }
    expect(judged.length).toBeGreaterThan(20);
    expect(share(judged.map(({ hits }) => hits.forks))).toBeGreaterThanOrEqual(0.9);
    expect(share(judged.map(({ hits }) => hits.record))).toBeGreaterThanOrEqual(0.7);
    expect(share(judged.map(({ hits }) => hits.last))).toBeLessThan(0.5);
  });
});
