import { percentText } from '../../estimate.ts';
import { labelOf, type ReportData, type ReportRound } from '../data.ts';
import { html, type Markup } from '../html.ts';
import { type Part, section, table } from '../section.ts';
import { count } from '../../../core/text.ts';
import { figure } from '../words.ts';

const title = 'What the archive holds';

export function archiveSection(data: ReportData): Part {
  const figures = data.arms.flatMap(({ label, rounds }) => {
    const archive = rounds.findLast(round => round.archive !== null)?.archive ?? null;
    return archive === null ? [] : [{ label, archive }];
  });
  const [first] = figures;
  if (first === undefined) return { title, missing: 'This run kept no archive.' };
  const { entries, bins, reachable, coverage } = first.archive;
  return section({
    id: 'archive',
    title,
    finding: `${first.label} kept ${count(entries, 'passing run')} in ${figure(bins)} of ${count(reachable, 'bin')} (${percentText(coverage)}).`,
    body: html`<div class="panels">${data.archiveMap === null ? html`<p class="absent">The bins of this archive were not mapped.</p>` : heatMap(data, data.archiveMap)}
${table({
  caption: 'The archive of each arm at the end',
  head: ['Arm', 'Entries', 'Bins', 'Coverage', 'Mean quality'],
  rows: figures.map(({ label, archive }) => [label, ...archiveCells(archive)]),
})}</div>`,
  });
}

function archiveCells({ entries, bins, coverage, quality }: NonNullable<ReportRound['archive']>): string[] {
  return [figure(entries), figure(bins), percentText(coverage), quality === null ? '–' : quality.toFixed(2)];
}

/** A table, so that it can be read as well as seen. */
function heatMap(data: ReportData, map: NonNullable<ReportData['archiveMap']>): Markup {
  const most = Math.max(1, ...map.counts.flat());
  // Areas of very different size stay apart when shades follow the root.
  const shade = (entries: number): string => Math.sqrt(entries / most).toFixed(3);
  return html`<div class="scroll"><table class="heat"><caption><span>${labelOf(data, map.arm)}: entries in each bin</span></caption>
<thead><tr><td></td><th scope="colgroup" colspan="${map.columns.length}">${map.columnTitle}</th></tr>
<tr><th scope="col">${map.rowTitle}</th>${map.columns.map(column => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${map.rows.map(
    (row, place) =>
      html`<tr><th scope="row">${row}</th>${map.columns.map((_, column) => {
        const entries = map.counts[place]?.[column] ?? 0;
        if (entries === 0) return html`<td class="empty">·</td>`;
        return html`<td class="${entries > most * 0.6 ? 'deep' : 'pale'}" style="--shade:${shade(entries)}">${figure(entries)}</td>`;
      })}</tr>`,
  )}</tbody></table></div>`;
}
