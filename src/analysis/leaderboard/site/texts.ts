import type { CostName, Costs, Counted, EntrantName } from '../board.ts';
import { costNames } from '../board.ts';
import { percentText } from '../../estimate.ts';
import { html, type Markup } from '../../report/html.ts';
import { strip } from '../../report/figures/strip.ts';
import { figure, fullText } from '../../report/words.ts';

/** What each cost is of an episode. */
export const costTitles: Readonly<Record<CostName, string>> = {
  dollars: 'dollars an episode',
  tokens: 'tokens an episode',
  seconds: 'seconds an episode',
  questions: 'questions an episode',
  steps: 'steps an episode',
};

/** Costs that somebody had: a column of zeros says nothing. */
export function shownCosts(all: readonly { readonly costs: Costs }[]): readonly CostName[] {
  return costNames.filter(name => all.some(({ costs }) => costs[name] > 0));
}

export function costText(name: CostName, value: number): string {
  if (name === 'dollars') return `$${value === 0 ? '0' : value < 0.01 ? value.toPrecision(2) : value.toFixed(2)}`;
  if (value >= 100) return figure(Math.round(value));
  return value === 0 ? '0' : value < 1 ? value.toPrecision(2) : value.toFixed(1);
}

export function entrantText({ student, harness }: EntrantName): string {
  return `${student}, ${harness}`;
}

/** The name of an entrant, linked to its page. `up` leads to the folder of the front page. */
export function entrantLink(entrant: EntrantName, up = ''): Markup {
  return html`<a href="${up}entrants/${entrant.id}.html">${entrant.student} <small>${entrant.harness}</small></a>`;
}

/** The rate that counts; where passes were gamed, what the verifiers said stands beside it. */
export function rateMarkup({ honest, verified, gamed }: Counted, index: number): Markup {
  const { rate, low, high } = honest;
  if (rate === null) return html`<span class="absent">no verdict</span>`;
  const beside =
    gamed === 0
      ? null
      : html` <small class="gamed" title="${fullText(verified)}">${percentText(verified.rate ?? 0)} with ${gamed} gamed</small>`;
  return html`<span title="${fullText(honest)}">${strip({ rate, interval: { low, high }, index })}</span>${beside}`;
}

/** `2 environment, 1 policy`; a dash for none. */
export function brokenText(broken: Counted['broken']): string {
  const parts = Object.entries(broken).map(([side, count]) => `${count} ${side}`);
  return parts.length === 0 ? '–' : parts.join(', ');
}
