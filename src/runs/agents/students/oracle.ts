import { z } from 'zod';
import { defineStudent, word } from '../agent-entry.ts';

export const oracle = defineStudent({
  name: 'oracle',
  about: 'The solution that a task was made with; its steps are demonstrations, not a student’s.',
  config: z.strictObject({ kind: z.literal('oracle') }),
  read: word('oracle'),
  async open() {
    const { createOraclePolicy } = await import('../../../agents/oracle.ts');
    return { make: () => createOraclePolicy() };
  },
});
