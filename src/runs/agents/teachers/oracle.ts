import { z } from 'zod';
import { defineTeacher, word } from '../agent-entry.ts';

export const oracle = defineTeacher({
  name: 'oracle',
  about:
    'The solution that a task was made with, cut into steps: reviews by forks, in terminals and wherever tasks bring one.',
  config: z.strictObject({ kind: z.literal('oracle') }),
  read: word('oracle'),
  async open() {
    const { createOracleTeacher } = await import('../../../agents/oracle.ts');
    return { make: () => createOracleTeacher() };
  },
});
