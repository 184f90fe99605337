import { describe, expect, it } from 'vitest';
import type { BrowserEvent } from '../browser/connection.ts';
import { orderAnswers } from './answer-order.ts';

/** A page whose network and clock the test moves. */
function createNetwork() {
  const heard = new Set<(event: BrowserEvent) => void>();
  const [timers, noted]: [(() => void)[], string[]] = [[], []];
  const order = orderAnswers({
    listen(hear) {
      heard.add(hear);
      return () => heard.delete(hear);
    },
    after(_, run) {
      timers.push(run);
      return () => timers.splice(timers.indexOf(run), 1);
    },
    noteRealClock: what => noted.push(what),
  });
  const turns: string[] = [];
  const say = (method: string, params: BrowserEvent['params']): void => heard.forEach(hear => hear({ method, params }));
  return {
    turns,
    noted,
    ask: (networkId: string, resourceType = 'XHR', headers = {}) =>
      void order.turn({ networkId, resourceType, request: { headers } }).then(() => turns.push(networkId)),
    end: (requestId: string) => say('Network.loadingFinished', { requestId }),
    leave: () => say('Page.frameNavigated', { frame: {} }),
    late: () => timers[0]?.(),
    settled: () => new Promise(resolve => setImmediate(resolve)),
  };
}

describe('the order of answers', () => {
  it('[SITE-115] a request has its turn when those before it are answered, whatever their kind', async () => {
    const network = createNetwork();
    network.ask('a', 'Script');
    network.ask('b', 'XHR');
    network.ask('document', 'Document');
    await network.settled();
    expect(network.turns).toEqual(['document', 'a']);
    network.end('b');
    network.ask('c', 'Image');
    await network.settled();
    expect(network.turns).toEqual(['document', 'a']);
    network.end('a');
    await network.settled();
    expect(network.turns).toEqual(['document', 'a', 'b', 'c']);
    expect(network.noted).toEqual([]);
  });

  it('[SITE-115] nobody waits for a stream of events, which need never end', async () => {
    const network = createNetwork();
    network.ask('events', 'XHR', { Accept: 'text/event-stream' });
    network.ask('next');
    await network.settled();
    expect(network.turns).toEqual(['events', 'next']);
    network.late();
    expect(network.noted).toEqual([]);
  });

  it('[SITE-115] one that takes too long is not waited for, and that is noted; another document waits for nothing', async () => {
    const network = createNetwork();
    for (const name of ['slow', 'next', 'last']) network.ask(name);
    await network.settled();
    network.late();
    await network.settled();
    expect(network.turns).toEqual(['slow', 'next']);
    expect(network.noted).toEqual([expect.stringContaining('which of them came first is chance')]);
    network.leave();
    await network.settled();
    expect(network.turns).toEqual(['slow', 'next', 'last']);
  });
});
