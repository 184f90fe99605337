import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EpisodeEvent } from '../src/core/episode/events.ts';
import type { EpisodeSource, StoredEpisode } from '../src/core/episode/journal.ts';
import { describeStep } from '../src/core/episode/view.ts';
import { createRandom } from '../src/core/random.ts';
import { exportDataset } from '../src/dataset/export-dataset.ts';
import { mail } from '../src/envs/apps/mail/mail.ts';
import { createTrail } from '../src/worlds/trail.ts';
import { createWorld } from '../src/worlds/world.ts';
import { figure, type Bench } from './measure.ts';

const world = createWorld(mail);
const actor = { role: 'student', name: 'random' } as const;
const rows = 100_000;
const stepsPerEpisode = 10;
const walks = 50;
/** A busy page; those of the built-in apps have some two thousand characters. */
const screenLength = 3000;

export const exportBench: Bench = {
  group: 'export',
  figures: ['export.rows-100k'],
  async *run() {
    const source = await repeated();
    const seconds: number[] = [];
    for (let run = 0; run < 3; run++) seconds.push(exportOnce(source));
    yield figure('export.rows-100k', 's', seconds);
  },
};

function exportOnce(source: EpisodeSource): number {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
  try {
    const start = performance.now();
    // Every trajectory is kept, so that every step becomes a row.
    const { files } = exportDataset({ source, folder, formats: ['jsonl'], archive: { perBin: rows } });
    const time = (performance.now() - start) / 1000;
    const written = files.find(({ table }) => table === 'next-actions')?.rows;
    if (written !== rows) throw new Error(`${written} rows were written`);
    return time;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Some real walks, read over and over as the episodes of a long run. */
async function repeated(): Promise<EpisodeSource> {
  const recorded = await Promise.all(Array.from({ length: walks }, (_, seed) => walk(seed)));
  function* episodes(): Iterable<StoredEpisode> {
    for (let index = 0; index < rows / stepsPerEpisode; index++) {
      const { head, ...rest } = recorded[index % walks] as StoredEpisode;
      yield { head: { ...head, index, key: `collect/0/${head.task.id}/${index}` }, ...rest };
    }
  }
  return { episodes, summaries: episodes, attachment: () => null };
}

async function walk(seed: number): Promise<StoredEpisode> {
  const templates = world.templates.filter(({ split }) => split === 'train');
  const task = world.task(templates[seed % templates.length]?.id as string, seed);
  const trail = await createTrail(world, task);
  const random = createRandom(seed);
  const events: EpisodeEvent[] = [{ kind: 'open', root: trail.tree.root }];
  for (let step = 0; step < stepsPerEpisode; step++) {
    const { text } = trail.session().observe();
    const screen = text.padEnd(screenLength, text).slice(0, screenLength);
    const { action } = random.pick(
      trail
        .session()
        .candidates()
        .filter(offered => offered.action.kind !== 'finish'),
    );
    const node = await trail.step(action, actor);
    events.push({ kind: 'step', node, screen, text: describeStep(action, text) });
  }
  // What the archive lets in is what was verified: for the time it takes, any verdict will do.
  const verdict = { ...trail.session().verify(), pass: true };
  const leaf = trail.at();
  events.push({ kind: 'leaf', node: leaf, role: 'main', verdict, from: null });
  return {
    head: {
      run: 'bench',
      key: String(seed),
      index: seed,
      phase: 'collect',
      round: 0,
      trial: 0,
      task,
      student: actor.name,
      teacher: null,
      strategy: 'linear',
    },
    events,
    certificates: [],
    end: {
      outcome: 'passed',
      reason: null,
      boundary: null,
      message: null,
      leaf,
      verdict,
      certification: 'by-construction',
      counts: {
        steps: stepsPerEpisode,
        taken: stepsPerEpisode,
        reviews: 0,
        corrections: 0,
        interventions: 0,
        rollbacks: 0,
        forks: 0,
        cost: 0,
        tokens: 0,
      },
      milliseconds: 1,
    },
  };
}
