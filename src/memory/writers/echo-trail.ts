import { trajectoryOf } from './trajectory.ts';
import { byPattern, isIdle, type Experience, type MemoryMethod } from './writer.ts';

/** Least quality of a way that is kept. */
const threshold = 0.8;

/** What a critic says of a way: whether it passed, the share of its steps that did something, and how long it is beside the shortest. */
export function qualityOf(record: Experience, shortest: number): number {
  const steps = record.steps;
  if (steps.length === 0) return 0;
  const coherence = steps.filter(({ node }) => !isIdle(node)).length / steps.length;
  return (Number(record.passed) + coherence + shortest / steps.length) / 3;
}

/** Ways from exploration that a critic found good (EchoTrail): goal reached, no idle steps, no longer than needed. */
export const echoTrail: MemoryMethod = {
  name: 'echo-trail',
  about: 'Ways of exploration that a critic validated: passed, coherent and short (EchoTrail).',
  write: episodes =>
    byPattern(episodes.filter(({ passed }) => passed)).flatMap(group => {
      const shortest = Math.min(...group.map(record => record.steps.length));
      return group
        .filter(record => qualityOf(record, shortest) >= threshold)
        .flatMap(record => trajectoryOf('echo-trail', record));
    }),
};
