import { z } from 'zod';
import { invalidOption, type EspalierError } from '../../../core/errors.ts';
import { defineTeacher } from '../agent-entry.ts';

/** `studio`, or `studio:2` for two opinions. */
const namePattern = /^studio(?::([1-9]))?$/;

export const studio = defineTeacher({
  name: 'studio',
  usage: 'studio[:people]',
  about: 'People at espalier studio: branches wait in a queue until one of them, or so many, have answered.',
  config: z.strictObject({
    kind: z.literal('studio'),
    /** People who have to answer before an episode goes on. */
    opinions: z.int().min(1).max(9).default(1),
  }),
  read(text) {
    const found = namePattern.exec(text);
    return found === null ? null : { kind: 'studio', opinions: Number(found[1] ?? 1) };
  },
  async open({ opinions }, { reviews }) {
    if (reviews === undefined) throw noQueue();
    const { createStudioTeacher } = await import('../reviews/studio-teacher.ts');
    return { make: head => createStudioTeacher({ ...reviews, episode: head?.key ?? '', opinions }) };
  },
});

function noQueue(): EspalierError {
  return invalidOption(
    'The teacher is people at the studio, and this verb has no queue for them.',
    'Use espalier collect --teacher studio, or choose --teacher planner.',
  );
}
