import type { EpisodeHead, EpisodeEvent } from '../../src/core/episode/events.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';
import { describeStep } from '../../src/core/episode/view.ts';
import { createRandom } from '../../src/core/random.ts';
import { mail } from '../../src/envs/apps/mail/mail.ts';
import { createWorld } from '../../src/worlds/world.ts';

const steps = 10;
const trials = 8;

/** Episodes made from the walks, eight of each task. */
export function walkEpisodes(walks: readonly StoredEpisode[], episodes: number): IteratorObject<StoredEpisode> {
  return indices(episodes).map(index => {
    const walk = walks[Math.floor(index / trials) % walks.length] as StoredEpisode;
    const seal = `${walk.head.task.seal} ${Math.floor(index / trials / walks.length)}`;
    const head: EpisodeHead = { ...walk.head, key: `${walk.head.key}/${index}`, task: { ...walk.head.task, seal } };
    return { ...walk, head };
  });
}

function* indices(count: number): Generator<number> {
  for (let index = 0; index < count; index++) yield index;
}

/** Random walks through the mail program with its own screens and texts. */
export function makeWalks(): StoredEpisode[] {
  const world = createWorld(mail);
  const random = createRandom('annotate');
  return Array.from({ length: 400 }, (_, seed) => {
    const task = world.task(world.templates[seed % 12]?.id as string, seed);
    const session = world.open(task);
    const events: EpisodeEvent[] = [{ kind: 'open', root: session.digest() }];
    for (let id = 1; id <= steps; id++) {
      const { text: screen } = session.observe();
      const { action } = random.pick(session.candidates());
      const before = session.digest();
      const outcome = session.step(action);
      const actor = { role: 'student', name: 'random' } as const;
      const node = { id, parent: id - 1, actor, action, outcome, before, after: session.digest() };
      events.push({ kind: 'step', node, screen, text: describeStep(action, screen, outcome.problem?.message) });
    }
    const verdict = session.verify();
    const none = { reviews: 0, corrections: 0, interventions: 0, rollbacks: 0, forks: 0, cost: 0, tokens: 0 };
    return {
      head: {
        run: 'bench',
        key: `collect/0/${task.id}`,
        index: seed,
        phase: 'collect',
        round: 0,
        trial: 0,
        task,
        student: 'random',
        teacher: null,
        strategy: 'linear',
      },
      events,
      end: {
        outcome: 'failed',
        reason: null,
        boundary: null,
        message: null,
        leaf: steps,
        // Every third passes, so that comparisons have something to compare.
        verdict: seed % 3 === 0 ? { ...verdict, pass: true } : verdict,
        certification: 'by-construction',
        counts: { ...none, steps, taken: steps },
        milliseconds: 1,
      },
      certificates: [],
    };
  });
}
