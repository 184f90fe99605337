import { z } from 'zod';
import { defineStudent, word } from '../agent-entry.ts';

export const random = defineStudent({
  name: 'random',
  about: 'Any action that is possible, by chance.',
  config: z.strictObject({ kind: z.literal('random') }),
  read: word('random'),
  isBaseline: true,
  async open() {
    const { createRandomPolicy } = await import('../../../agents/random.ts');
    const policy = createRandomPolicy();
    return { make: () => policy };
  },
});
