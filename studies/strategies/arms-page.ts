import type { NestedMean } from '../../src/analysis/bootstrap.ts';
import type { ArmResult } from './run-arms.ts';

/** A comparison of arms under one budget, as a column of a table in the docs. */
export interface ArmColumn {
  /** `30 steps`. */
  readonly head: string;
  readonly results: readonly ArmResult[];
}

/** Tables of the same comparison from several commands, each with some of the arms, as one. */
export function joinParts<Table extends { readonly results: readonly ArmResult[] }>(
  tables: readonly Table[],
  titleOf: (table: Table) => string,
): Table[] {
  return [...Map.groupBy(tables, titleOf)].map(([title, parts]) => {
    const results = new Map<string, ArmResult>();
    for (const arm of parts.flatMap(part => part.results)) {
      const known = results.get(arm.name);
      if (known !== undefined && JSON.stringify(known.success) !== JSON.stringify(arm.success))
        throw new Error(
          `${title}: ${arm.name} has other results in another part. Were the parts run on the same tasks?`,
        );
      results.set(arm.name, known ?? arm);
    }
    return { ...(parts[0] as Table), results: [...results.values()] };
  });
}

const tenths = (share: number): string => (100 * share).toFixed(1).replace(/^-0\.0$/, '0.0');

function pointsText({ mean, low, high }: NestedMean): string {
  return `${Number(tenths(mean)) > 0 ? '+' : ''}${tenths(mean)} (${tenths(low)} to ${tenths(high)})`;
}

function rateText({ mean, low, high }: NestedMean): string {
  return `${tenths(mean)} % (${tenths(low)}–${tenths(high)})`;
}

/** The comparisons of one student beside each other: the first arm as it is, the others by their difference to it; and what the last column costs. */
export function armTable(columns: readonly ArmColumn[]): string[] {
  const last = columns.at(-1)?.results ?? [];
  const isTaught = last.some(({ taught }) => taught > 0);
  const asked = last.some(({ tokens }) => tokens > 0);
  const heads = [
    '',
    ...columns.map(({ head }) => head),
    'steps',
    'questions',
    ...(isTaught ? ['to the teacher'] : []),
    // A model that remembers its answers takes no time for those of the arms before.
    asked ? 'tokens' : 'ms',
  ];
  const rows = last.map(arm => [
    `\`${arm.name}\``,
    ...columns.map(({ results }) => {
      const own = results.find(({ name }) => name === arm.name);
      if (own === undefined) return '–';
      return own.difference === null ? rateText(own.success) : pointsText(own.difference);
    }),
    arm.steps.toFixed(1),
    arm.queries.toFixed(1),
    ...(isTaught ? [arm.taught.toFixed(1)] : []),
    (asked ? arm.tokens : arm.milliseconds).toFixed(0),
  ]);
  const size = `${last[0]?.episodes ?? 0} episodes an arm`;
  return [
    ...[heads, heads.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`),
    '',
    `${findings(columns)} (${size}.)`,
  ];
}

/** Which differences are more than chance. */
function findings(columns: readonly ArmColumn[]): string {
  const told = columns.flatMap(({ head, results }) => {
    const named = (isShown: (difference: NestedMean) => boolean): string =>
      results.flatMap(({ name, difference }) => (difference !== null && isShown(difference) ? [name] : [])).join(', ');
    const [ahead, behind] = [named(({ low }) => low > 0), named(({ high }) => high < 0)];
    const parts = [ahead === '' ? [] : [`ahead: ${ahead}`], behind === '' ? [] : [`behind: ${behind}`]].flat();
    return parts.length === 0 ? [] : [`${head}, ${parts.join('; ')}`];
  });
  if (told.length === 0) return 'All intervals include 0: nothing is shown for or against any of them here.';
  return `Intervals that exclude 0, not corrected for their number: ${told.join('. ')}.`;
}
