import { join } from 'node:path';
import { figure, type Figure } from '../measure.ts';
import { startChild } from './child.ts';
import { idealMakespan, type Delays } from './delays.ts';
import type { EndpointNews, EndpointOptions } from './endpoint.ts';
import { runAtOnce } from './episodes.ts';

const delays: Delays = { seed: 'models', median: 1000, p99: 10_000, cap: 20_000 };
const episodes = 1000;
const steps = 10;

/** Time that a thousand episodes at once take, for the time that the slowest of them waits for its answers. */
export async function makespanRatio(folder: string): Promise<Figure> {
  const options: EndpointOptions = { delays, steps, holdAt: null };
  const endpoint = startChild<EndpointNews>('endpoint', options);
  try {
    const { port } = await endpoint.heard();
    // A few that warm up, before the time counts.
    await runAtOnce({ port, count: 20, path: join(folder, 'warm.db') });
    const started = performance.now();
    let answers = 0;
    const { ended } = await runAtOnce({
      port,
      count: episodes,
      path: join(folder, 'makespan.db'),
      onProgress: ({ end }) => {
        answers += end.counts.taken;
      },
    });
    const milliseconds = performance.now() - started;
    if (ended !== episodes || answers !== episodes * steps)
      throw new Error(
        `${ended} episodes took ${answers} steps: that is another trace than the one to be compared with.`,
      );
    return figure('models.makespan-ratio', 'ratio', [milliseconds / idealMakespan(delays, episodes, steps)]);
  } finally {
    await endpoint.close();
  }
}
