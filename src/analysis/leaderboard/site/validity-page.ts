import { count } from '../../../core/text.ts';
import { percentText } from '../../estimate.ts';
import { html, type Content, type Markup } from '../../report/html.ts';
import { section, table, type Part } from '../../report/section.ts';
import { listText } from '../../report/words.ts';
import type { Prediction, RankCorrelation } from '../validity/correlations.ts';
import type { FittedItem } from '../validity/item-response.ts';
import { wanted, type Subset } from '../validity/subset.ts';
import type { Validity } from '../validity/validity.ts';
import { drawPage, type SiteOptions, type SitePage } from './layout.ts';

export const validityPath = 'validity.html';

/** What the ranking says about other tasks, for the front page. */
export function validityPart(validity: Validity): Part {
  return section({
    id: 'validity',
    title: 'Does the ranking carry over?',
    finding: verdictOf(validity),
    body: html`${warningList(validity)}<p><a href="${validityPath}">Correlations, items and subsets</a></p>`,
  });
}

/** The whole of it. */
export function validityPage(validity: Validity, options: SiteOptions): SitePage {
  return drawPage(
    {
      path: validityPath,
      title: 'Does the ranking carry over?',
      verdict: verdictOf(validity),
      lead: warningList(validity),
      parts: [predictionsPart(validity), subsetsPart(validity), itemsPart(validity)],
    },
    options,
  );
}

function verdictOf({ predictions, subsets }: Validity): string {
  const seeds = predictions.find(({ by }) => by === 'seed')?.kendall ?? null;
  const smallest = subsets?.smallest ?? null;
  const others = predictions.filter(({ by, kendall }) => by !== 'seed' && kendall !== null);
  const weakest = others.toSorted((one, other) => (one.kendall?.value ?? 0) - (other.kendall?.value ?? 0))[0];
  const parts = [
    seeds === null ? null : `Other seeds of the same templates give Kendall ${corrText(seeds)}.`,
    weakest === undefined
      ? null
      : `The rank on ${weakest.one} predicts the one on ${weakest.other} worst: Kendall ${corrText(weakest.kendall)}.`,
    smallest === null
      ? null
      : `${smallest.templates.length} of ${smallest.of} templates were enough to rank the same; on seeds that they were not chosen on they keep Kendall ${numberText(smallest.kendall)}.`,
  ];
  return parts.filter(part => part !== null).join(' ');
}

function corrText(correlation: RankCorrelation | null): string {
  if (correlation === null) return '–';
  return `${numberText(correlation.value)} (${numberText(correlation.low)}…${numberText(correlation.high)})`;
}

function numberText(value: number | null): string {
  return value === null ? '–' : value.toFixed(2).replace('-', '−');
}

function warningList({ warnings }: Validity): Content {
  if (warnings.length === 0) return null;
  return html`<ul class="claims">${warnings.map(
    ({ kind, text, templates }) =>
      html`<li class="fails"><span class="mark">!</span><div><p><b>${kind}</b> ${text}</p>${templates.length === 0 ? null : html`<p class="evidence">${listText(shortened(templates))}</p>`}</div></li>`,
  )}</ul>`;
}

function shortened(names: readonly string[]): readonly string[] {
  return names.length <= 6 ? names : [...names.slice(0, 5), `${names.length - 5} more`];
}

const kinds: Readonly<Record<Prediction['by'], string>> = {
  seed: 'other seeds',
  level: 'other templates',
  environment: 'another environment',
  family: 'another family',
  date: 'another date',
};

function predictionsPart({ predictions }: Validity): Part | null {
  if (predictions.length === 0) return null;
  return section({
    id: 'predictions',
    title: 'Ranks on some tasks and on others',
    finding:
      'Correlations of the ranks of the same entrants, with 95 % intervals by drawing templates and tasks again. Seeds come first: two halves of the same tasks show what is the most that can be expected.',
    body: html`<div class="tags">${table({
      caption: 'Who is ahead here, is ahead there?',
      head: ['Ranks on', 'and on', 'That is', 'Spearman', 'Kendall', 'Ranks move by', 'Tasks'],
      rows: predictions.map(({ by, one, other, spearman, kendall, shift, tasks }) => [
        one,
        other,
        kinds[by],
        corrText(spearman),
        corrText(kendall),
        shift.toFixed(1),
        `${tasks[0]} and ${tasks[1]}`,
      ]),
    })}</div>`,
  });
}

function subsetsPart({ subsets }: Validity): Part | null {
  if (subsets === null) return null;
  const rows = [
    ...(subsets.smallest === null ? [] : [['smallest', subsets.smallest] as const]),
    ['a quarter', subsets.quarter] as const,
  ];
  return section({
    id: 'subsets',
    title: 'Fewer templates that rank the same',
    finding: `Chosen on one half of the seeds, tried on the other. The size is the first that kept Kendall ${wanted} within the half that it was chosen on.`,
    body: rows.map(([name, subset]) => subsetMarkup(name, subset)),
  });
}

function subsetMarkup(name: string, { templates, of, kendall, byChance }: Subset): Markup {
  return html`<p><b>${name === 'smallest' ? 'The smallest' : 'A quarter'}</b>: ${templates.length} of ${count(of, 'template')}. Kendall ${numberText(kendall)} with all of them on the other seeds; chosen by chance ${numberText(byChance)}.</p>
<details class="data"><summary>Which</summary><p><code>${templates.join(', ')}</code></p></details>`;
}

function itemsPart({ items, fit }: Validity): Part {
  const told =
    fit === null
      ? ''
      : ` On seeds that it was not fitted on the model needs ${fit.model.toFixed(3)} bits a trial; knowing the entrants alone needs ${fit.entrantsAlone.toFixed(3)}.`;
  return section({
    id: 'items',
    title: 'What each template tells',
    finding: `Two-parameter logistic model: discrimination is how sharply a template tells entrants apart, difficulty the ability (standard deviations of these entrants) at which half pass. Outfit is near 1 where passes follow the model.${told}`,
    body: table({
      caption: 'The most telling first',
      head: ['Template', 'Discrimination', 'Difficulty', 'Outfit', 'Passed', 'Trials'],
      rows: items.map((item: FittedItem) => [
        item.item,
        numberText(item.discrimination),
        numberText(item.difficulty),
        numberText(item.outfit),
        percentText(item.rate),
        item.trials,
      ]),
    }),
  });
}
