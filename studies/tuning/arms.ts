import type { Random } from '../../src/core/random.ts';
import { documentedAdvice, knobs, type Settings } from './knobs.ts';
import { jointSearch } from './skills/joint-search.ts';
import { profile } from './skills/profile.ts';
import { follow, type Bench, type Refused } from './skills/skill.ts';
import { isInitial, knobsOf, versionCheck } from './skills/version-check.ts';

/** What an arm came to. */
export interface Advice {
  readonly settings: Settings;
  /** What it did not set, and why. */
  readonly refused?: readonly Refused[];
  readonly bottlenecks?: readonly string[];
}

interface Given {
  /** Of this machine, in bytes. */
  readonly memory: number;
  readonly random: Random;
}

interface Arm {
  readonly name: string;
  advise(bench: Bench, given: Given): Promise<Advice>;
}

/** Ways to set the knobs of a server. Those that measure have equally many measurements. */
export const arms: readonly Arm[] = [
  { name: 'defaults', advise: () => Promise.resolve({ settings: {} }) },
  { name: 'documentation', advise: (_, { memory }) => Promise.resolve({ settings: documentedAdvice(memory) }) },
  {
    name: 'documentation, checked',
    advise: (bench, { memory }) => follow(versionCheck, bench, documentedAdvice(memory)),
  },
  { name: 'one at a time', advise: oneAtATime },
  { name: 'joint search alone', advise: searchAll },
  { name: 'skills', advise: bySkills },
];

/** Every value of every knob by itself; the best value of each together. */
async function oneAtATime(bench: Bench): Promise<Advice> {
  const catalog = await bench.catalog();
  const first = await bench.measure({});
  const best = new Map<string, { value: string; rate: number }>();
  const tries = knobsOf(catalog, knobs).flatMap(({ name, values }) =>
    values.filter(value => !isInitial(catalog, name, value)).map(value => ({ name, value })),
  );
  for (const { name, value } of tries) {
    if (bench.left() === 0) break;
    const rate = (await bench.measure({ [name]: value })) ?? 0;
    if (rate > Math.max(first ?? 0, best.get(name)?.rate ?? 0)) best.set(name, { value, rate });
  }
  return { settings: Object.fromEntries([...best].map(([name, { value }]) => [name, value])) };
}

async function searchAll(bench: Bench, { random }: Given): Promise<Advice> {
  const all = knobsOf(await bench.catalog(), knobs);
  return { settings: await follow(jointSearch, bench, { knobs: all, random }) };
}

/** Version check, profile and joint search, one after the other. */
async function bySkills(bench: Bench, { random }: Given): Promise<Advice> {
  const catalog = await bench.catalog();
  const here = knobsOf(catalog, knobs);
  const refused = knobs.filter(({ name }) => !catalog.has(name)).map(({ name }) => name);
  const found = await follow(profile, bench, here);
  return {
    settings: await follow(jointSearch, bench, { knobs: found.knobs, random }),
    refused: refused.map(name => ({ name, why: 'this version does not have it' })),
    bottlenecks: found.bottlenecks,
  };
}
