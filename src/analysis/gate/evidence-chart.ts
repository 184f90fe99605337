import { html, type Markup } from '../report/html.ts';
import type { GateResult } from './result.ts';

const [width, height] = [760, 240];
const plot = { left: 44, right: 640, top: 14, bottom: 206 };

/** Evidence for the goal and against it after every unit, on a scale of powers, with the line where it decides. */
export function evidenceChart({ looks, rule, unit }: GateResult): Markup {
  const limit = 1 / rule.alpha;
  const values = looks.flatMap(({ forGoal, againstGoal }) => [forGoal, againstGoal]);
  const most = Math.max(limit * 2, ...values);
  const least = Math.max(1e-4, Math.min(0.1, ...values));
  const x = (place: number): number => plot.left + ((plot.right - plot.left) * place) / Math.max(1, looks.length);
  const y = (value: number): number => {
    const share = Math.log(Math.max(least, value) / least) / Math.log(most / least);
    return plot.bottom - (plot.bottom - plot.top) * share;
  };
  const line = (of: 'forGoal' | 'againstGoal'): string =>
    [1, ...looks.map(look => look[of])]
      .map((value, place) => `${place === 0 ? 'M' : 'L'}${x(place).toFixed(1)} ${y(value).toFixed(1)}`)
      .join('');
  const ticks = [0.001, 0.01, 0.1, 1, 10, 100, 1000, 10_000].filter(value => value >= least && value <= most);
  const last = looks.at(-1) ?? { forGoal: 1, againstGoal: 1 };
  const [up, down] = separate(y(last.forGoal), y(last.againstGoal));
  return html`<figure class="chart"><figcaption>Evidence after every ${unit}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Evidence for the goal and against it; the numbers are in the table below">
${ticks.map(
  value => html`<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${y(value)}" y2="${y(value)}"/>
<text class="tick" x="${plot.left - 8}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
)}
<g class="rule"><line x1="${plot.left}" x2="${plot.right}" y1="${y(limit)}" y2="${y(limit)}"/>
<text class="name" x="${plot.left + 6}" y="${y(limit) - 5}">decides: ${Math.round(limit)}</text></g>
<g class="arm arm-2"><path class="line" d="${line('forGoal')}"/><text class="name" x="${plot.right + 10}" y="${up + 4}">for the goal</text></g>
<g class="arm arm-1"><path class="line" d="${line('againstGoal')}"/><text class="name" x="${plot.right + 10}" y="${down + 4}">against it</text></g>
<text class="axis" x="${plot.right}" y="${height - 6}" text-anchor="end">${looks.length} ${unit}s</text>
</svg></figure>`;
}

/** Two labels that would cover each other move apart. */
function separate(first: number, second: number): readonly [number, number] {
  const gap = 16;
  if (Math.abs(first - second) >= gap) return [first, second];
  const middle = (first + second) / 2;
  return first <= second ? [middle - gap / 2, middle + gap / 2] : [middle + gap / 2, middle - gap / 2];
}
