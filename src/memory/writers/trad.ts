import type { NewItem } from '../item.ts';
import { provenanceOf, type MemoryMethod } from './writer.ts';

/** Each step of a passed episode with its neighbours: found again by the screen and the step before (TRAD). */
export const trad: MemoryMethod = {
  name: 'trad',
  about: 'Steps of passed episodes, each with the one before and after it, found step by step (TRAD).',
  write: episodes =>
    episodes
      .filter(({ passed }) => passed)
      .flatMap(record => {
        const steps = record.steps;
        const provenance = provenanceOf('trad', [record]);
        return steps.map(({ heading, line }, at): NewItem => {
          const before = steps[at - 1]?.line ?? null;
          const around = [before, line, steps[at + 1]?.line].filter(one => typeof one === 'string');
          return {
            kind: 'exemplar',
            title: record.pattern,
            text: around.join('; '),
            heading,
            line,
            before,
            provenance,
          };
        });
      }),
};
