import { openBuiltIn } from '../../src/catalog.ts';
import type { Environment } from '../../src/core/contracts.ts';
import { createRandom } from '../../src/core/random.ts';
import { measuredEpisode } from './measured-fleet.ts';
import { drawSeconds } from './simulate.ts';

const mail = await openBuiltIn('mail');

/** Mail whose sessions take a while to open, as a model takes a while to answer. */
export const environment: Environment = {
  ...mail,
  async open(task) {
    const seconds = drawSeconds(measuredEpisode, createRandom(task.id));
    await new Promise(resolve => setTimeout(resolve, 1000 * seconds));
    return mail.open(task);
  },
};
