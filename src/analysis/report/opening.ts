import { percentText } from '../estimate.ts';
import { firstEvaluated, lastEvaluated, type ReportArm, type ReportData, type ReportRound } from './data.ts';
import { html, type Markup } from './html.ts';
import { keyFigureList, type KeyFigure, type Part } from './section.ts';
import { count } from '../../core/text.ts';
import { figure, listText, optionalText, tidy } from './words.ts';

/** The whole report in a sentence. */
export function verdictOf(data: ReportData): string {
  const reached = achievement(data.arms[0] as ReportArm);
  return `${[reached, claimsCount(data)].filter(part => part !== '').join('; ')}.`;
}

function achievement(arm: ReportArm): string {
  const [first, last] = [firstEvaluated(arm), lastEvaluated(arm)];
  if (first === undefined || last === undefined) return collected(arm);
  const rates = [
    ...(last.newInstances === null ? [] : [`${optionalText(last.newInstances)} of new instances`]),
    ...(last.heldOut === null ? [] : [`${optionalText(last.heldOut)} of tasks from held-out templates`]),
    ...(last.heldOut2 ? [`${optionalText(last.heldOut2)} of tasks from the second held-out set`] : []),
    ...(last.heldOut3 ? [`${optionalText(last.heldOut3)} of tasks from the third held-out set`] : []),
  ];
  const before = first === last ? [] : [first.newInstances, first.heldOut].flatMap(estimate => estimate?.rate ?? []);
  const start = before.length === 0 ? '' : `, against ${listText(before.map(percentText))} in round ${first.round}`;
  const asked = last.queries === 0 ? '' : `, for ${count(last.queries, 'teacher query', 'teacher queries')}`;
  return `${arm.label} passes ${listText(rates)} in round ${last.round}${start}${asked}`;
}

function collected({ label, rounds }: ReportArm): string {
  const passed = rounds.reduce((sum, { episodes }) => sum + episodes.passed, 0);
  const all = rounds.reduce((sum, { episodes }) => sum + Object.values(episodes).reduce((a, b) => a + b, 0), 0);
  return `${label} passed ${figure(passed)} of ${count(all, 'collected episode')}; the student was not evaluated`;
}

function claimsCount({ claims }: ReportData): string {
  if (claims.length === 0) return '';
  const kept = claims.filter(({ holds }) => holds === true).length;
  return kept === claims.length ? `all ${kept} claims hold` : `${kept} of ${claims.length} claims hold`;
}

/** The figures that one looks for first. */
export function keyFigures({ arms }: ReportData): Markup {
  const arm = arms[0] as ReportArm;
  const last = lastEvaluated(arm);
  const end = arm.rounds.at(-1);
  const keys: KeyFigure[] = [];
  for (const [name, level] of [
    ['on new instances', 'newInstances'],
    ['on held-out templates', 'heldOut'],
    ['on the second held-out set', 'heldOut2'],
    ['on the third held-out set', 'heldOut3'],
  ] as const) {
    const estimate = last?.[level] ?? null;
    if (estimate === null || estimate.rate === null) continue;
    const { low, high } = estimate;
    keys.push([percentText(estimate.rate), name, `95 % interval ${Math.round(low * 100)}–${Math.round(high * 100)} %`]);
  }
  if (end !== undefined) keys.push(...effort(end));
  return keyFigureList(keys);
}

function effort({ queries, reviews, corrections, archive }: ReportRound): [string, string, string][] {
  const asked = `${count(reviews, 'review')}, ${count(corrections, 'correction')}`;
  const keys: [string, string, string][] = [[figure(queries), 'teacher queries', asked]];
  if (archive !== null) {
    const { coverage, bins, reachable } = archive;
    keys.push([percentText(coverage), 'of archive bins filled', `${figure(bins)} of ${figure(reachable)}`]);
  }
  return keys;
}

const marks = {
  true: ['holds', '✓', 'holds'],
  false: ['fails', '✕', 'does not hold'],
  null: ['open', '○', 'not measured'],
} as const;

export function claimsSection({ claims }: ReportData): Part {
  if (claims.length === 0)
    return { title: 'Claims', missing: 'This run makes no claims: it has nothing to be compared with.' };
  const items = claims.map(({ claim, holds, evidence }) => {
    const [kind, symbol, word] = marks[`${holds}`];
    return html`<li class="${kind}"><span class="mark" aria-hidden="true">${symbol}</span><div><p>${tidy(claim)} <b>${word}</b></p><p class="evidence">${tidy(evidence)}</p></div></li>`;
  });
  return { drawn: html`<section id="claims"><h2>Claims</h2><ul class="claims">${items}</ul></section>` };
}
