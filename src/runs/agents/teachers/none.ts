import { z } from 'zod';
import { defineTeacher, word } from '../agent-entry.ts';

export const none = defineTeacher({
  name: 'none',
  about: 'Nobody.',
  config: z.strictObject({ kind: z.literal('none') }),
  read: word('none'),
  open: () => null,
});
