import { openBuiltIn } from '../../src/catalog.ts';
import type { Environment } from '../../src/core/contracts.ts';

const mail = await openBuiltIn('mail');
const milliseconds = Number(process.env['ESPALIER_BENCH_REST'] ?? 0);

/** Mail whose sessions take this long to open: as cheap as an episode can be, or one that waits for somebody. */
export const environment: Environment = {
  ...mail,
  async open(task) {
    if (milliseconds > 0) await new Promise(resolve => setTimeout(resolve, milliseconds));
    return mail.open(task);
  },
};
