import type { ReportArm, ReportData } from '../data.ts';
import { html, trusted, type Markup } from '../html.ts';
import { type Part, section } from '../section.ts';
import { count } from '../../../core/text.ts';
import { figure } from '../words.ts';

const outcomes = ['passed', 'uncertified', 'failed', 'discarded', 'errored'] as const;
type Endings = Record<(typeof outcomes)[number], number>;

export function endingsSection(data: ReportData): Part {
  // The rounds count collected episodes only, the faults count all.
  const collected = sum(data.arms.flatMap(({ rounds }) => rounds.map(({ episodes }) => episodes.errored)));
  const known = sum(data.faults.filter(({ outcome }) => outcome === 'errored').map(fault => fault.count));
  const errored = Math.max(collected, known);
  const uncertified = sum(data.arms.flatMap(({ rounds }) => rounds.map(({ episodes }) => episodes.uncertified)));
  return section({
    id: 'faults',
    title: 'How episodes ended',
    finding: [
      errored === 0
        ? 'No episode broke: each one was verified, or given up by the rules.'
        : `${count(errored, 'episode')} broke at a boundary and have no reward. They are in no success rate.`,
      ...(uncertified === 0
        ? []
        : [
            `${count(uncertified, 'episode')} passed, not certified: no replay of the path in a fresh session agreed. They are neither archived nor exported, and in no success rate.`,
          ]),
    ].join(' '),
    body: html`<div class="endings">${data.arms.map(arm => endingsOf(arm))}</div>${faultsTable(data)}${checkTables(data)}`,
  });
}

function wordFor(outcome: ReportData['faults'][number]['outcome'] | 'passed'): string {
  return outcome === 'uncertified' ? 'passed, not certified' : outcome;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function endingsOf({ label, rounds }: ReportArm): Markup {
  const sums: Endings = { passed: 0, uncertified: 0, failed: 0, discarded: 0, errored: 0 };
  for (const { episodes } of rounds) for (const outcome of outcomes) sums[outcome] += episodes[outcome];
  const there = outcomes.filter(outcome => sums[outcome] > 0);
  if (there.length === 0) return html`<p class="ending"><b>${label}</b> <span>collected no episodes.</span></p>`;
  return html`<div class="ending"><b>${label}</b>
<div class="bar" aria-hidden="true">${there.map(outcome => html`<i class="${outcome}" style="flex-grow:${sums[outcome]}"></i>`)}</div>
<span>${there.map(outcome => html`<span class="part"><i class="key ${outcome}"></i>${figure(sums[outcome])} ${wordFor(outcome)}</span> `)}</span></div>`;
}

function faultsTable({ faults }: ReportData): Markup | null {
  if (faults.length === 0) return null;
  const most = Math.max(...faults.map(({ count: number }) => number));
  return html`<div class="scroll"><table class="faults"><caption><span>What did not pass, or is not certified, by how it ended, which side broke, and why</span></caption>
<thead><tr><th scope="col">Outcome</th><th scope="col">Boundary</th><th scope="col">Reason</th><th scope="col">Episodes</th></tr></thead>
<tbody>${faults.map(
    fault => html`<tr><th scope="row"><i class="key ${fault.outcome}"></i>${wordFor(fault.outcome)}</th><td>${fault.boundary ?? '–'}</td><td>${fault.reason ?? '–'}</td>
<td><span class="amount" style="--share:${(fault.count / most).toFixed(3)}">${figure(fault.count)}</span></td></tr>`,
  )}</tbody></table></div>`;
}

const mostChecks = 12;

/** One table for each policy: the students first, open, then the baselines, folded. */
function checkTables({ failedChecks }: ReportData): Markup | null {
  if (failedChecks.length === 0) return null;
  const byPolicy = [...Map.groupBy(failedChecks, ({ policy }) => policy)];
  const isBaseline = (policy: string): boolean => /^evaluated: (random|replay|planner)$/.test(policy);
  const ordered = byPolicy.toSorted(([one], [other]) => Number(isBaseline(one)) - Number(isBaseline(other)));
  return html`<h3>Checks that did not hold, by policy</h3>${ordered.map(([policy, checks]) =>
    checksTable(policy === '' ? 'all policies' : policy, checks, !isBaseline(policy)),
  )}`;
}

function checksTable(policy: string, checks: ReportData['failedChecks'], isOpen: boolean): Markup {
  const shown = checks.slice(0, mostChecks);
  const more = checks.length - shown.length;
  return html`<details class="checks"${isOpen ? trusted(' open') : null}><summary>${policy} (${count(checks.length, 'check')})</summary>
<div class="scroll"><table class="faults"><caption><span>Checks that did not hold: ${policy}${more === 0 ? '' : `; ${more} more in report.json`}</span></caption>
<thead><tr><th scope="col">Template</th><th scope="col">Check</th><th scope="col">Episodes</th></tr></thead>
<tbody>${shown.map(
    ({ template, check, count: number, of }) => html`<tr><th scope="row">${template}</th><td><code>${check}</code></td>
<td><span class="amount" style="--share:${(number / of).toFixed(3)}">${figure(number)} of ${figure(of)}</span></td></tr>`,
  )}</tbody></table></div></details>`;
}
