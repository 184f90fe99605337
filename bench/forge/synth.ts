import { checkLaws } from '../../src/worlds/laws.ts';
import { createWorld } from '../../src/worlds/world.ts';
import { createSynthApp } from '../../src/envs/synth/app/synth-app.ts';
import { synthSpec } from '../../src/envs/synth/generate/synth-spec.ts';
import { figure, quantile, type Bench } from '../measure.ts';

const seeds = 1000;
const opened = 120;

export const synthBench: Bench = {
  group: 'synth',
  // A thousand apps take minutes.
  onDemand: true,
  figures: ['synth.open', 'synth.lawful'],
  async *run(_options, news) {
    yield figure('synth.open', 'ms', [openTime(0), openTime(opened), openTime(2 * opened)]);
    let lawful = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      if (seed % 10 === 0) news.progress(`made-up apps: ${seed} of ${seeds}, ${lawful} lawful …`);
      const broken = await brokenLaw(seed);
      if (broken === null) lawful++;
      else news.line(`synth:${seed}: ${broken}`);
    }
    news.progress('');
    yield figure('synth.lawful', 'share', [lawful / seeds]);
  },
};

/** Milliseconds to make an app and to open a task in it: the median of many, each another app. */
function openTime(from: number): number {
  const times: number[] = [];
  for (let seed = from; seed < from + opened; seed++) {
    const start = performance.now();
    const world = createWorld(createSynthApp(synthSpec(seed)));
    const template = world.templates[seed % world.templates.length]?.id ?? '';
    world.open(world.task(template, seed)).observe();
    times.push(performance.now() - start);
  }
  return quantile(
    times.toSorted((left, right) => left - right),
    0.5,
  );
}

/** The first law that an app breaks on a task of each of its templates, with the reason; null when it breaks none. */
async function brokenLaw(seed: number): Promise<string | null> {
  try {
    const world = createWorld(createSynthApp(synthSpec(seed)), { checked: seed % 20 === 0 });
    const all = world.templates.map(({ id }) => world.task(id, seed));
    // Every template makes a task; laws are laws of the app, so some of the tasks do.
    const tasks = all.filter((_, index) => (index + seed) % 4 === 0);
    const broken = (await checkLaws(world, { tasks, steps: 6 })).find(({ pass }) => !pass);
    return broken === undefined ? null : `${broken.law}, ${broken.detail}`;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
