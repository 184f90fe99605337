import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { openStore } from '../../src/store/store.ts';
import { readArgument, tellParent } from '../models/child.ts';

/** A run that takes 200 steps a second for a while and says how long each part took. */
interface WritingRun {
  readonly folder: string;
  readonly episodes: number;
}

const stepsAnEpisode = 20;
const stepMilliseconds = 5;

const { folder, episodes } = readArgument<WritingRun>();
const store = openStore({ path: join(folder, 'store.db') });
const source = openStore({ path: join(folder, 'store.db'), readOnly: true });
const [first] = [...source.episodes()];
source.close();
if (first === undefined) throw new Error('The run has no episode to begin with.');
const known = store.done('bench').size;
let busy = 0;
for (let episode = 0; episode < episodes; episode++) {
  const index = known + episode;
  let start = performance.now();
  const log = store.begin({ ...first.head, key: `${first.head.key}-${index}`, index, trial: index });
  for (const event of first.events.slice(0, stepsAnEpisode + 1)) {
    log.append(event);
    busy += performance.now() - start;
    await wait(stepMilliseconds);
    start = performance.now();
  }
  log.end({ ...first.end, leaf: 1 });
  store.save();
  busy += performance.now() - start;
}
store.close();
tellParent({ milliseconds: busy });
