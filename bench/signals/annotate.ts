import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signals } from '../../src/analysis/signals/signals.ts';
import type { StoredEpisode } from '../../src/core/episode/journal.ts';
import { writtenLines } from '../../src/runs/annotations/annotate.ts';
import { writeAnnotations } from '../../src/runs/annotations/annotations-file.ts';
import { figure, type Bench } from '../measure.ts';
import { makeWalks, walkEpisodes } from './walks.ts';

const episodes = 100_000;

/** Annotates 100,000 episodes of ten steps with every signal that needs no forks, as a stream, to a file. */
export const annotateBench: Bench = {
  group: 'credit',
  onDemand: true,
  figures: ['credit.annotate-100k', 'credit.memory'],
  async *run(_options, { progress }) {
    const walks = makeWalks();
    const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    let [most, done] = [0, 0];
    try {
      const start = performance.now();
      const header = { format: 1, store: 'bench', signals: [], forks: false } as const;
      const onEpisode = (stored: StoredEpisode): StoredEpisode => {
        if (done++ % 1000 === 0) {
          most = Math.max(most, process.memoryUsage().rss);
          progress(`annotating: ${done} of ${episodes} episodes …`);
        }
        return stored;
      };
      const lines = writtenLines({
        episodes: walkEpisodes(walks, episodes).map(onEpisode),
        signals: signals.entries,
      });
      await writeAnnotations(join(folder, 'annotations.jsonl'), header, lines);
      yield figure('credit.annotate-100k', 's', [(performance.now() - start) / 1000]);
      yield figure('credit.memory', 'MiB', [Math.max(most, process.memoryUsage().rss) / 2 ** 20]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
