import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { annotateInThreads } from '../../src/runs/annotations/annotate-in-threads.ts';
import { writeAnnotations } from '../../src/runs/annotations/annotations-file.ts';
import type { Threads } from '../../src/runs/jobs/threads.ts';
import { createSystemHost } from '../../src/system/host.ts';
import { figure, type Bench } from '../measure.ts';
import { makeWalks, walkEpisodes, type WalksJobData } from './walks.ts';

const episodes = 100_000;

/** Annotates 100,000 episodes of ten steps with every signal that needs no forks, as a stream, to a file, with all cores. */
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
      const lines = annotateInThreads({
        threads: createSystemHost().threads as Threads,
        module: new URL('./walks.ts', import.meta.url).href,
        dataFor: (part): WalksJobData => ({ walks, episodes, part }),
        heads: walkEpisodes(walks, episodes).map(({ head }) => head),
        onEpisode() {
          if (done++ % 1000 !== 0) return;
          most = Math.max(most, process.memoryUsage().rss);
          progress(`annotating: ${done} of ${episodes} episodes …`);
        },
      });
      await writeAnnotations(join(folder, 'annotations.jsonl'), header, lines);
      yield figure('credit.annotate-100k', 's', [(performance.now() - start) / 1000]);
      yield figure('credit.memory', 'MiB', [Math.max(most, process.memoryUsage().rss) / 2 ** 20]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
