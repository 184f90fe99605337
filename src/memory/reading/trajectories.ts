import type { ContentOf, MemoryItem, PlacedStep } from '../item.ts';
import { utilityOf } from '../item.ts';
import type { Here, Reader } from './here.ts';
import { similarityOf } from './similarity.ts';

/** Whole ways that are looked at for a task. */
const most = 3;
const tokens = 4000;

/** What the ways that passed tasks like this one did here: after the same step where there is one, else on the same screen. */
export const readTrajectories: Reader = here => {
  const { memory, pattern } = here;
  if (memory.index.ofKind('trajectory').length === 0) return [];
  const situation = { environment: null, instruction: pattern, heading: '' };
  const found = memory.read(situation, { most, tokens, kinds: ['trajectory'] }) as MemoryItem<
    ContentOf<'trajectory'>
  >[];
  return found.flatMap(item => {
    const step = stepHere(item.content.steps, here);
    const weight = utilityOf(item) * similarityOf(item.content.pattern, pattern) ** 2;
    return step === null ? [] : [{ item: item.id, how: 'prefer' as const, line: step.line, weight }];
  });
};

function stepHere(steps: readonly PlacedStep[], { heading, before }: Here): PlacedStep | null {
  const here = steps
    .map((step, at) => ({ step, before: steps[at - 1]?.line ?? null }))
    .filter(({ step }) => step.heading === heading);
  return (here.find(one => one.before === before) ?? here[0])?.step ?? null;
}
