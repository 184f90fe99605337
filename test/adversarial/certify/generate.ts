import { createRandom, hash32, type Random } from '../../../src/core/random.ts';
import { library } from './library.ts';
import type { Slot } from './page.ts';
import type { NextStep } from './walk.ts';
import { drawStep, showSteps, type WalkStep } from './walk-step.ts';

export interface Generated {
  readonly seed: string;
  readonly slots: readonly Slot[];
  readonly next: NextStep;
}

/** A page and a walk on it, from a seed. Many pages have one feature only: then it is clear whose fault it is. */
export function generate(seed: string, names: readonly string[]): Generated {
  const random = createRandom(seed);
  const count = random.pick([1, 1, 1, 2, 2, 3, 4, 5, 6]);
  const slots = drawNames(seed, names)
    .slice(0, count)
    .map((feature, index) => ({ feature, number: index + 1, seed: `${seed}/${feature}` }));
  const keys = slots.flatMap(({ feature }) => library.get(feature)?.keys ?? []);
  return { seed, slots, next: drawWalk(random.fork('walk'), keys) };
}

/** By the hash of seed and name, so that a new feature changes only the pages that it comes into. */
function drawNames(seed: string, names: readonly string[]): readonly string[] {
  return names
    .map(name => [hash32(`${seed}/${name}`), name] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, name]) => name);
}

/** A few steps, a rollback, a few steps, perhaps again; in the end the read-outs. `keys` are those of the features. */
function drawWalk(random: Random, keys: readonly string[]): NextStep {
  const plan: ('step' | 'rollback' | 'show')[] = [];
  const rounds = random.pick([1, 1, 2]);
  for (let round = 0; round < rounds; round++) {
    plan.push(...Array.from({ length: random.between(1, 4) }, () => 'step' as const), 'rollback');
    plan.push(...Array.from({ length: random.between(0, 2) }, () => 'step' as const));
  }
  plan.push('show');
  let nodes = 0;
  return (seen, taken) => {
    const part = plan[taken];
    if (part === undefined) return null;
    if (part === 'rollback') return { kind: 'rollback', node: random.between(0, Math.max(0, nodes - 1)) };
    nodes++;
    return part === 'show' ? random.pick(showSteps) : drawStep(random, seen, keys);
  };
}

/** A walk that was written down. */
export function followWalk(steps: readonly WalkStep[]): NextStep {
  return (_, taken) => steps[taken] ?? null;
}
