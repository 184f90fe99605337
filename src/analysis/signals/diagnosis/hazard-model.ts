/** Guesses the first wrong step of a failure from features of its steps. */
export interface HazardModel {
  /** One for each feature. */
  readonly weights: readonly number[];
  /** How much the chance of the steps beside it counts: a step between two likely ones is a good guess. */
  readonly besideShare: number;
}

export interface Guess {
  /** Place on the path. */
  readonly index: number;
  /** The chance that the first wrong step is this one or one beside it. */
  readonly confidence: number;
}

/** How likely a step with these features is wrong, given that all before it were right. */
export function hazardOf(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (const [at, value] of row.entries()) sum += value * (weights[at] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** The step that is most probably the first wrong one, or next to it; null for a path without steps. */
export function guessFirst(rows: readonly (readonly number[])[], { weights, besideShare }: HazardModel): Guess | null {
  if (rows.length === 0) return null;
  const chances = chancesOf(rows, weights);
  const at = (index: number): number => chances[index] ?? 0;
  const scores = chances.map((chance, index) => chance + besideShare * (at(index - 1) + at(index + 1)));
  const index = scores.indexOf(Math.max(...scores));
  return { index, confidence: at(index - 1) + at(index) + at(index + 1) };
}

/** The chance of each step to be the first wrong one. */
function chancesOf(rows: readonly (readonly number[])[], weights: readonly number[]): readonly number[] {
  let left = 1;
  const found = rows.map(row => {
    const hazard = hazardOf(row, weights);
    const chance = left * hazard;
    left *= 1 - hazard;
    return chance;
  });
  const total = found.reduce((sum, chance) => sum + chance, 0);
  return found.map(chance => chance / total);
}
