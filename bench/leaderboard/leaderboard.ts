import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBoard } from '../../src/analysis/leaderboard/make-board.ts';
import { validityOf, type Validity } from '../../src/analysis/leaderboard/validity/validity.ts';
import { readGridConfig } from '../../src/runs/leaderboard/grid-config.ts';
import { readGrid } from '../../src/runs/leaderboard/read-grid.ts';
import { runGrid } from '../../src/runs/leaderboard/run-grid.ts';
import { writeBoard } from '../../src/runs/leaderboard/write-board.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { figure, type Bench } from '../measure.ts';

const repetitions = 3;

/** A grid of 5 × 4 × 3: how long its analysis takes, and how few templates rank the same on other seeds. */
export const leaderboardBench: Bench = {
  group: 'leaderboard',
  onDemand: true,
  figures: ['grid.analyse', 'subset.tau', 'subset.share'],
  async *run({ keep }, { progress, line }) {
    const config = readGridConfig(join(import.meta.dirname, 'grid.yaml'));
    // With --keep a grid that was stopped goes on.
    const folder = keep ?? mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    try {
      const onCell = (_: unknown, place: number, of: number): void => progress(`cell ${place + 1} of ${of}`);
      await runGrid({ config, folder, host: createSystemHost(), onCell });
      const seconds: number[] = [];
      let validity: Validity | null = null;
      for (let round = 0; round < repetitions; round++) {
        const start = performance.now();
        const grid = await readGrid(folder, config);
        const board = makeBoard(grid);
        validity = validityOf(grid);
        writeBoard(folder, { board, grid, validity }, 'bench');
        seconds.push((performance.now() - start) / 1000);
        if (round === 0) line(`${board.episodes} episodes in ${grid.cells.length} cells`);
      }
      yield figure('grid.analyse', 's', seconds);
      const subsets = validity?.subsets;
      if (subsets === null || subsets === undefined) return;
      const { quarter, smallest } = subsets;
      line(
        `a quarter: ${quarter.templates.length} of ${quarter.of} templates, by chance ${quarter.byChance.toFixed(3)}`,
      );
      yield figure('subset.tau', 'ratio', [quarter.kendall ?? 0]);
      if (smallest !== null) yield figure('subset.share', 'share', [smallest.templates.length / smallest.of]);
    } finally {
      if (keep === undefined) rmSync(folder, { recursive: true });
    }
  },
};
