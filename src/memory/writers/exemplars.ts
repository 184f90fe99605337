import type { NewItem } from '../item.ts';
import { patternOf, provenanceOf, slottedSteps, type MemoryWriter } from './writer.ts';

/** Each step of a passed episode with its neighbours: what was done there (Self-Gen ICE, TRAD). */
export const exemplars: MemoryWriter = {
  name: 'exemplars',
  about: 'Steps of passed episodes, each with the one before and after it (Self-Gen ICE, TRAD).',
  write: episodes =>
    episodes
      .filter(({ end }) => end.outcome === 'passed')
      .flatMap(record => {
        const steps = slottedSteps(record);
        const provenance = provenanceOf('exemplars', [record]);
        return steps.map(({ heading, line }, at): NewItem => {
          const around = [steps[at - 1]?.line, line, steps[at + 1]?.line].filter(one => one !== undefined);
          return { kind: 'exemplar', title: patternOf(record), text: around.join('; '), heading, line, provenance };
        });
      }),
};
