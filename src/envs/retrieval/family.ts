import { resolve } from 'node:path';
import type { Task } from '../../core/records.ts';
import { placeIn, type Family, type Source } from '../../worlds/family.ts';
import { readWorldOptions } from '../world-options.ts';

const options = {
  seed: { default: 1, low: 0, high: 999_999_999 },
  documents: { default: 2000, low: 200, high: 200_000 },
};

/** `retrieval:7`, `retrieval:seed=7,documents=100000`, or `retrieval:./corpus.jsonl`, documents and questions of the user's own. */
export const retrievalFamily: Family = {
  name: 'retrieval:',
  formerly: 'search:',
  usage: 'retrieval:<seed or corpus.jsonl>',
  example: 'retrieval:7',
  about: 'A made-up library, or a corpus of your own, with a search engine and questions over several documents.',
  absolute: name => (isCorpus(name) ? `retrieval:${resolve(placeIn(name))}` : name),
  async open(name) {
    if (isCorpus(name)) return openCorpus(resolve(placeIn(name)));
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

function isCorpus(name: string): boolean {
  return placeIn(name).endsWith('.jsonl');
}

async function openCorpus(path: string): Promise<Source> {
  const { readCorpus } = await import('./corpus.ts');
  const { corpusBaselines, createCorpusEnvironment } = await import('./corpus-environment.ts');
  return { environment: createCorpusEnvironment(readCorpus(path)), ladder: { baselines: corpusBaselines } };
}
