import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readArgument, startChild, tellParent } from './child.ts';
import type { EndpointNews, EndpointOptions } from './endpoint.ts';
import { runAtOnce } from './episodes.ts';

/** Episodes that wait for an answer which never comes, in a process of their own: what it holds then is theirs. */
export interface WaitingOptions {
  readonly folder: string;
  readonly episodes: number;
}

/** KiB more than before. */
export interface WaitingNews {
  readonly heap: number;
  readonly resident: number;
}

/** By then an episode has a history, and its prompt is as long as most. */
const holdAt = 8;

await hold(readArgument<WaitingOptions>());

async function hold({ folder, episodes }: WaitingOptions): Promise<void> {
  const delays = { seed: 'waiting', median: 20, p99: 100, cap: 200 };
  const options: EndpointOptions = { delays, steps: holdAt + 1, holdAt: null };
  const warm = startChild<EndpointNews>('endpoint', options);
  await runAtOnce({ port: (await warm.heard()).port, count: 200, path: join(folder, 'waiting-warm.db') });
  await warm.close();
  const endpoint = startChild<EndpointNews>('endpoint', { ...options, holdAt });
  const { port } = await endpoint.heard();
  const before = memory();
  const stop = new AbortController();
  const path = join(folder, 'waiting.db');
  const run = runAtOnce({ port, count: episodes, path, signal: stop.signal });
  for (let held = 0; held < episodes; ) ({ held } = await endpoint.heard());
  const after = memory();
  stop.abort();
  await run;
  await endpoint.close();
  tellParent({ heap: after.heap - before.heap, resident: after.resident - before.resident } satisfies WaitingNews);
}

/** After a collection that gives unused pages back: what is left is held by somebody. */
function memory(): WaitingNews {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  for (let time = 0; time < 2; time++) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / 1024, resident: rss / 1024 };
}
