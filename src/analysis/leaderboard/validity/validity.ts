import type { Grid } from '../board.ts';
import { scoredTasks } from '../make-board.ts';
import type { ScoredTask } from '../scores.ts';
import { predict, predictions, type Prediction } from './correlations.ts';
import { halves } from './halves.ts';
import { fitItems, type FittedItem, type ItemFit } from './item-response.ts';
import { responsesOf } from './responses.ts';
import { findSubsets, type Subsets } from './subset.ts';
import { warningsOf, type Warning } from './warnings.ts';

/** Whether the ranking of a board says something about other tasks. */
export interface Validity {
  readonly predictions: readonly Prediction[];
  /** The most telling first. */
  readonly items: readonly FittedItem[];
  /** Null where templates have one task each. */
  readonly fit: ItemFit | null;
  /** Null with too few templates. */
  readonly subsets: Subsets | null;
  readonly warnings: readonly Warning[];
}

const fewestEntrants = 3;

/** Null with fewer than three entrants: two have one order or the other. */
export function validityOf(grid: Grid): Validity | null {
  const entrants = grid.entrants.length;
  const tasks = scoredTasks(grid);
  if (entrants < fewestEntrants || tasks.length === 0) return null;
  const model = fitItems(responsesOf(tasks), entrants);
  const items = model.items.toSorted((one, other) => other.discrimination - one.discrimination);
  const found = {
    predictions: allPredictions(tasks, grid),
    items,
    fit: fitOf(tasks, entrants),
    subsets: findSubsets(tasks, entrants),
  };
  return { ...found, warnings: warningsOf({ ...found, tasks }) };
}

function allPredictions(
  tasks: readonly ScoredTask[],
  { entrants: { length: entrants }, dates = {} }: Grid,
): readonly Prediction[] {
  const [odd, even] = halves(tasks);
  const seeds =
    even.length === 0
      ? []
      : [predict({ by: 'seed', one: 'half of the seeds', other: 'the other half' }, [odd, even], entrants)];
  const by = (kind: Prediction['by'], groupOf: (task: ScoredTask) => string | null): Grouped => ({
    found: predictions(kind, tasks, groupOf),
    groups: new Set(tasks.map(groupOf)).size,
  });
  const environments = by('environment', ({ environment }) => environment);
  const families = by('family', ({ environment }) => familyOf(environment));
  const released = by('date', ({ environment }) => periodOf(environment, dates));
  // What groups the tasks as environments do says the same; a date says more than the name of a release.
  const isDated = released.found.length > 0 && released.groups === environments.groups;
  return [
    ...seeds,
    ...predictions('level', tasks, ({ level }) => level),
    ...(isDated ? [] : environments.found),
    ...(families.groups === environments.groups ? [] : families.found),
    ...released.found,
  ];
}

interface Grouped {
  readonly found: readonly Prediction[];
  readonly groups: number;
}

/** The month in which an environment was released; the day, where all are of one month. */
function periodOf(environment: string, dates: Readonly<Record<string, string>>): string | null {
  const months = new Set(Object.values(dates).map(monthOf));
  const date = dates[environment];
  if (date === undefined) return null;
  return months.size > 1 ? monthOf(date) : date;
}

/** `2026-11` of `2026-11-18`. */
function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** `synth:3` is one of `synth`; an app and a module is each its own. */
function familyOf(environment: string): string {
  return /^(\w+):/.exec(environment)?.[1] ?? environment;
}

/** Fits on one half of the seeds and tells the other half. */
function fitOf(tasks: readonly ScoredTask[], entrants: number): ItemFit | null {
  const [odd, even] = halves(tasks);
  if (even.length === 0) return null;
  const known = responsesOf(odd);
  const model = fitItems(known, entrants);
  const rates = Array.from({ length: entrants }, (_, entrant) => {
    const [yes, all] = known.reduce(
      ([passed, trials], own) => [passed + (own.passed[entrant] as number), trials + (own.trials[entrant] as number)],
      [0, 0],
    );
    // One pass and one failure more: nobody is sure to fail.
    return (yes + 1) / (all + 2);
  });
  const items = new Set(known.map(({ item }) => item));
  const held = responsesOf(even).filter(({ item }) => items.has(item));
  const bits = (chanceOf: (entrant: number, item: string) => number): number => {
    let [sum, count] = [0, 0];
    for (const { item, passed, trials } of held)
      for (const [entrant, all] of trials.entries()) {
        const [yes, chance] = [passed[entrant] as number, chanceOf(entrant, item)];
        sum -= yes * Math.log2(chance) + (all - yes) * Math.log2(1 - chance);
        count += all;
      }
    return sum / count;
  };
  return { model: bits(model.chance), entrantsAlone: bits(entrant => rates[entrant] as number) };
}
