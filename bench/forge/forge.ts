import { environments } from '../../src/catalog.ts';
import { forgeApp } from '../../src/forge/forge-app.ts';
import { disagreement } from '../../src/forge/pool/independent-check.ts';
import { createWorld } from '../../src/worlds/world.ts';
import { figure, type Bench } from '../measure.ts';

const rounds = 3;
const seedsPerRound = 4;

export const forgeBench: Bench = {
  group: 'forge',
  figures: ['forge.tasks'],
  async *run() {
    const apps = await Promise.all(environments.map(entry => entry.app()));
    const worlds = apps.map(app => createWorld(forgeApp(app, { kinds: ['commands'] })));
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const start = performance.now();
      let tasks = 0;
      for (const world of worlds) {
        for (const { id } of world.templates) {
          for (let index = 0; index < seedsPerRound; index++) {
            const task = world.task(id, round * seedsPerRound + index + 1);
            // Sound as far as that can be told before planning.
            if (!world.open(task).verify().pass && disagreement(world, task) === null) tasks++;
          }
        }
      }
      // The first round learns the inputs of the commands.
      if (round > 0) rates.push((1000 * tasks) / (performance.now() - start));
    }
    yield figure('forge.tasks', '1/s', rates);
  },
};
