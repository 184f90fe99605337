import { z } from 'zod';

/** Which sets of templates are evaluated on; the rarer ones only when they are named. */
export const levelsSchema = z
  .array(z.enum(['new-instances', 'held-out', 'held-out-2', 'held-out-3']))
  .min(1)
  .default(['new-instances', 'held-out']);
