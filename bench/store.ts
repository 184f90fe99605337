import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EpisodeEnd, EpisodeEvent } from '../src/core/episode/events.ts';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { createRandom } from '../src/core/random.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { createWorld } from '../src/worlds/world.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { figure, type Bench, type Figure } from './measure.ts';

const world = createWorld(mail);
const random = createRandom('store');
const actor = { role: 'student', name: 'random' } as const;
const stepsAnEpisode = 10;
const screenLength = 3000;

export const storeBench: Bench = {
  group: 'store',
  figures: ['resume.50k', 'journal.steps'],
  async *run() {
    yield inFolder(resume);
    yield inFolder(journalSteps);
  },
};

function inFolder(measure: (path: string) => Figure): Figure {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
  try {
    return measure(join(folder, 'episodes.db'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens a store of 50,000 episodes for writing and asks what is done. */
function resume(path: string): Figure {
  const episodes = 50_000;
  const walks = makeWalks(2);
  const filled = openStore({ path });
  for (let index = 0; index < episodes; index++) write(filled, walks[index % walks.length] as Walk, index);
  filled.close();
  const values: number[] = [];
  for (let run = 0; run < 5; run++) {
    const start = performance.now();
    const store = openStore({ path });
    const done = store.done('bench');
    values.push((performance.now() - start) / 1000);
    store.close();
    if (done.size !== episodes) throw new Error(`only ${done.size} episodes are done`);
  }
  return figure('resume.50k', 's', values);
}

/** Steps a second with screens of 3 KB, each of them new, committed with every episode of ten. */
function journalSteps(path: string): Figure {
  const episodes = 500;
  const walks = makeWalks(stepsAnEpisode);
  const store = openStore({ path });
  const values: number[] = [];
  for (let run = -1; run < 7; run++) {
    const start = performance.now();
    for (let episode = 0; episode < episodes; episode++) {
      const index = (run + 1) * episodes + episode;
      write(store, renamed(walks[index % walks.length] as Walk, index), index);
    }
    store.flush();
    // The first run warms up.
    if (run >= 0) values.push((episodes * stepsAnEpisode * 1000) / (performance.now() - start));
  }
  store.close();
  return figure('journal.steps', '1/s', values);
}

type Walk = Pick<StoredEpisode, 'events' | 'end'> & { readonly task: StoredEpisode['head']['task'] };

/** Random walks through the mail program, with its own screens brought to the length measured here. */
function makeWalks(steps: number): Walk[] {
  return Array.from({ length: 200 }, (_, seed) => {
    const task = world.task(world.templates[seed % world.templates.length]?.id as string, seed);
    const session = world.open(task);
    const events: EpisodeEvent[] = [{ kind: 'open', root: session.digest() }];
    for (let id = 1; id <= steps; id++) {
      const { text } = session.observe();
      const { action } = random.pick(session.candidates());
      const before = session.digest();
      const outcome = session.step(action);
      const node = { id, parent: id - 1, actor, action, outcome, before, after: session.digest() };
      const screen = `${text}\n${text}`.slice(0, screenLength);
      events.push({ kind: 'step', node, screen, text: 'click button "Star" in "Lunch on Friday"' });
    }
    const verdict = session.verify();
    return { task, events, end: { ...end, leaf: steps, verdict, outcome: verdict.pass ? 'passed' : 'failed' } };
  });
}

const none = { reviews: 0, corrections: 0, interventions: 0, rollbacks: 0, forks: 0, cost: 0, tokens: 0 };
const end: Omit<EpisodeEnd, 'leaf' | 'verdict' | 'outcome'> = {
  reason: null,
  boundary: null,
  message: null,
  certification: 'by-construction',
  counts: { steps: stepsAnEpisode, taken: stepsAnEpisode, ...none },
  milliseconds: 1,
};

/** The same walk with screens that the store has not seen. */
function renamed(walk: Walk, index: number): Walk {
  const events = walk.events.map(event =>
    event.kind === 'step' ? { ...event, screen: `page ${index}\n${event.screen}` } : event,
  );
  return { ...walk, events };
}

function write(store: Store, { task, events, end: ending }: Walk, index: number): void {
  const agents = { student: 'random', teacher: null, strategy: 'linear' };
  const key = `collect/0/${task.id}/${index}`;
  const log = store.begin({ run: 'bench', key, index, phase: 'collect', round: 0, trial: index, task, ...agents });
  for (const event of events) log.append(event);
  log.end(ending);
}
