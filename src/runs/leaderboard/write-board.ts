import { join } from 'node:path';
import type { Board, Grid } from '../../analysis/leaderboard/board.ts';
import { entrantPage } from '../../analysis/leaderboard/site/entrant-page.ts';
import { environmentPage } from '../../analysis/leaderboard/site/environment-page.ts';
import { frontPage } from '../../analysis/leaderboard/site/front-page.ts';
import type { SiteOptions } from '../../analysis/leaderboard/site/layout.ts';
import { validityPage, validityPart, validityPath } from '../../analysis/leaderboard/site/validity-page.ts';
import type { Validity } from '../../analysis/leaderboard/validity/validity.ts';
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

export interface AnalysedBoard {
  readonly board: Board;
  readonly grid: Grid;
  /** Null with too few entrants. */
  readonly validity: Validity | null;
}

/** Writes the board as a static site: pages that load nothing, the numbers as JSON, the trials as CSV. */
export function writeBoard(folder: string, { board, grid, validity }: AnalysedBoard, version: string): WrittenBoard {
  const site = join(folder, 'site');
  const options: SiteOptions = {
    title: board.title,
    version,
    pages: validity === null ? [] : [{ path: validityPath, name: 'Does it carry over?' }],
  };
  const pages = [
    frontPage(board, options, validity === null ? null : validityPart(validity)),
    ...(validity === null ? [] : [validityPage(validity, options)]),
    ...board.entrants.map(entrant => entrantPage(entrant, { board, grid }, options)),
    ...board.environments.map(environment => environmentPage(environment, { board, grid }, options)),
  ];
  for (const { path, text } of pages) writeWhole(join(site, path), text);
  const [figures, trials] = [join(site, 'leaderboard.json'), join(site, 'trials.csv')];
  writeWhole(figures, `${JSON.stringify({ ...board, validity }, null, 1)}\n`);
  writeWhole(trials, trialsCsv(grid));
  return { page: join(site, 'index.html'), figures, trials, pages: pages.length };
}
