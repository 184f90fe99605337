import type { Action } from '../src/core/action.ts';
import type { StateSession } from '../src/core/contracts.ts';
import { createRandom } from '../src/core/random.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { createWorld } from '../src/worlds/world.ts';
import { figure, timings, type Bench } from './measure.ts';

const world = createWorld(mail);

export const forkBench: Bench = {
  group: 'fork',
  figures: ['fork@1', 'fork@1000', 'restore@1', 'restore@1000'],
  async *run() {
    for (const depth of [1, 1000]) {
      const session = walked(depth);
      const micros = timings(() => void session.fork()).map(value => value * 1e6);
      yield figure(`fork@${depth}`, 'µs', micros);
    }
    for (const depth of [1, 1000]) {
      const session = walked(depth);
      const [here, there] = [session.snapshot(), walkOn(session, 1).snapshot()];
      const micros = timings(index => session.restore(index % 2 === 0 ? here : there)).map(value => value * 1e6);
      yield figure(`restore@${depth}`, 'µs', micros);
    }
  },
};

function walked(depth: number): StateSession {
  return walkOn(world.open(world.task(world.templates[0]?.id as string, 1)), depth);
}

/** Random actions that are applied, so that the state is really that many steps away. */
export function walkOn(session: StateSession, steps: number, path: Action[] = []): StateSession {
  const random = createRandom('walk');
  for (let taken = 0; taken < steps; ) {
    const { action } = random.pick(session.candidates());
    const before = session.state();
    session.step(action);
    if (session.state() === before) continue;
    path.push(action);
    taken++;
  }
  return session;
}
