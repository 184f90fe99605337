/** What is asked of a step, by name: 0 and false when left out. */
export type StepFeatures = Readonly<Record<string, boolean | number>>;

/** How much each feature weighs. A feature without a weight counts nothing. */
export type HazardWeights = Readonly<Record<string, number>>;

export interface Guess {
  /** Place on the path. */
  readonly index: number;
  /** The chance that this is the first wrong step, by the model itself. */
  readonly confidence: number;
}

/** How likely a step with these features is wrong, given that all before it were right. */
export function hazardOf(row: StepFeatures, weights: HazardWeights): number {
  let sum = 0;
  for (const [name, value] of Object.entries(row)) sum += Number(value) * (weights[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** The step that is most probably the first wrong one; null for a path without steps. */
export function guessFirst(rows: readonly StepFeatures[], weights: HazardWeights): Guess | null {
  if (rows.length === 0) return null;
  const chances = chancesOf(rows, weights);
  const confidence = Math.max(...chances);
  return { index: chances.indexOf(confidence), confidence };
}

/** The chance of each step to be the first wrong one. */
function chancesOf(rows: readonly StepFeatures[], weights: HazardWeights): readonly number[] {
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
