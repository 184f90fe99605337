import { html } from '../../report/html.ts';
import { section, type Part } from '../../report/section.ts';
import { wilson } from '../../stats.ts';
import type { Board, BoardTrial, EntrantResult } from '../board.ts';
import { asHonest } from '../make-board.ts';
import type { BoardAndGrid } from './entrant-page.ts';
import { heatCell, pageOf } from './front-page.ts';
import { drawPage, type SiteOptions, type SitePage } from './layout.ts';
import { entrantLink, entrantText, rateMarkup } from './texts.ts';

/** One environment: the entrants by their rate there, and every template. */
export function environmentPage(name: string, { board, grid }: BoardAndGrid, options: SiteOptions): SitePage {
  const trials = new Map(
    grid.cells.filter(({ environment }) => environment === name).map(cell => [cell.entrant, cell.trials]),
  );
  const order = ordered(board, name);
  const [best] = order;
  return drawPage(
    {
      path: `environments/${pageOf(name)}.html`,
      title: name,
      verdict: best === undefined ? 'Nothing has run here yet.' : `${entrantText(best)} passes most here.`,
      parts: [ratesPart(order, name), templatesPart(order, trials)],
    },
    options,
  );
}

function ordered({ entrants }: Board, environment: string): readonly EntrantResult[] {
  const rate = (entrant: EntrantResult): number =>
    entrant.cells.find(cell => cell.environment === environment)?.honest.rate ?? -1;
  return entrants.filter(entrant => rate(entrant) >= 0).toSorted((one, other) => rate(other) - rate(one));
}

function ratesPart(entrants: readonly EntrantResult[], environment: string): Part {
  return section({
    id: 'rates',
    title: 'Entrants',
    finding: 'Honest passes with 95 % intervals.',
    body: html`<div class="scroll"><table class="ranking"><caption><span>The best first</span></caption>
<thead><tr><th scope="col">Entrant</th><th scope="col">Passed</th><th scope="col">Overall rank</th></tr></thead>
<tbody>${entrants.map(entrant => {
      const cell = entrant.cells.find(one => one.environment === environment);
      return html`<tr><th scope="row">${entrantLink(entrant, '../')}</th><td>${cell === undefined ? '–' : rateMarkup(cell, 0)}</td><td>${entrant.rank}</td></tr>`;
    })}</tbody></table></div>`,
  });
}

function templatesPart(
  entrants: readonly EntrantResult[],
  trials: ReadonlyMap<string, readonly BoardTrial[]>,
): Part | null {
  const templates = [...new Set([...trials.values()].flat().map(({ template }) => template))].toSorted();
  if (templates.length === 0) return null;
  return section({
    id: 'templates',
    title: 'Templates',
    finding: 'A line that is all dark or all light does not tell entrants apart.',
    body: html`<div class="scroll"><table class="heat"><caption><span>Share of honest passes; the interval stands in the title of a cell</span></caption>
<thead><tr><th scope="col">Template</th>${entrants.map(entrant => html`<th scope="col">${entrantLink(entrant, '../')}</th>`)}</tr></thead>
<tbody>${templates.map(
      template =>
        html`<tr><th scope="row">${template}</th>${entrants.map(({ id }) => templateCell((trials.get(id) ?? []).filter(trial => trial.template === template)))}</tr>`,
    )}</tbody></table></div>`,
  });
}

function templateCell(trials: readonly BoardTrial[]) {
  const judged = trials.filter(({ passed }) => passed !== null);
  if (judged.length === 0) return heatCell(null);
  const passed = judged.filter(trial => asHonest(trial).passed === true).length;
  const rate = passed / judged.length;
  const errored = trials.length - judged.length;
  return heatCell({
    rate,
    ...wilson(passed, judged.length),
    passed,
    n: judged.length,
    errored,
    uncertified: 0,
    raw: rate,
  });
}
