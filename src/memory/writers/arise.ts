import type { NewItem } from '../item.ts';
import { skillsOf } from './web-x-skill.ts';
import type { MemoryMethod } from './writer.ts';

/** Skills for a pattern of task that are in the cache, and so are read; the others wait until one of them is retired. */
const cached = 2;

/** A library in tiers (ARISE): every way that passed is a skill; for each pattern, those that most tasks share are in the cache. */
export const arise: MemoryMethod = {
  name: 'arise',
  about: 'Skills from single passes; for each pattern of task the two that most tasks share (ARISE).',
  write: episodes => {
    const groups = Map.groupBy(skillsOf('arise', episodes, 1), item =>
      item.kind === 'skill' ? `${item.provenance.environment}\n${item.pattern}` : '',
    );
    return [...groups.values()].flatMap(tiers =>
      tiers
        .toSorted((a, b) => b.provenance.tasks.length - a.provenance.tasks.length || lengthOf(a) - lengthOf(b))
        .slice(0, cached),
    );
  },
};

function lengthOf(item: NewItem): number {
  return item.kind === 'skill' ? item.steps.length : 0;
}
