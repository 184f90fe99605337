import { percentText, type Estimate } from '../../estimate.ts';
import type { ReportComparison, ReportData, ReportDifference } from '../data.ts';
import { html, type Markup } from '../html.ts';
import { type Part, section, table } from '../section.ts';
import { count } from '../../../core/text.ts';
import { fullText, listText } from '../words.ts';
import { differenceStrip, strip } from './strip.ts';

const title = 'Two students on the same tasks';
const levels = [
  { level: 'newInstances', id: 'new-instances', name: 'New instances of training templates' },
  { level: 'heldOut', id: 'held-out', name: 'Held-out templates' },
] as const;
const mostFlips = 20;

/** The latest comparison of the run. */
export function comparisonSection({ comparisons }: ReportData): Part {
  const latest = comparisons.at(-1);
  if (latest === undefined)
    return { title, missing: 'No two students were compared. `espalier eval --against` compares two.' };
  return section({
    id: 'comparison',
    title,
    finding: findingOf(latest),
    body: [rates(latest), byTemplate(latest), flips(latest)],
  });
}

function findingOf(comparison: ReportComparison): string {
  const { student, against } = comparison;
  const parts = levels.flatMap(({ level, name }) => {
    const found = comparison[level];
    return found === null ? [] : [`${pointsText(found)} on ${name.toLowerCase()} (${decided(found)})`];
  });
  if (parts.length === 0) return `${student.name} and ${against.name} have no task in common.`;
  return `${student.name} minus ${against.name}, in percentage points: ${listText(parts)}. Every task counts as a pair.`;
}

/** Whether the interval leaves the sign open. */
export function decided({ low, high }: ReportDifference): string {
  if (low > 0) return 'better';
  return high < 0 ? 'worse' : 'not decided by these tasks';
}

/** `+12 (3…20)`. */
export function pointsText({ mean, low, high }: Pick<ReportDifference, 'mean' | 'low' | 'high'>): string {
  const [middle, from, to] = [mean, low, high].map(value => Math.round(value * 100)) as [number, number, number];
  return `${middle > 0 ? '+' : ''}${middle} (${from}…${to})`;
}

function rates(comparison: ReportComparison): Markup {
  const { student, against } = comparison;
  return html`<div class="scroll"><table class="strips"><caption><span>Success rates with 95 % intervals, and the paired difference</span></caption>
<thead><tr><th scope="col">Level</th><th scope="col">${student.name}</th><th scope="col">${against.name}</th><th scope="col">Difference in points</th><th scope="col">Better / worse / equal</th></tr></thead>
<tbody>${levels.map(({ level, name }) => {
    const found = comparison[level];
    return html`<tr><th scope="row">${name}</th>${rateCell(student[level], 0)}${rateCell(against[level], 1)}
<td>${found === null ? '–' : differenceStrip(found, pointsText(found))}</td>
<td>${found === null ? '–' : `${found.wins} / ${found.losses} / ${found.ties}`}</td></tr>`;
  })}</tbody></table></div>`;
}

export function rateCell(estimate: Estimate | null, index: number): Markup {
  if (estimate === null || estimate.rate === null) return html`<td>–</td>`;
  const { rate, low, high } = estimate;
  return html`<td title="${fullText(estimate)}">${strip({ rate, interval: { low, high }, index })}</td>`;
}

function byTemplate({ student, against, templates }: ReportComparison): Markup | null {
  if (templates.length === 0) return null;
  return html`<div class="scroll"><table class="strips"><caption><span>By template, with 95 % Wilson intervals</span></caption>
<thead><tr><th scope="col">Template</th><th scope="col">${student.name}</th><th scope="col">${against.name}</th><th scope="col">Difference</th></tr></thead>
${levels.map(({ id, name }) => {
  const rows = templates.filter(({ level }) => level === id);
  if (rows.length === 0) return null;
  return html`<tbody><tr class="group"><th scope="rowgroup" colspan="4">${name}</th></tr>
${rows.map(
  row =>
    html`<tr><th scope="row">${row.template}</th>${rateCell(row.student, 0)}${rateCell(row.against, 1)}<td>${changeOf(row)}</td></tr>`,
)}</tbody>`;
})}</table></div>`;
}

function changeOf({ student, against }: ReportComparison['templates'][number]): string {
  if (student?.rate === undefined || against?.rate === undefined) return '–';
  if (student.rate === null || against.rate === null) return '–';
  const difference = student.rate - against.rate;
  if (difference === 0) return '0';
  return `${difference > 0 ? '+' : '−'}${percentText(Math.abs(difference)).replace(/\u00A0%$/, '')}`;
}

function flips({ student, against, flips: found }: ReportComparison): Markup | null {
  if (found.length === 0) return null;
  const shown = found.slice(0, mostFlips);
  const more = found.length - shown.length;
  return table({
    caption: `${count(found.length, 'trial')} that only one of them passed${more === 0 ? '' : `; ${more} more in report.json`}`,
    head: ['Task', 'Trial', 'Passed by'],
    rows: shown.map(({ task, trial, change }) => [
      task,
      trial,
      change === 'fail-to-pass' ? student.name : against.name,
    ]),
  });
}
