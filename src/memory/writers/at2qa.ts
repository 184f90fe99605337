import { trajectoryOf } from './trajectory.ts';
import { byPattern, type MemoryMethod } from './writer.ts';

/** Examples for each pattern of task. */
const shots = 2;

/** A library of few examples from a student's own successes: for each pattern of task the shortest (AT2QA). */
export const at2qa: MemoryMethod = {
  name: 'at2qa',
  about: 'The two shortest of the student’s own passes for each pattern of task (AT2QA).',
  write: episodes => {
    const own = episodes.filter(
      record => record.passed && record.steps.every(({ node }) => node.actor.role === 'student'),
    );
    return byPattern(own).flatMap(group =>
      group
        .toSorted((a, b) => a.steps.length - b.steps.length)
        .flatMap(record => trajectoryOf('at2qa', record))
        .slice(0, shots),
    );
  },
};
