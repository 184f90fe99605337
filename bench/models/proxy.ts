import { join } from 'node:path';
import { figure, quantile, type Figure } from '../measure.ts';
import { startChild } from './child.ts';
import type { EndpointNews, EndpointOptions } from './endpoint.ts';
import type { ProxyNews, ProxyProcessOptions } from './proxy-process.ts';
import { createClient, type Client, type Waits, type Wave } from './streams.ts';

/** So many streams at once. */
const streams = 200;
const pieces = 40;
/** Latency is measured at this share of the capacity. At its edge, only queues would be measured. */
const loadShare = 1 / 3;
const rounds = 4;

/**
 * How much later the pieces of streams arrive through the proxy than straight from the endpoint, in waves that take turns:
 * first pieces from asking on, later ones from when they were sent; whichever of the two is worse. At a third of the
 * capacity that was found in the same run.
 */
export async function* addedByProxy(folder: string): AsyncGenerator<Figure> {
  const options: EndpointOptions = {
    delays: { seed: 'proxy', median: 1, p99: 1, cap: 1 },
    steps: 1,
    holdAt: null,
  };
  const endpoint = startChild<EndpointNews>('endpoint', options);
  const upstream = `http://127.0.0.1:${(await endpoint.heard()).port}/v1`;
  const proxy = startChild<ProxyNews>('proxy-process', {
    upstream,
    folder: join(folder, 'proxy'),
  } satisfies ProxyProcessOptions);
  const clients = [createClient(upstream), createClient(`http://127.0.0.1:${(await proxy.heard()).port}/v1`)] as const;
  try {
    const capacities = await capacityOf(clients[1]);
    const capacity = figure('proxy.capacity', '1/s', capacities);
    yield capacity;
    const every = Math.ceil((1000 * streams) / (capacity.value * loadShare));
    const added = await takeTurns(clients, { streams, pieces, every });
    yield figure(
      'proxy.added-median',
      'ms',
      added.map(at => at(0.5)),
    );
    yield figure(
      'proxy.added-p99',
      'ms',
      added.map(at => at(0.99)),
    );
  } finally {
    for (const client of clients) client.close();
    await proxy.close();
    await endpoint.close();
  }
}

/** Pieces a second that go through the proxy when all streams send as fast as they can. */
async function capacityOf(proxied: Client): Promise<number[]> {
  const values: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const started = performance.now();
    await proxied.wave({ streams, pieces, every: 1 });
    // The first round opens the connections.
    if (round >= 0) values.push((1000 * streams * pieces) / (performance.now() - started));
  }
  return values;
}

/** For each round, what the proxy added at a quantile. */
async function takeTurns(
  [straight, proxied]: readonly [Client, Client],
  wave: Wave,
): Promise<((share: number) => number)[]> {
  const added: ((share: number) => number)[] = [];
  for (let round = -1; round < rounds; round++) {
    const [without, through] = [sorted(await straight.wave(wave)), sorted(await proxied.wave(wave))];
    const between = (kind: keyof Waits, share: number): number =>
      quantile(through[kind], share) - quantile(without[kind], share);
    // The first round opens the connections.
    if (round >= 0) added.push(share => Math.max(between('first', share), between('later', share)));
  }
  return added;
}

function sorted({ first, later }: Waits): Waits {
  const upwards = (values: readonly number[]): number[] => values.toSorted((left, right) => left - right);
  return { first: upwards(first), later: upwards(later) };
}
