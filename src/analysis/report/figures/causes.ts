import { count } from '../../../core/text.ts';
import type { FailureCause } from '../../signals/causes.ts';
import type { ReportData } from '../data.ts';
import { html, type Markup } from '../html.ts';
import { section, table, type Part } from '../section.ts';
import { figure } from '../words.ts';

/** Why runs fail: by cause, with an example and what to do. */
export function causesSection({ causes }: ReportData): Part {
  const title = 'Why runs fail';
  const [first] = causes;
  if (first === undefined) return { title, missing: 'No episode of an agent under study failed.' };
  return section({
    id: 'causes',
    title,
    finding: `Of ${count(first.of, 'episode')} that did not pass, ${figure(first.count)} went wrong in one way: ${words(first.cause)}. ${first.advice}`,
    body: html`${table({
      caption: 'What went wrong, by the checks that failed and the step that left them so',
      head: ['What went wrong', 'Episodes', 'Where', 'Example', 'What to do'],
      rows: causes.map(cause => [
        words(cause.cause),
        figure(cause.count),
        html`${listed(cause.templates)}${cause.checks.length === 0 ? '' : html`<br>Failed: ${listed(cause.checks)}`}`,
        exampleOf(cause),
        cause.advice,
      ]),
    })}`,
  });
}

const mostListed = 3;

/** `mail/star-message (4), mail/move (2) and 3 more`. */
function listed(counts: FailureCause['templates']): string {
  const shown = counts.slice(0, mostListed).map(({ name, count: number }) => `${name} (${number})`);
  const left = counts.length - shown.length;
  return shown.join(', ') + (left === 0 ? '' : ` and ${left} more`);
}

function exampleOf({ example }: FailureCause): Markup {
  const { episode, task, wanted, shown, reason, command } = example;
  const lines = [
    ...(task === '' ? [] : [`Task: ${task}`]),
    ...(wanted.length === 0 ? [] : [`Wanted, and not so: ${wanted.join('; ')}.`]),
    ...(shown.length === 0 ? [] : [`The screen at the end has: ${shown.join('; ')}.`]),
  ];
  return html`<b>${reason}</b><br>${lines.map(text => html`${text}<br>`)}<code>${command === '' ? episode : command}</code>`;
}

function words(cause: string): string {
  return cause.replaceAll('-', ' ');
}
