import { estimateText } from '../../estimate.ts';
import { html } from '../../report/html.ts';
import { section, table, type Part } from '../../report/section.ts';
import { wilson } from '../../stats.ts';
import { strip } from '../../report/figures/strip.ts';
import type { Board, BoardTrial, EntrantResult, Grid } from '../board.ts';
import { asHonest } from '../make-board.ts';
import { drawPage, type SiteOptions, type SitePage } from './layout.ts';
import { brokenText, costText, costTitles, entrantText, rateMarkup, shownCosts } from './texts.ts';

/** One entrant: its cells, its templates, and the runs behind them. */
export function entrantPage(entrant: EntrantResult, { board, grid }: BoardAndGrid, options: SiteOptions): SitePage {
  const trials = grid.cells.filter(cell => cell.entrant === entrant.id).flatMap(cell => cell.trials);
  return drawPage(
    {
      path: `entrants/${entrant.id}.html`,
      title: entrantText(entrant),
      verdict: `Rank ${entrant.rank} of ${board.entrants.length} (${entrant.ranks.low} to ${entrant.ranks.high} when tasks are drawn again): ${estimateText(entrant.honest)} passed honestly.`,
      parts: [cellsPart(entrant), templatesPart(trials), brokenPart(trials)],
    },
    options,
  );
}

export interface BoardAndGrid {
  readonly board: Board;
  readonly grid: Grid;
}

function cellsPart(entrant: EntrantResult): Part {
  const costs = shownCosts(entrant.cells);
  return section({
    id: 'cells',
    title: 'By environment',
    finding: 'Each line is an ordinary run: the command opens it.',
    body: html`<div class="tags">${table({
      caption: 'Cells of the grid',
      head: ['Environment', 'Passed', ...costs.map(name => costTitles[name]), 'Broken', 'Episodes', 'Open'],
      rows: entrant.cells.map(cell => [
        cell.environment,
        rateMarkup(cell, 0),
        ...costs.map(name => costText(name, cell.costs[name])),
        brokenText(cell.broken),
        cell.episodes === cell.planned ? cell.episodes : `${cell.episodes} of ${cell.planned}`,
        html`<code>espalier studio ${cell.folder}</code>`,
      ]),
    })}</div>`,
  });
}

function templatesPart(trials: readonly BoardTrial[]): Part | null {
  const groups = [...Map.groupBy(trials, ({ app, template }) => `${app}/${template}`)].toSorted();
  if (groups.length === 0) return null;
  return section({
    id: 'templates',
    title: 'By template',
    finding: 'Honest passes with 95 % Wilson intervals.',
    body: html`<div class="strips">${table({
      caption: 'Templates',
      head: ['Template', 'Passed', 'Episodes with a verdict', 'Gamed'],
      rows: groups.map(([name, own]) => {
        const judged = own.filter(({ passed }) => passed !== null);
        const passed = judged.filter(trial => asHonest(trial).passed === true).length;
        return [
          name,
          judged.length === 0
            ? '–'
            : strip({ rate: passed / judged.length, interval: wilson(passed, judged.length), index: 0 }),
          judged.length,
          own.filter(({ gamed }) => gamed !== null).length,
        ];
      }),
    })}</div>`,
  });
}

function brokenPart(trials: readonly BoardTrial[]): Part | null {
  const broken = trials.filter(({ broke }) => broke !== null);
  if (broken.length === 0) return null;
  const groups = [...Map.groupBy(broken, ({ broke, error = '' }) => JSON.stringify([broke, error.slice(0, 200)]))];
  return section({
    id: 'broken',
    title: 'What broke',
    finding:
      'Episodes that ended with an error have no verdict. They are in no rate, and run again when they are deleted.',
    body: html`<div class="tags">${table({
      caption: 'Errors, the most frequent first',
      head: ['Side', 'Message', 'Episodes'],
      rows: groups
        .toSorted(([, one], [, other]) => other.length - one.length)
        .map(([, own]) => [own[0]?.broke ?? '', own[0]?.error ?? '', own.length]),
    })}</div>`,
  });
}
