import { count } from '../../../core/text.ts';
import type { ReportData } from '../data.ts';
import { html } from '../html.ts';
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
    finding: `Of ${count(first.of, 'episode')} that did not pass, ${figure(first.count)} went wrong by one cause: ${words(first.cause)}. ${first.advice}`,
    body: html`${table({
      caption: 'Where an episode first went wrong, by what its record shows',
      head: ['Cause', 'Episodes', 'Example', 'What to do'],
      rows: causes.map(({ cause, count: number, example, advice }) => [
        words(cause),
        figure(number),
        html`<code>${example.episode}</code><br>${example.reason}`,
        advice,
      ]),
    })}`,
  });
}

function words(cause: string): string {
  return cause.replaceAll('-', ' ');
}
