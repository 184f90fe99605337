import type { ReportData, RunDifference } from '../data.ts';
import { html } from '../html.ts';
import { type Part, section } from '../section.ts';
import { listText } from '../words.ts';
import { decided, pointsText, rateCell } from './comparison.ts';
import { differenceStrip } from './strip.ts';

const title = 'Runs compared';

/** Every run of the report against the first: rates, and the paired difference on the tasks that both have. */
export function runsCompared({ runDifferences = [], arms }: ReportData): Part {
  if (runDifferences.length === 0) {
    const missing =
      arms.length < 2
        ? 'This report has one run. `espalier report` compares the runs that it is given.'
        : 'The runs have no task and trial in common that both ended.';
    return { title, missing };
  }
  return section({
    id: 'runs',
    title,
    finding: findingOf(runDifferences),
    body: [tableOf(runDifferences), costs(arms)],
  });
}

function findingOf(found: readonly RunDifference[]): string {
  const [first] = found;
  const parts = found.map(
    ({ run, measured, difference }) => `${run} ${pointsText(difference)} on ${measured} (${decided(difference)})`,
  );
  return `Against ${first?.against ?? ''}, in percentage points: ${listText(parts)}. Only trials that both runs ended count.`;
}

function tableOf(found: readonly RunDifference[]) {
  return html`<div class="scroll"><table class="strips"><caption><span>Success rates with 95 % intervals, and the paired difference</span></caption>
<thead><tr><th scope="col">Run</th><th scope="col">Measured on</th><th scope="col">Rate</th><th scope="col">${found[0]?.against ?? ''}</th><th scope="col">Difference in points</th><th scope="col">Pairs</th><th scope="col">Better / worse / equal</th></tr></thead>
<tbody>${found.map(
    ({ run, measured, rate, rateAgainst, difference }) =>
      html`<tr><th scope="row">${run}</th><td>${measured}</td>${rateCell(rate, 0)}${rateCell(rateAgainst, 1)}<td>${differenceStrip(difference, pointsText(difference))}</td><td>${difference.pairs}${difference.unpaired === 0 ? '' : `, ${difference.unpaired} without a partner`}</td><td>${difference.wins} / ${difference.losses} / ${difference.ties}</td></tr>`,
  )}</tbody></table></div>`;
}

/** What each run asked of a teacher: a rate that cost more is no better by itself. */
function costs(arms: ReportData['arms']) {
  return html`<div class="scroll"><table><caption><span>What the runs asked of a teacher, up to their last round</span></caption>
<thead><tr><th scope="col">Run</th><th scope="col">Rounds</th><th scope="col">Teacher queries</th><th scope="col">Corrections</th><th scope="col">Broken episodes</th></tr></thead>
<tbody>${arms.map(({ label, rounds }) => {
    const last = rounds.at(-1);
    const broken = rounds.reduce((sum, { episodes }) => sum + episodes.errored, 0);
    return html`<tr><th scope="row">${label}</th><td>${rounds.length}</td><td>${last?.queries ?? 0}</td><td>${last?.corrections ?? 0}</td><td>${broken}</td></tr>`;
  })}</tbody></table></div>`;
}
