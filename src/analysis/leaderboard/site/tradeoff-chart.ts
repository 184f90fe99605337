import { percentText } from '../../estimate.ts';
import { html, type Markup } from '../../report/html.ts';
import { armClass, mark, ticksTo } from '../../report/figures/chart.ts';
import { placeLabels, type Point } from '../../report/figures/labels.ts';
import { fullText } from '../../report/words.ts';
import type { CostName, EntrantResult } from '../board.ts';
import { paretoFront } from '../pareto.ts';
import { costText, costTitles, entrantText } from './texts.ts';

const [width, height] = [760, 360];
const plot = { left: 48, right: 600, top: 14, bottom: 312 };
/** With costs this far apart, equal distances are equal factors. */
const farApart = 12;

interface Spot extends Point {
  readonly entrant: EntrantResult;
  readonly rate: number;
  readonly cost: number;
}

/** Success against cost: a point an entrant, colours by student, marks by harness, and the front as a line. */
export function tradeoffChart(entrants: readonly EntrantResult[], cost: CostName): Markup {
  const priced = entrants.filter(({ honest, costs }) => honest.rate !== null && costs[cost] > 0);
  const { x, ticks } = scaleFor(priced.map(({ costs }) => costs[cost]));
  const spots = priced.map((entrant): Spot => {
    const [rate, own] = [entrant.honest.rate as number, entrant.costs[cost]];
    return { entrant, rate, cost: own, x: x(own), y: y(rate) };
  });
  const front = paretoFront(spots);
  const students = [...new Set(entrants.map(({ student }) => student))].toSorted();
  const harnesses = [...new Set(entrants.map(({ harness }) => harness))].toSorted();
  const names = placeLabels(
    front.map(({ entrant, ...point }) => ({ text: entrantText(entrant), x: point.x + 9, y: point.y - 2 })),
    { top: plot.top, bottom: plot.bottom, right: width, lines: spots },
  );
  return html`<figure class="chart tradeoff" style="max-width:none"><figcaption>Success against ${costTitles[cost]}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Success against ${costTitles[cost]}; the numbers are in the ranking">
${[0, 0.25, 0.5, 0.75, 1].map(
  share => html`<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${y(share)}" y2="${y(share)}"/>
<text class="tick" x="${plot.left - 8}" y="${y(share) + 4}" text-anchor="end">${percentText(share)}</text>`,
)}
${ticks.map(
  tick =>
    html`<text class="tick" x="${x(tick)}" y="${plot.bottom + 18}" text-anchor="middle">${costText(cost, tick)}</text>`,
)}
<text class="axis" x="${(plot.left + plot.right) / 2}" y="${height - 6}" text-anchor="middle">${costTitles[cost]}</text>
<path class="front-line" d="${frontLine(front)}"/>
${spots.map(spot => pointOf(spot, { front, students, harnesses }))}
${front.map(
  ({ entrant }, place) =>
    html`<g class="arm ${armClass(students.indexOf(entrant.student))}">${names[place] ?? null}</g>`,
)}
</svg></figure>`;
}

interface Legend {
  readonly front: readonly Spot[];
  readonly students: readonly string[];
  readonly harnesses: readonly string[];
}

function pointOf(spot: Spot, { front, students, harnesses }: Legend): Markup {
  const { entrant } = spot;
  const { low, high } = entrant.honest;
  const text = `${entrantText(entrant)}: ${fullText(entrant.honest)}, ${costText('steps', spot.cost)}`;
  return html`<g class="arm ${armClass(students.indexOf(entrant.student))} ${front.includes(spot) ? '' : 'off'}">
<g class="point" transform="translate(${spot.x} ${spot.y})"><title>${text}</title>
<line class="line" x1="0" x2="0" y1="${y(low) - spot.y}" y2="${y(high) - spot.y}"/>${mark(harnesses.indexOf(entrant.harness))}</g></g>`;
}

/** Steps: between two entrants nothing costs less than the next one. */
function frontLine(front: readonly Spot[]): string {
  return front
    .map((spot, place) => (place === 0 ? `M${spot.x} ${spot.y}` : `H${spot.x}V${spot.y}`))
    .concat(front.length === 0 ? [] : [`H${plot.right}`])
    .join('');
}

function y(rate: number): number {
  return Math.round((plot.bottom - rate * (plot.bottom - plot.top)) * 10) / 10;
}

interface CostScale {
  x(cost: number): number;
  readonly ticks: readonly number[];
}

function scaleFor(costs: readonly number[]): CostScale {
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const place = (share: number): number =>
    Math.round((plot.left + 14 + share * (plot.right - plot.left - 28)) * 10) / 10;
  if (!(most > 0)) return { x: () => place(0.5), ticks: [] };
  if (most / least < farApart) {
    const ticks = ticksTo(most, 0);
    const end = ticks.at(-1) ?? most;
    return { x: cost => place(cost / end), ticks };
  }
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  return { x: cost => place((Math.log10(cost) - from) / (to - from)), ticks };
}
