import { count } from '../../../core/text.ts';
import { estimateText, percentText } from '../../estimate.ts';
import { pointsText } from '../../report/figures/comparison.ts';
import { html, type Content, type Markup } from '../../report/html.ts';
import { keyFigureList, section, table, type Part } from '../../report/section.ts';
import { figure, fullText } from '../../report/words.ts';
import type { Board, CostName, EntrantResult } from '../board.ts';
import { drawPage, type SiteOptions, type SitePage } from './layout.ts';
import { tradeoffChart } from './tradeoff-chart.ts';
import { brokenText, costText, costTitles, entrantLink, entrantText, rateMarkup, shownCosts } from './texts.ts';

/** The ranking with what it cost, what was gamed and what broke. */
export function frontPage(board: Board, options: SiteOptions, validity: Part | null): SitePage {
  return drawPage(
    {
      path: 'index.html',
      title: board.title,
      verdict: verdictOf(board),
      lead: keyFigures(board),
      parts: [
        rankingPart(board),
        tradeoffPart(board),
        environmentsPart(board),
        validity,
        flagsPart(board),
        methodPart(board),
      ],
    },
    options,
  );
}

function verdictOf({ entrants, episodes, planned }: Board): string {
  const [first, second] = entrants;
  if (first === undefined || first.honest.rate === null) return 'No entrant has a verdict yet.';
  const part = episodes < planned ? ` So far: ${figure(episodes)} of ${figure(planned)} episodes.` : '';
  const alone = `${entrantText(first)} leads with ${estimateText(first.honest)}.`;
  if (second === undefined) return `${alone}${part}`;
  const tied = entrants.filter(({ ranks }) => ranks.low <= 1).length;
  const sure =
    tied > 1
      ? `These tasks leave open which of ${count(tied, 'entrant')} is best.`
      : 'No other entrant takes its place when tasks are drawn again.';
  return `${alone} ${sure}${part}`;
}

function keyFigures({ entrants, environments, tasks, episodes }: Board): Content {
  const gamed = entrants.reduce((sum, entrant) => sum + entrant.gamed, 0);
  const broken = entrants.reduce((sum, { honest }) => sum + honest.errored + honest.uncertified, 0);
  const money = entrants.reduce((sum, { spent }) => sum + spent.dollars, 0);
  const seconds = entrants.reduce((sum, { spent }) => sum + spent.seconds, 0);
  const price = money > 0 ? `, ${costText('dollars', money)}` : '';
  return keyFigureList([
    [figure(entrants.length), 'entrants', `in ${count(environments.length, 'environment')}`],
    [figure(tasks), 'tasks', 'the same for every entrant'],
    [figure(episodes), 'episodes', `${figure(Math.round(seconds))} s of episodes${price}`],
    [figure(gamed), 'gamed passes', 'flagged in the logs; they count as failures'],
    [figure(broken), 'broken episodes', 'no verdict that counts; in no rate'],
  ]);
}

function rankingPart(board: Board): Part {
  const { entrants, cost } = board;
  const students = studentsOf(board);
  const costs = shownCosts(entrants);
  return section({
    id: 'ranking',
    title: 'Ranking',
    finding: `By the rate of honest passes, with 95 % intervals. A rank in brackets is the range that is left when templates and tasks are drawn again, the same for all. The front is against ${costTitles[cost]}: who is not on it stands beside the points that an entrant passes more which costs no more.`,
    body: html`<div class="scroll"><table class="ranking"><caption><span>Entrants, the best first</span></caption>
<thead><tr>${['Entrant', 'Rank', 'Passed', 'Front', ...costs.map(name => costTitles[name].replace(' an episode', '')), 'Suspect', 'Broken'].map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${entrants.map(
      entrant => html`<tr><th scope="row">${entrantLink(entrant)}</th><td>${rankText(entrant)}</td>
<td>${rateMarkup(entrant, students.indexOf(entrant.student))}</td><td>${frontMarkup(board, entrant)}</td>
${costs.map(name => html`<td>${costText(name, entrant.costs[name])}</td>`)}
<td>${entrant.suspect === 0 ? '–' : entrant.suspect}</td><td>${brokenText(entrant.broken)}</td></tr>`,
    )}</tbody></table></div>`,
  });
}

function rankText({ rank, ranks: { low, high } }: EntrantResult): Markup {
  return html`${rank} <small>(${low === high ? low : `${low}–${high}`})</small>`;
}

function frontMarkup({ entrants }: Board, { dominated, honest }: EntrantResult): Content {
  if (honest.rate === null) return '–';
  if (dominated === null) return html`<span class="front">on the front</span>`;
  const other = entrants.find(({ id }) => id === dominated.by);
  return html`<small title="dominated by ${other === undefined ? dominated.by : entrantText(other)}, which costs no more: points more on the same tasks">${pointsText(dominated.difference)}</small>`;
}

function studentsOf({ entrants }: Board): readonly string[] {
  return [...new Set(entrants.map(({ student }) => student))].toSorted();
}

function tradeoffPart({ entrants, cost }: Board): Part {
  const shown = shownCosts(entrants).filter(name => isApart(entrants, name));
  const chosen: readonly CostName[] = [cost, ...shown.filter(name => name !== cost)];
  return section({
    id: 'front',
    title: 'Success against cost',
    finding:
      'Who is above the dashed line passes more for no more. Colours are students, marks are harnesses; bars are 95 % intervals. Seconds depend on the machine and on what else ran on it.',
    body: chosen.map((name, place) =>
      place === 0
        ? tradeoffChart(entrants, name)
        : html`<details class="data"><summary>Against ${costTitles[name]}</summary>${tradeoffChart(entrants, name)}</details>`,
    ),
  });
}

function isApart(entrants: readonly EntrantResult[], name: CostName): boolean {
  return new Set(entrants.map(({ costs }) => costs[name])).size > 1;
}

function environmentsPart(board: Board): Part {
  const { entrants, environments, baselines } = board;
  const names = [...new Set(baselines.map(({ name }) => name))];
  return section({
    id: 'environments',
    title: 'By environment',
    finding: 'Honest passes in each environment. The baselines are at the foot; they are not ranked.',
    body: html`<div class="scroll"><table class="heat"><caption><span>Share of passes; the interval stands in the title of a cell</span></caption>
<thead><tr><th scope="col">Entrant</th>${environments.map(name => html`<th scope="col"><a href="environments/${pageOf(name)}.html">${name}</a></th>`)}</tr></thead>
<tbody>${entrants.map(
      entrant =>
        html`<tr><th scope="row">${entrantLink(entrant)}</th>${environments.map(environment => {
          const cell = entrant.cells.find(one => one.environment === environment);
          return heatCell(cell === undefined ? null : cell.honest);
        })}</tr>`,
    )}${names.map(
      name =>
        html`<tr><th scope="row"><em>${name}</em></th>${environments.map(environment =>
          heatCell(baselines.find(one => one.name === name && one.environment === environment)?.estimate ?? null),
        )}</tr>`,
    )}</tbody></table></div>`,
  });
}

/** A rate as a shade. */
export function heatCell(estimate: EntrantResult['honest'] | null): Markup {
  if (estimate === null || estimate.rate === null) return html`<td class="empty">–</td>`;
  return html`<td class="${estimate.rate > 0.55 ? 'deep' : ''}" style="--shade:${estimate.rate.toFixed(2)}" title="${fullText(estimate)}">${percentText(estimate.rate)}</td>`;
}

/** The name of the page of an environment. */
export function pageOf(environment: string): string {
  return environment.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

const mostFlags = 100;

function flagsPart({ flags, entrants }: Board): Part | null {
  if (flags.length === 0) return null;
  const gamed = flags.filter(({ kind }) => kind === 'gamed').length;
  const shown = [...flags].toSorted((one, other) => one.kind.localeCompare(other.kind)).slice(0, mostFlags);
  const more = flags.length - shown.length;
  return section({
    id: 'flags',
    title: 'Flagged passes',
    finding: `${count(gamed, 'pass', 'passes')} rest on an exploit and count as failures. ${flags.length - gamed} look like one and may be honest shortcuts; they count as passes. Each is one command away.`,
    body: html`<div class="tags">${table({
      caption: `What the inspection of the logs found${more === 0 ? '' : `; ${more} more in leaderboard.json`}`,
      head: ['Entrant', 'Task', '', 'Exploit', 'Look at it'],
      rows: shown.map(({ entrant, task, kind, exploit, folder, episode }) => [
        nameOf(entrants, entrant),
        task,
        kind,
        exploit,
        html`<code>espalier studio ${folder} --episode ${episode}</code>`,
      ]),
    })}</div>`,
  });
}

function nameOf(entrants: readonly EntrantResult[], id: string): string {
  const found = entrants.find(one => one.id === id);
  return found === undefined ? id : entrantText(found);
}

function methodPart({ tasks, environments }: Board): Part {
  return section({
    id: 'method',
    title: 'How it was made',
    finding: `Every entrant, a student in a harness, ran the same ${count(tasks, 'task')} of ${environments.join(', ')}, with the same seeds. Every environment weighs alike, in it every template and task. An episode that broke has no verdict: it is counted apart and in no rate. All numbers are in leaderboard.json, all trials in trials.csv.`,
    body: null,
  });
}
