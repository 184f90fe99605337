import { join } from 'node:path';
import type { Board, Grid } from '../../analysis/leaderboard/board.ts';
import { entrantPage } from '../../analysis/leaderboard/site/entrant-page.ts';
import { environmentPage } from '../../analysis/leaderboard/site/environment-page.ts';
import { frontPage } from '../../analysis/leaderboard/site/front-page.ts';
import type { SiteOptions } from '../../analysis/leaderboard/site/layout.ts';
import { trialsCsv } from '../../analysis/leaderboard/trials-csv.ts';
import { writeWhole } from '../folder/folder.ts';

export interface WrittenBoard {
  /** The page to open. */
  readonly page: string;
  readonly figures: string;
  readonly trials: string;
  /** Pages of the site. */
  readonly pages: number;
}

/** Writes the board as a static site: pages that load nothing, the numbers as JSON, the trials as CSV. */
export function writeBoard(
  folder: string,
  { board, grid }: { board: Board; grid: Grid },
  version: string,
): WrittenBoard {
  const site = join(folder, 'site');
  const options: SiteOptions = { title: board.title, version, pages: [] };
  const pages = [
    frontPage(board, options, null),
    ...board.entrants.map(entrant => entrantPage(entrant, { board, grid }, options)),
    ...board.environments.map(environment => environmentPage(environment, { board, grid }, options)),
  ];
  for (const { path, text } of pages) writeWhole(join(site, path), text);
  const [figures, trials] = [join(site, 'leaderboard.json'), join(site, 'trials.csv')];
  writeWhole(figures, `${JSON.stringify(board, null, 1)}\n`);
  writeWhole(trials, trialsCsv(grid));
  return { page: join(site, 'index.html'), figures, trials, pages: pages.length };
}
