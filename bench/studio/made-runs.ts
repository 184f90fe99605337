import { join } from 'node:path';
import type { EpisodeEnd, EpisodeEvent, EpisodeHead } from '../../src/core/episode/events.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Task } from '../../src/core/records.ts';
import { mail } from '../../src/envs/apps/mail/mail.ts';
import { createWorld } from '../../src/worlds/world.ts';
import { openStore, type Store } from '../../src/store/store.ts';

/** Runs of any size, to measure how the studio shows them. */

const world = createWorld(mail);
const actor = { role: 'student', name: 'random' } as const;
const outcomes = ['passed', 'failed', 'failed', 'discarded'] as const;
const kinds = 400;

/** A run with so many episodes of two steps. */
export function writeManyEpisodes(folder: string, count: number): void {
  const store = openStore({ path: join(folder, 'store.db') });
  const tasks = Array.from({ length: kinds }, (_, seed) =>
    world.task(world.templates[seed % world.templates.length]?.id as string, seed + 1),
  );
  for (let index = 0; index < count; index++) {
    const task = tasks[index % kinds] as Task;
    writeEpisode(store, headOf(task, index), { steps: 2, branch: 0 });
  }
  store.close();
}

/** A run with one episode of so many steps: a long path, with a branch of three at every fourth step. */
export function writeLargeEpisode(folder: string, steps: number): void {
  const store = openStore({ path: join(folder, 'store.db') });
  const task = world.task(world.templates[0]?.id as string, 1);
  writeEpisode(store, headOf(task, 0), { steps, branch: 3 });
  store.close();
}

function headOf(task: Task, index: number): EpisodeHead {
  const agents = { student: 'random', teacher: null, strategy: 'linear' };
  const key = `collect/1/${task.id}/${index}`;
  return { run: 'bench', key, index, phase: 'collect', round: 1, trial: index, task, ...agents };
}

interface Shape {
  readonly steps: number;
  /** Steps of each branch that is left behind; 0 for none. */
  readonly branch: number;
}

function writeEpisode(store: Store, head: EpisodeHead, { steps, branch }: Shape): void {
  const log = store.begin(head);
  log.append({ kind: 'open', root: 'digest 0' });
  let [path, at] = [0, 0];
  for (let id = 1; id <= steps; id++) {
    const isBeside = branch > 0 && id % (branch + 4) > 3;
    const parent = isBeside && id % (branch + 4) > 4 ? at : path;
    log.append(stepOf(id, parent));
    at = id;
    if (!isBeside) path = id;
  }
  log.end(endOf(head.index, path, steps));
}

const random = createRandom('studio');
const screens = Array.from({ length: 50 }, (_, number) => `page "Mail"\n  heading "Screen ${number}"`);

function stepOf(id: number, parent: number): EpisodeEvent {
  const [before, after] = [`digest ${parent}`, `digest ${id}`];
  const action = { kind: 'click', ref: `e${1 + (id % 40)}` } as const;
  return {
    kind: 'step',
    node: { id, parent, actor, action, outcome: { applied: true }, before, after },
    screen: random.pick(screens),
    text: `click button "Star" in "Lunch on Friday ${id}"`,
  };
}

function endOf(index: number, leaf: number, taken: number): EpisodeEnd {
  const none = { reviews: 0, corrections: 0, interventions: 0, rollbacks: 0, forks: 0, tokens: index };
  return {
    outcome: outcomes[index % outcomes.length] as EpisodeEnd['outcome'],
    reason: index % 4 === 3 ? 'out of interventions' : null,
    boundary: null,
    message: null,
    leaf,
    verdict: null,
    certification: 'by-construction',
    counts: { steps: leaf, taken, ...none, cost: index % 100 },
    milliseconds: index % 1000,
  };
}
