import { z } from 'zod';
import { defineStudent, word } from '../agent-entry.ts';

export const untrained = defineStudent({
  name: 'untrained',
  about: 'The small student before it has learned anything.',
  config: z.strictObject({
    kind: z.literal('untrained'),
    temperature: z.number().nonnegative().default(1).describe('0 takes the best action, 1 draws by its own chances'),
  }),
  read: word('untrained'),
  evaluated: { temperature: 0 },
  async open({ temperature }) {
    const { untrainedWeights, createStudent } = await import('../../../agents/learned/student.ts');
    const policy = createStudent({ weights: untrainedWeights(), name: 'untrained', temperature });
    return { make: () => policy };
  },
});
