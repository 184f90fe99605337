import type { Task } from '../../core/records.ts';
import type { Family } from '../../worlds/family.ts';
import { readWorldOptions } from '../world-options.ts';

const options = {
  seed: { default: 1, low: 0, high: 999_999_999 },
  documents: { default: 2000, low: 200, high: 200_000 },
};

/** `retrieval:7`, or `retrieval:seed=7,documents=100000`. */
export const retrievalFamily: Family = {
  name: 'retrieval:',
  formerly: 'search:',
  usage: 'retrieval:<seed>',
  example: 'retrieval:7',
  about: 'A made-up library with a search engine, and questions over several of its documents.',
  async open(name) {
    const read = readWorldOptions<'documents'>(name, options);
    const { createRetrievalPlace, createRetrievalEnvironment } = await import('./retrieval-environment.ts');
    const { createSoundness, retrievalBaselines } = await import('./soundness.ts');
    const place = createRetrievalPlace(read);
    // Reads the whole library back: only where somebody asks.
    let soundness: ((task: Task) => string | null) | null = null;
    const fault = (task: Task): string | null => (soundness ??= createSoundness(place))(task);
    return { environment: createRetrievalEnvironment(read, place), ladder: { baselines: retrievalBaselines, fault } };
  },
};
