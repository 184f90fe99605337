import TinyQueue from 'tinyqueue';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core/random.ts';
import { createThrottle, type RequestOutcome, type Permit, type Throttle } from './throttle.ts';

/** A world in which time passes only from event to event. */
function createSimulation() {
  let now = 0;
  let order = 0;
  const events = new TinyQueue<{ at: number; order: number; run: () => void }>(
    [],
    (a, b) => a.at - b.at || a.order - b.order,
  );
  const after = (milliseconds: number, run: () => void): (() => void) => {
    const event = { at: now + milliseconds, order: order++, run };
    events.push(event);
    return () => {
      event.run = () => {};
    };
  };
  return {
    clock: { now: () => now },
    timers: { after },
    sleep: (milliseconds: number) => new Promise<void>(resolve => void after(milliseconds, resolve)),
    async run(): Promise<number> {
      await new Promise(resolve => setImmediate(resolve));
      for (let event = events.pop(); event !== undefined; event = events.pop()) {
        now = event.at;
        event.run();
        await new Promise(resolve => setImmediate(resolve));
      }
      return now;
    },
  };
}
type Simulation = ReturnType<typeof createSimulation>;

interface Plan {
  readonly episodes: number;
  readonly steps: number;
  readonly start: number;
  /** How a request goes that is sent now. */
  serve(request: { readonly episode: number; readonly step: number }, simulation: Simulation): Promise<RequestOutcome>;
  watch?(throttle: Throttle): void;
}

/** Episodes that ask one question after the other, all at once; too much is tried again after a while. */
async function play({ episodes, steps, start, serve, watch }: Plan) {
  const simulation = createSimulation();
  const throttle = createThrottle({ ...simulation, start, most: 1024, patience: 30_000 });
  const random = createRandom('jitter');
  let mostTries = 0;
  const ask = async (request: { episode: number; step: number }): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const permit = await throttle.enter({ isAgain: tries > 1 });
      const passage = await serve(request, simulation);
      permit.leave(passage);
      watch?.(throttle);
      mostTries = Math.max(mostTries, tries);
      if (passage.kind === 'fine') return;
      await simulation.sleep(Math.min(30_000, 500 * 2 ** (tries - 1)) * (0.5 + random.next() / 2));
    }
  };
  let done = 0;
  for (let episode = 0; episode < episodes; episode++) {
    void (async () => {
      for (let step = 0; step < steps; step++) await ask({ episode, step });
      done++;
    })();
  }
  const makespan = await simulation.run();
  return { makespan, done, mostTries, limit: throttle.counts().limit };
}

/** Log-normal: the median is 200 ms, one in a hundred takes more than three seconds. */
function heavyTail(episode: number, step: number): number {
  const random = createRandom(`${episode}/${step}`);
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return 200 * Math.exp(1.2 * normal);
}

describe('throttle', () => {
  const episodes = 1000;
  const steps = 10;
  const ideal = longest({ episodes, steps, delay: heavyTail });
  const serve: Plan['serve'] = async ({ episode, step }, { sleep }) => {
    const milliseconds = heavyTail(episode, step);
    await sleep(milliseconds);
    return { kind: 'fine', milliseconds };
  };

  it('[MOD-9] costs nothing where a server next door is fast, however heavy the tail of its delays', async () => {
    const { makespan, limit } = await play({ episodes, steps, start: 1024, serve });
    expect(makespan / ideal).toBeCloseTo(1, 9);
    expect(limit).toBe(1024);
  });

  it('[MOD-9] costs little where it begins with few', async () => {
    const { makespan, limit } = await play({ episodes, steps, start: 32, serve });
    expect(makespan / ideal).toBeLessThan(1.05);
    expect(limit).toBeGreaterThan(900);
  });

  it('[MOD-9] finds what a server bears that says when it is too much', async () => {
    let busy = 0;
    const { done, makespan, mostTries, limit } = await play({
      episodes: 300,
      steps: 5,
      start: 1024,
      async serve(_, { sleep }) {
        if (busy >= 20) {
          await sleep(5);
          return { kind: 'busy' };
        }
        busy++;
        await sleep(1000);
        busy--;
        return { kind: 'fine', milliseconds: 1000 };
      },
    });
    expect(done).toBe(300);
    // Twenty at once would need 75 s.
    expect(makespan).toBeLessThan(100_000);
    expect(mostTries).toBeLessThan(6);
    expect(limit).toBeLessThanOrEqual(21);
  });

  it('[MOD-9] finds the capacity of a batch server in seconds after it was too much for it at the start', async () => {
    const reached: number[] = [];
    let busy = 0;
    const { done, makespan } = await play({
      episodes: 128,
      steps: 60,
      start: 1024,
      async serve(_, { sleep, clock }) {
        // Loading takes three seconds; from then on any batch takes one.
        if (clock.now() < 3000 && busy >= 10) {
          await sleep(20);
          return { kind: 'busy' };
        }
        busy++;
        await sleep(1000);
        busy--;
        if (busy >= 120) reached.push(clock.now());
        return { kind: 'fine', milliseconds: 1000 };
      },
    });
    expect(done).toBe(128);
    expect(reached[0]).toBeLessThan(15_000);
    // 60 s are the least.
    expect(makespan).toBeLessThan(75_000);
  });

  it('[MOD-9] keeps requests out of the queue of a server, as nothing comes sooner for it', async () => {
    let free = 0;
    const { makespan, limit } = await play({
      episodes: 400,
      steps: 4,
      start: 1024,
      async serve(_, { sleep, clock }) {
        free = Math.max(free, clock.now()) + 250;
        const milliseconds = free - clock.now();
        await sleep(milliseconds);
        return { kind: 'fine', milliseconds };
      },
    });
    expect(makespan).toBe(400 * 4 * 250);
    expect(limit).toBeLessThanOrEqual(200);
  });

  it('[MOD-9] lets a server be that is slow by itself, after one trial', async () => {
    const delay = (episode: number, step: number): number =>
      40_000 + 20_000 * createRandom(`${episode}/${step}`).next();
    const best = longest({ episodes: 400, steps: 20, delay });
    const limits: number[] = [];
    const { makespan, limit } = await play({
      episodes: 400,
      steps: 20,
      start: 1024,
      async serve({ episode, step }, { sleep }) {
        const milliseconds = delay(episode, step);
        await sleep(milliseconds);
        return { kind: 'fine', milliseconds };
      },
      watch: throttle => limits.push(throttle.counts().limit),
    });
    expect(Math.min(...limits)).toBe(200);
    expect(limit).toBeGreaterThanOrEqual(400);
    expect(makespan / best).toBeLessThan(1.1);
  });

  it('[MOD-9] lets in by the order of coming, who comes again before who comes first', async () => {
    const { throttle } = open(1);
    const order: string[] = [];
    const enter = async (name: string, isAgain = false): Promise<Permit> => {
      const permit = await throttle.enter({ isAgain });
      order.push(name);
      return permit;
    };
    const first = await enter('a');
    const others = [enter('b'), enter('c'), enter('d', true)];
    expect(throttle.counts()).toEqual({ limit: 1, inFlight: 1, waiting: 3 });
    first.leave({ kind: 'other' });
    // Left twice makes no second place.
    first.leave({ kind: 'other' });
    await Promise.all(others.map(async other => (await other).leave({ kind: 'other' })));
    expect(order).toEqual(['a', 'd', 'b', 'c']);
    expect(throttle.counts()).toEqual({ limit: 1, inFlight: 0, waiting: 0 });
  });

  it('[MOD-9] cuts once for all that was sent before the cut', async () => {
    const { throttle } = open(64);
    const permits = await Promise.all(Array.from({ length: 64 }, () => throttle.enter()));
    for (const permit of permits) permit.leave({ kind: 'busy' });
    expect(throttle.counts().limit).toBe(32);
    (await throttle.enter()).leave({ kind: 'busy' });
    expect(throttle.counts().limit).toBe(1);
  });

  it('[MOD-8] turns away who is aborted while waiting, and everybody when it is closed', async () => {
    const { throttle } = open(1);
    const held = await throttle.enter();
    const controller = new AbortController();
    const aborted = throttle.enter({ signal: controller.signal }).catch((reason: unknown) => reason);
    const closed = throttle.enter().catch((reason: unknown) => reason);
    controller.abort('enough');
    expect(await aborted).toBe('enough');
    const reason = new Error('Closed.');
    throttle.close(reason);
    expect(await closed).toBe(reason);
    await expect(throttle.enter()).rejects.toBe(reason);
    held.leave({ kind: 'other' });
    expect(throttle.counts()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  it('[MOD-5] lets nobody in while the server wants to be left alone', async () => {
    const { throttle, simulation } = open(8);
    throttle.hold(5000);
    throttle.hold(1000);
    let at: number | null = null;
    void throttle.enter().then(() => (at = simulation.clock.now()));
    await simulation.run();
    expect(at).toBe(5000);
  });
});

function open(start: number) {
  const simulation = createSimulation();
  return { simulation, throttle: createThrottle({ ...simulation, start, most: 1024, patience: 30_000 }) };
}

/** The time that the longest episode takes when nobody waits for anybody. */
function longest({ episodes, steps, delay }: { episodes: number; steps: number; delay: typeof heavyTail }): number {
  const sums = Array.from({ length: episodes }, (_, episode) =>
    Array.from({ length: steps }, (__, step) => delay(episode, step)).reduce((sum, each) => sum + each, 0),
  );
  return Math.max(...sums);
}
