import type { Action } from '../src/core/action.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import type { Trail } from '../src/core/episode/trail.ts';
import { createTrail } from '../src/worlds/trail.ts';
import { createWorld } from '../src/worlds/world.ts';
import type { Environment, Session } from '../src/core/contracts.ts';
import { walkOn } from './fork.ts';
import { asyncTimings, figure, type Bench } from './measure.ts';

const world = createWorld(mail);
const depths = [5, 10, 20, 50, 100];
const actor = { role: 'student', name: 'random' } as const;

/** The same world without snapshots: what is left is to open it again and repeat every step. */
const replayed: Environment = {
  ...world,
  open(task) {
    const {
      snapshot: _snapshot,
      restore: _restore,
      fork: _fork,
      ...plain
    }: Partial<Session> & Session = world.open(task);
    return plain;
  },
};

export const rollbackBench: Bench = {
  group: 'rollback',
  figures: depths.flatMap(depth => [`rollback@${depth}`, `replay@${depth}`]),
  async *run() {
    for (const depth of depths) {
      for (const [name, environment] of [
        ['rollback', world],
        ['replay', replayed],
      ] as const) {
        const { trail, ends } = await twoEnds(environment, depth);
        let turn = 0;
        const values = await asyncTimings(() => trail.rollback(ends[turn++ % 2] as number));
        yield figure(`${name}@${depth}`, 'ms', values);
      }
    }
  },
};

/** An episode with two leaves at this depth, so that going from one to the other is a rollback each time. */
async function twoEnds(environment: Environment, depth: number): Promise<{ trail: Trail; ends: number[] }> {
  const task = await environment.task(world.templates[0]?.id as string, 1);
  const path: Action[] = [];
  walkOn(world.open(task), depth, path);
  const trail = await createTrail(environment, task);
  for (const action of path) await trail.step(action, actor);
  const first = trail.at();
  await trail.rollback(depth - 1);
  await trail.step(path[0] as Action, actor);
  return { trail, ends: [first, trail.at()] };
}
