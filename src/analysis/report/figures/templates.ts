import type { ReportData } from '../data.ts';
import { html } from '../html.ts';
import { type Part, section } from '../section.ts';
import { count } from '../../../core/text.ts';
import { fullText } from '../words.ts';
import { strip } from './strip.ts';

const title = 'By template';
const levels = [
  { level: 'new-instances', name: 'New instances of training templates' },
  { level: 'held-out', name: 'Held-out templates' },
  { level: 'held-out-2', name: 'Held-out templates, second set' },
  { level: 'held-out-3', name: 'Held-out templates, third set' },
] as const;

export function templatesSection(data: ReportData): Part {
  if (data.templates.length === 0)
    return { title, missing: 'Nothing was evaluated in this run, so there are no figures by template.' };
  const arms = data.arms.filter(({ id }) => data.templates.some(({ estimates }) => estimates[id] !== undefined));
  return section({
    id: 'templates',
    title,
    finding: `${count(data.templates.length, 'template')} at the end of the run, with 95 % Wilson intervals.`,
    body: html`<div class="scroll"><table class="strips${arms.length > 4 ? ' many' : ''}"><caption><span>Success rate of each template at the end, by arm</span></caption>
<thead><tr><th scope="col">Template</th>${arms.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
${levels.map(({ level, name }) => {
  const rows = data.templates.filter(template => template.level === level);
  if (rows.length === 0) return null;
  return html`<tbody><tr class="group"><th scope="rowgroup" colspan="${arms.length + 1}">${name}</th></tr>
${rows.map(
  ({ template, estimates }) =>
    html`<tr><th scope="row">${template}</th>${arms.map(({ id }) => {
      const estimate = estimates[id];
      if (estimate === undefined || estimate.rate === null) return html`<td>–</td>`;
      const { rate, low, high } = estimate;
      return html`<td title="${fullText(estimate)}">${strip({ rate, interval: { low, high }, index: data.arms.findIndex(arm => arm.id === id) })}</td>`;
    })}</tr>`,
)}</tbody>`;
})}</table></div>`,
  });
}
