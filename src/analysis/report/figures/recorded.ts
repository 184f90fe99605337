import type { ReportData, ReportRecorded } from '../data.ts';
import { html, type Markup } from '../html.ts';
import { type Part, section } from '../section.ts';
import { pointsText } from './comparison.ts';
import { differenceStrip, strip } from './strip.ts';

const title = 'Recorded before, not measured here';

/** Figures that take a GPU, as its runs wrote them. */
export function recordedSection({ recorded }: ReportData): Part {
  if (recorded.length === 0) return { title, missing: 'This run shows no figures of others.' };
  return section({
    id: 'recorded',
    title,
    finding: 'These figures need a GPU. They were read from the results of the commands beside them.',
    body: recorded.map(figuresOf),
  });
}

function figuresOf({ title: caption, about, command, sha256, columns, rows, differences }: ReportRecorded): Markup {
  return html`<h3>${caption}</h3><p>${about}</p>
<div class="scroll"><table class="strips"><caption><span>Success with 95 % intervals</span></caption>
<thead><tr><th scope="col"></th>${columns.map(name => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ label, rates }) =>
      html`<tr><th scope="row">${label}</th>${rates.map((own, index) =>
        own === null ? html`<td>–</td>` : html`<td>${strip({ rate: own.rate, interval: own, index: index % 4 })}</td>`,
      )}</tr>`,
  )}</tbody></table></div>
${differences.length === 0 ? null : differencesOf(differences)}
<p class="remark">Recorded by <code>${command}</code>; sha256 of its results <code>${sha256}</code>.</p>`;
}

function differencesOf(differences: ReportRecorded['differences']): Markup {
  return html`<div class="scroll"><table class="strips"><caption><span>Differences in points, paired</span></caption>
<tbody>${differences.map(
    own => html`<tr><th scope="row">${own.claim}</th><td>${differenceStrip(own, pointsText(own))}</td></tr>`,
  )}</tbody></table></div>`;
}
