import type { EpisodeRecord } from '../../core/episode/record.ts';
import { trajectoryOf } from './trajectory.ts';
import { byPattern, hasPassed, isIdle, slottedSteps, type MemoryMethod } from './writer.ts';

/** Least quality of a way that is kept. */
const threshold = 0.8;

/** What a critic says of a way: whether it passed, the share of its steps that did something, and how long it is beside the shortest. */
export function qualityOf(record: EpisodeRecord, shortest: number): number {
  const steps = slottedSteps(record);
  if (steps.length === 0) return 0;
  const coherence = steps.filter(({ node }) => !isIdle(node)).length / steps.length;
  return (Number(hasPassed(record)) + coherence + shortest / steps.length) / 3;
}

/** Ways from exploration that a critic found good (EchoTrail): goal reached, no idle steps, no longer than needed. */
export const echoTrail: MemoryMethod = {
  name: 'echo-trail',
  about: 'Ways of exploration that a critic validated: passed, coherent and short (EchoTrail).',
  write: episodes =>
    byPattern(episodes.filter(hasPassed)).flatMap(group => {
      const shortest = Math.min(...group.map(record => slottedSteps(record).length));
      return group
        .filter(record => qualityOf(record, shortest) >= threshold)
        .flatMap(record => trajectoryOf('echo-trail', record));
    }),
};
