import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotateEpisodes } from '../../src/analysis/signals/annotate-episodes.ts';
import { signals } from '../../src/analysis/signals/signals.ts';
import type { EpisodeEvent } from '../../src/core/episode/events.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';
import { describeStep } from '../../src/core/episode/view.ts';
import { createRandom } from '../../src/core/random.ts';
import { mail } from '../../src/envs/apps/mail/mail.ts';
import { createWorld } from '../../src/kernel/world.ts';
import { writeAnnotations } from '../../src/runs/annotations/annotations-file.ts';
import { figure, type Bench } from '../measure.ts';

const episodes = 100_000;
const steps = 10;
const trials = 8;

/** Annotates 100,000 episodes of ten steps with every signal that needs no forks, as a stream, to a file. */
export const annotateBench: Bench = {
  group: 'credit',
  onDemand: true,
  figures: ['credit.annotate-100k', 'credit.memory'],
  async *run(_options, { progress }) {
    const walks = makeWalks();
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    let most = 0;
    function* stream(): Generator<StoredEpisode> {
      for (let index = 0; index < episodes; index++) {
        if (index % 1000 === 0) {
          most = Math.max(most, process.memoryUsage().rss);
          progress(`annotating: ${index} of ${episodes} episodes …`);
        }
        const walk = walks[Math.floor(index / trials) % walks.length] as StoredEpisode;
        const seal = `${walk.head.task.seal} ${Math.floor(index / trials / walks.length)}`;
        yield { ...walk, head: { ...walk.head, key: `${walk.head.key}/${index}`, task: { ...walk.head.task, seal } } };
      }
    }
    try {
      const start = performance.now();
      const header = { format: 1, store: 'bench', signals: [], forks: false } as const;
      await writeAnnotations(
        join(folder, 'annotations.jsonl'),
        header,
        annotateEpisodes({ episodes: stream(), signals: signals.entries }),
      );
      yield figure('credit.annotate-100k', 's', [(performance.now() - start) / 1000]);
      yield figure('credit.memory', 'MiB', [Math.max(most, process.memoryUsage().rss) / 2 ** 20]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Random walks through the mail program with its own screens and texts. */
function makeWalks(): StoredEpisode[] {
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
