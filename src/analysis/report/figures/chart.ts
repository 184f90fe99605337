import type { Estimate } from '../../estimate.ts';
import { percentText } from '../../estimate.ts';
import { html, type Markup } from '../html.ts';
import { placeLabels, type Label, type Point } from './labels.ts';
import { figure, fullText } from '../words.ts';

export interface ChartPoint {
  readonly x: number;
  readonly estimate: Estimate & { readonly rate: number };
  /** Where the point lies, in words. */
  readonly at: string;
}

export interface Series {
  readonly label: string;
  /** Decides on colour and mark: the same in every figure. */
  readonly index: number;
  readonly points: readonly ChartPoint[];
}

export interface Chart {
  readonly title: string;
  readonly axis: string;
  readonly ticks: readonly number[];
  /** What stands under a tick; the number itself when left out. */
  tickText?(tick: number): string;
  readonly series: readonly Series[];
  /** Levels to compare with. */
  readonly rules: readonly Rule[];
  /** For three beside each other: narrower, so that its text stays readable. */
  readonly isNarrow?: boolean;
}

/** A rate to compare with; a rule without a label is drawn alone. */
interface Rule {
  readonly label: string;
  readonly rate: number;
}

const height = 300;
const plot = { left: 46, top: 12, bottom: 258 };
const frames = { wide: { width: 500, right: 362 }, narrow: { width: 392, right: 246 } };
const shares = [0, 0.25, 0.5, 0.75, 1];

/** Success rates as lines with interval bands, each line named where it ends. */
export function drawChart({ title, axis, ticks, tickText = figure, series, rules, isNarrow = false }: Chart): Markup {
  const { width, right } = isNarrow ? frames.narrow : frames.wide;
  const x = scaleOf({ ticks, isNarrow });
  const lines = series
    .filter(({ points }) => points.length > 0)
    .map(line => ({ ...line, spots: line.points.map(point => ({ x: x(point.x), y: y(point.estimate.rate) })) }));
  const ends = [
    ...lines.map(({ label, spots }) => labelAt(label, spots.at(-1) as Point, lines.length > mostInside ? right : null)),
    ...rules.map(({ label, rate }) => ({ text: label, x: right + 10, y: y(rate) })),
  ];
  const room = {
    top: plot.top,
    bottom: plot.bottom,
    right: width,
    lines: lines.flatMap(({ spots }) => between(spots)),
  };
  const names = placeLabels(ends, room);
  return html`<figure class="chart"><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: success rates; the numbers are in the table of this report">
${scales({ axis, ticks, labels: ticks.map(tick => tickText(tick)), right }, x)}
${rules.map(
  ({ label, rate }, index) => html`<g class="rule"><title>${label}: ${percentText(rate)}</title>
<line x1="${plot.left}" x2="${right}" y1="${y(rate)}" y2="${y(rate)}"/>${names[lines.length + index] ?? null}</g>`,
)}
${lines.map(line => drawSeries(line, x)).toReversed()}
${lines.map(({ index }, place) => html`<g class="arm ${armClass(index)}">${names[place] ?? null}</g>`)}
</svg></figure>`;
}

/** With more lines than this, names inside of the plot would cover them. */
const mostInside = 4;

/** The name of a line, at its end or in a column beside the plot. */
function labelAt(text: string, end: Point, column: number | null): Label {
  if (column === null || end.x + 4 >= column) return { text, x: end.x + 10, y: end.y };
  return { text, x: column + 2, y: end.y, end: { x: end.x + 4, y: end.y } };
}

/** Where a value lies across, in units of the drawing. */
function scaleOf({ ticks, isNarrow = false }: Pick<Chart, 'ticks' | 'isNarrow'>): (value: number) => number {
  const { right } = isNarrow ? frames.narrow : frames.wide;
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  return value => round(plot.left + ((value - low) / (high - low || 1)) * (right - plot.left));
}

/** A point of a chart with what it says, for whoever lays something over the drawing. */
export interface ChartSpot {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** The points of all lines, in units of the drawing. */
export function chartSpots(chart: Chart): readonly ChartSpot[] {
  const x = scaleOf(chart);
  return chart.series.flatMap(({ label, points }) =>
    points.map(point => ({ x: x(point.x), y: y(point.estimate.rate), text: pointText(label, point) })),
  );
}

export const chartHeight = height;

function pointText(label: string, { at, estimate }: ChartPoint): string {
  return `${label}, ${at}: ${fullText(estimate)}`;
}

interface Scale {
  readonly axis: string;
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
  /** Where the plot ends. */
  readonly right: number;
}

function scales({ axis, ticks, labels, right }: Scale, x: (value: number) => number): Markup {
  return html`${shares.map(
    share => html`<line class="grid" x1="${plot.left}" x2="${right}" y1="${y(share)}" y2="${y(share)}"/>
<text class="tick" x="${plot.left - 8}" y="${y(share) + 4}" text-anchor="end">${percentText(share)}</text>`,
  )}
${ticks.map(
  (tick, index) =>
    html`<text class="tick" x="${x(tick)}" y="${plot.bottom + 18}" text-anchor="middle">${labels[index] ?? ''}</text>`,
)}
<text class="axis" x="${(plot.left + right) / 2}" y="${height - 6}" text-anchor="middle">${axis}</text>`;
}

/** Points all along a line. */
function between(spots: readonly Point[]): readonly Point[] {
  return spots.flatMap((spot, index) => {
    const next = spots[index + 1] ?? spot;
    return Array.from({ length: 10 }, (_, part) => ({
      x: spot.x + ((next.x - spot.x) * part) / 10,
      y: spot.y + ((next.y - spot.y) * part) / 10,
    }));
  });
}

function y(rate: number): number {
  return round(plot.bottom - rate * (plot.bottom - plot.top));
}

function drawSeries({ label, index, points }: Series, x: (value: number) => number): Markup {
  const path = (rateOf: (point: ChartPoint) => number): string[] =>
    points.map(point => `${x(point.x)},${y(rateOf(point))}`);
  const band = [...path(({ estimate }) => estimate.high), ...path(({ estimate }) => estimate.low).toReversed()];
  return html`<g class="arm ${armClass(index)}"><polygon class="band" points="${band.join(' ')}"/>
<polyline class="line" points="${path(({ estimate }) => estimate.rate).join(' ')}"/>
${points.map(
  point => html`<g class="point" transform="translate(${x(point.x)} ${y(point.estimate.rate)})">
<title>${pointText(label, point)}</title>
${points.length === 1 ? whisker(point) : null}${mark(index)}</g>`,
)}</g>`;
}

/** A single point has no band. */
function whisker({ estimate: { rate, low, high } }: ChartPoint): Markup {
  return html`<line class="line" x1="0" x2="0" y1="${round(y(low) - y(rate))}" y2="${round(y(high) - y(rate))}"/>`;
}

/** Shapes differ too, for print and for colour-blind readers. */
const marks: readonly Markup[] = [
  html`<circle r="4.2"/>`,
  html`<rect x="-3.8" y="-3.8" width="7.6" height="7.6"/>`,
  html`<path d="M0-5.2 5 3.6H-5Z"/>`,
  html`<path d="M0-5.4 5.4 0 0 5.4-5.4 0Z"/>`,
  html`<path d="M0 5.2 5-3.6H-5Z"/>`,
  html`<path d="M-4.4-1.5H-1.5V-4.4H1.5V-1.5H4.4V1.5H1.5V4.4H-1.5V1.5H-4.4Z"/>`,
  html`<path d="M-2.6-4.6H2.6L5.2 0 2.6 4.6H-2.6L-5.2 0Z"/>`,
  html`<path d="M0-6 1.8-1.8 6 0 1.8 1.8 0 6-1.8 1.8-6 0-1.8-1.8Z"/>`,
];

/** The class that colours an arm; colours repeat from the ninth arm on. */
export function armClass(index: number): string {
  return `arm-${index % marks.length}`;
}

/** The shape of an arm. */
export function mark(index: number): Markup {
  return marks[index % marks.length] as Markup;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Round numbers from 0 to at least the most, about five of them, no closer than `least`. */
export function ticksTo(most: number, least = 1): readonly number[] {
  const end = Math.max(most, least);
  const power = 10 ** Math.floor(Math.log10(end / 4));
  const step = Math.max(least, ([1, 2, 2.5, 5, 10].find(factor => factor * power >= end / 4) as number) * power);
  return Array.from({ length: Math.ceil(end / step - 1e-9) + 1 }, (_, index) => index * step);
}
