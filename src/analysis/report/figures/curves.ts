import type { Estimate } from '../../estimate.ts';
import { percentText } from '../../estimate.ts';
import {
  firstEvaluated,
  isEvaluated,
  lastEvaluated,
  type ReportArm,
  type ReportData,
  type ReportRound,
} from '../data.ts';
import { html, type Markup } from '../html.ts';
import { behind, type Part, section } from '../section.ts';
import { count } from '../../../core/text.ts';
import { figure, fullText, listText, optionalText } from '../words.ts';
import { type Chart, drawChart, type Series, ticksTo } from './chart.ts';

export type LevelName = 'newInstances' | 'heldOut' | 'heldOut2' | 'heldOut3' | 'unseenApps';

export const levelTitles: readonly (readonly [LevelName, string])[] = [
  ['newInstances', 'New instances of training templates'],
  ['heldOut', 'Held-out templates'],
  ['heldOut2', 'Held-out templates, second set'],
  ['heldOut3', 'Held-out templates, third set'],
  ['unseenApps', 'Unseen apps'],
];
/** These have no panel where they were not evaluated. */
const rarer: ReadonlySet<LevelName> = new Set(['heldOut2', 'heldOut3', 'unseenApps']);

/** What a curve needs of a round. */
export type CurveRound = Pick<ReportRound, LevelName | 'round' | 'queries' | 'shown' | 'corrections'>;

/** What curves are drawn from: the data of a report, or a part of it. */
export interface CurveData {
  readonly arms: readonly { readonly label: string; readonly rounds: readonly CurveRound[] }[];
  readonly baselines: ReportData['baselines'];
}

interface Across {
  readonly axis: string;
  readonly ticks: readonly number[];
  x(round: CurveRound): number;
}

/** By round. */
export function acrossRounds(rounds: readonly CurveRound[]): Across {
  const numbers = rounds.map(({ round }) => round);
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const ticks = to - from > 10 ? ticksTo(to) : Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return { axis: 'Round', ticks, x: ({ round }) => round };
}

/** By what the teacher was asked. */
export function acrossQueries(rounds: readonly CurveRound[]): Across {
  const most = Math.max(0, ...rounds.map(({ queries }) => queries));
  return { axis: 'Teacher queries so far', ticks: ticksTo(most), x: ({ queries }) => queries };
}

export function learningCurve(data: ReportData): Part {
  const title = 'Learning curve';
  const rounds = evaluatedRounds(data);
  if (rounds.length === 0)
    return { title, missing: 'The student was not evaluated in this run, so there is no curve.' };
  return section({
    id: 'curve',
    title,
    finding: risen(data.arms[0] as ReportArm),
    body: [panels(data, acrossRounds(rounds)), behind(numbersBehind(data))],
  });
}

export function queriesCurve(data: ReportData): Part {
  const title = 'Success against teacher queries';
  const rounds = evaluatedRounds(data);
  if (rounds.every(({ queries }) => queries === 0)) {
    const missing =
      'No evaluation followed a query to the teacher in this run, so there is nothing to weigh one against the other.';
    return { title, missing };
  }
  const last = data.arms.flatMap(arm => {
    const end = lastEvaluated(arm);
    return end === undefined ? [] : [`${figure(end.queries)} for ${arm.label}`];
  });
  return section({
    id: 'queries',
    title,
    finding: `A query is a review of a branch or a correction. By the last evaluation there were ${last.join('; ')}.`,
    body: [panels(data, acrossQueries(rounds)), stepsPanels(data)],
  });
}

/** By the other thing that a teacher is paid for: steps that it reads in reviews, or gives as corrections. */
function stepsPanels(data: ReportData): Markup | null {
  const steps = ({ shown, corrections }: CurveRound): number => shown + corrections;
  const most = Math.max(0, ...evaluatedRounds(data).map(({ shown }) => shown));
  if (most === 0 || data.arms.length < 2) return null;
  const all = Math.max(...evaluatedRounds(data).map(steps));
  return html`<p class="finding">The same by the steps that the teacher read in reviews, or gave as corrections and demonstrations.</p>
${panels(data, { axis: 'Steps shown or given so far', ticks: ticksTo(all), x: steps })}`;
}

function panels(data: ReportData, across: Across): Markup {
  const drawn = levelTitles.filter(([level]) => !rarer.has(level) || evaluatedRounds(data).some(round => round[level]));
  const isNarrow = drawn.length === 3;
  return html`<div class="panels${isNarrow ? ' three' : ''}">${drawn.map(([level, title]) => panel(data, across, { level, title, isNarrow }))}</div>`;
}

interface Panel {
  readonly level: LevelName;
  readonly title: string;
  readonly isNarrow: boolean;
}

function panel(data: ReportData, across: Across, place: Panel): Markup {
  const chart = chartOf(data, across, place);
  if (chart === null) return html`<p class="absent">${place.title}: nothing was evaluated on this level.</p>`;
  return drawChart(chart);
}

/** The curves of one level; null where nobody was evaluated on it. */
export function chartOf(data: CurveData, across: Across, { level, title, isNarrow }: Panel): Chart | null {
  const { axis, ticks, x } = across;
  const series = data.arms.map(({ label, rounds }, index): Series => {
    const points = rounds.flatMap(round => {
      const estimate = round[level];
      return isMeasured(estimate) ? [{ x: x(round), estimate, at: placeText(round) }] : [];
    });
    return { label, index, points };
  });
  if (series.every(({ points }) => points.length === 0)) return null;
  const rules = data.baselines.flatMap(baseline => {
    const rate = baseline[level]?.rate;
    return rate === null || rate === undefined ? [] : [{ label: baseline.name, rate }];
  });
  return { title, axis, ticks, series, rules, isNarrow };
}

function placeText({ round, queries }: CurveRound): string {
  return `round ${round}, ${count(queries, 'query', 'queries')}`;
}

function isMeasured(estimate: Estimate | null = null): estimate is Estimate & { readonly rate: number } {
  return estimate !== null && estimate.rate !== null;
}

function evaluatedRounds({ arms }: ReportData): readonly ReportRound[] {
  return arms.flatMap(arm => arm.rounds.filter(isEvaluated));
}

function risen(arm: ReportArm): string {
  const [first, last] = [firstEvaluated(arm), lastEvaluated(arm)];
  if (first === undefined || last === undefined) return `${arm.label} was not evaluated.`;
  const changes = levelTitles.flatMap(([level, title]) => {
    const [from, to] = [first[level]?.rate, last[level]];
    if (!isMeasured(to)) return [];
    const start = typeof from === 'number' && first !== last ? `from ${percentText(from)} to ` : '';
    return [`${start}${optionalText(to)} on ${title.toLowerCase()}`];
  });
  return `${arm.label} went ${listText(changes)}. Bands are 95 % intervals; thin lines are the baselines.`;
}

const rateHeads = [
  'New instances',
  'raw',
  'Held-out templates',
  'raw',
  'New composition',
  'Unseen skill',
  'Unseen apps',
];
const costHeads = ['Queries', 'Steps shown', 'Reviews skipped', 'Corrections', 'Rows'];
const behindHeads = ['Arm', 'Round', ...rateHeads, ...costHeads];

function numbersBehind({ arms, baselines }: ReportData) {
  const cell = (estimate: Estimate | null | undefined): string =>
    estimate === null || estimate === undefined ? '–' : fullText(estimate);
  const raw = (estimate: Estimate | null): string =>
    estimate === null || estimate.raw === null || estimate.errored + estimate.uncertified === 0
      ? '–'
      : percentText(estimate.raw);
  const rates = (own: Omit<ReportData['baselines'][number], 'name'>): string[] => [
    cell(own.newInstances),
    raw(own.newInstances),
    cell(own.heldOut),
    raw(own.heldOut),
    ...[own.newComposition, own.unseenSkill, own.unseenApps].map(cell),
  ];
  return {
    caption:
      'Success rate with 95 % interval, by arm and round. Errored episodes are left out; “raw” counts them as not passed.',
    head: behindHeads,
    rows: [
      ...arms.flatMap(({ label, rounds }) =>
        rounds.map(({ round, rows, ...own }) => [
          label,
          round,
          ...rates(own),
          ...[own.queries, own.shown, own.skipped, own.corrections].map(figure),
          rows === null ? '–' : figure(rows),
        ]),
      ),
      ...baselines.map(({ name, ...own }) => [name, '–', ...rates(own), ...costHeads.map(() => '–')]),
    ],
  };
}
