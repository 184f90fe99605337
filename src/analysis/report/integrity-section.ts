import { count } from '../../core/text.ts';
import { integrityScore } from '../integrity.ts';
import type { ReportData } from './data.ts';
import { section, table, type Part } from './section.ts';

/** What was tried against the verifiers, and what fell. */
export function integritySection({ integrity }: ReportData): Part {
  const title = 'Integrity of the tasks';
  if (integrity.length === 0)
    return { title, missing: 'Nothing was tried against the verifiers: espalier check --into keeps it.' };
  const fallen = integrity.filter(({ parts }) => Object.values(parts).includes(false));
  return section({
    id: 'integrity',
    title,
    finding: `Of ${count(integrity.length, 'template')}, ${integrity.length - fallen.length} held everything that was tried against their verifiers.`,
    body: table({
      caption: 'Parts: what was tried, and how many templates held',
      head: ['Tried', 'Held', 'Fell', 'Not tried', 'Which fell'],
      rows: [...new Set(integrity.flatMap(({ parts }) => Object.keys(parts)))].map(name => {
        const of = (held: boolean): typeof integrity => integrity.filter(({ parts }) => parts[name] === held);
        const [held, fell] = [of(true).length, of(false)];
        return [
          name,
          held,
          fell.length,
          integrity.length - held - fell.length,
          fell.map(({ environment, template, parts }) => `${environment}/${template} (${scoreText(parts)})`).join(', '),
        ];
      }),
    }),
  });
}

function scoreText(parts: ReportData['integrity'][number]['parts']): string {
  return integrityScore(parts)?.toFixed(2) ?? '–';
}
