import { createRandom } from '../../core/random.ts';
import type { NewItem } from '../item.ts';
import { shareOf, type PracticeOptions } from '../practice.ts';
import { trajectoryOf } from '../writers/trajectory.ts';
import type { MemoryMethod } from '../writers/writer.ts';

const databases = 4;

/**
 * A database of own ways that passed (Self-Gen ICE). Several databases, each with a part of the ways, are tried, and the one that
 * passes most is kept whole. Of its exemplars, those are read first that were in more episodes that passed.
 */
export const selfGenIce: MemoryMethod = {
  name: 'self-gen-ice',
  about:
    'Whole ways that passed; of several databases of them, the one with which a student passes most (Self-Gen ICE).',
  write: episodes => episodes.filter(({ passed }) => passed).flatMap(record => trajectoryOf('self-gen-ice', record)),
  async practise({ before, candidates, gate, practice }: PracticeOptions) {
    const parts = [candidates, ...databasesOf(candidates, databases - 1)];
    const memories = parts.map(part => before.write(part, gate));
    const shares: number[] = [];
    for (const memory of memories) shares.push(shareOf(await practice(memory)));
    return memories[bestOf(shares)] ?? before;
  },
};

/** Parts of the candidates, drawn with two chances in three each: a database differs from the others in what it lacks. */
export function databasesOf(candidates: readonly NewItem[], count: number): NewItem[][] {
  return Array.from({ length: count }, (_, at) => {
    const random = createRandom(`database ${at}`);
    return candidates.filter(() => random.next() < 2 / 3);
  });
}

/** Place of the largest; of equal ones the first. */
export function bestOf(shares: readonly number[]): number {
  return shares.reduce((best, share, at) => (share > (shares[best] as number) ? at : best), 0);
}
