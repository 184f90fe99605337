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
    predictions: allPredictions(tasks, entrants),
    items,
    fit: fitOf(tasks, entrants),
    subsets: findSubsets(tasks, entrants),
  };
  return { ...found, warnings: warningsOf({ ...found, tasks }) };
}

function allPredictions(tasks: readonly ScoredTask[], entrants: number): readonly Prediction[] {
  const [odd, even] = halves(tasks);
  const seeds =
    even.length === 0
      ? []
      : [predict({ by: 'seed', one: 'half of the seeds', other: 'the other half' }, [odd, even], entrants)];
  const families = predictions('family', tasks, ({ environment }) => familyOf(environment));
  const environments = predictions('environment', tasks, ({ environment }) => environment);
  const isSame =
    families.length > 0 &&
    new Set(tasks.map(task => familyOf(task.environment))).size ===
      new Set(tasks.map(({ environment }) => environment)).size;
  return [...seeds, ...predictions('level', tasks, ({ level }) => level), ...environments, ...(isSame ? [] : families)];
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
