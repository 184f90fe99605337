import type { Source } from '../../worlds/family.ts';
import { createLadderPlanner } from '../../runs/environments/ladder-planner.ts';
import { readWorldOptions } from '../world-options.ts';

const options = {
  seed: { default: 1, low: 0, high: 999_999_999 },
  documents: { default: 2000, low: 200, high: 200_000 },
};

/** `search:7`, or `search:seed=7,documents=100000`. */
export async function searchSource(name: string): Promise<Source> {
  const read = readWorldOptions<'documents'>(name, options);
  const { createSearchPlace, createSearchEnvironment } = await import('./retrieval-environment.ts');
  const { createSoundness, searchBaselines } = await import('./soundness.ts');
  const { admitWorld } = await import('../../forge/admission/world-ladder.ts');
  const place = createSearchPlace(read);
  const environment = createSearchEnvironment(read, place);
  return {
    environment,
    admit(templates, seeds) {
      const [planner, fault] = [createLadderPlanner(), createSoundness(place)];
      return admitWorld(environment, { planner, templates, seeds, baselines: searchBaselines, fault });
    },
  };
}
