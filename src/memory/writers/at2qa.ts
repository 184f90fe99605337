import { trajectoryOf } from './trajectory.ts';
import { byPattern, hasPassed, slottedSteps, type MemoryMethod } from './writer.ts';

/** Examples for each pattern of task. */
const shots = 2;

/** A library of few examples from a student's own successes: for each pattern of task the shortest (AT2QA). */
export const at2qa: MemoryMethod = {
  name: 'at2qa',
  about: 'The two shortest of the student’s own passes for each pattern of task (AT2QA).',
  write: episodes => {
    const own = episodes.filter(
      record => hasPassed(record) && slottedSteps(record).every(({ node }) => node.actor.role === 'student'),
    );
    return byPattern(own).flatMap(group =>
      group
        .toSorted((a, b) => slottedSteps(a).length - slottedSteps(b).length)
        .flatMap(record => trajectoryOf('at2qa', record))
        .slice(0, shots),
    );
  },
};
