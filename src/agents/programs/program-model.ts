/** What a student has learned: how often questions use a word, and how words speak for parts of programs. */
export interface LearnedPrograms {
  readonly words: Readonly<Record<string, number>>;
  /** By word, then by feature of a program. */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Scores of features of programs for the words of one line. */
export type LineScores = Float64Array;

/** A log-linear model: the score of a program is a sum over the words of its line and the features of the program. */
export interface ProgramModel {
  knows(word: string): boolean;
  /** Counts the words of a question; no answer is needed for that. */
  countWords(question: string): void;
  featureId(name: string): number;
  scoresOf(words: readonly string[]): LineScores;
  /** Moves the weights of these words along a gradient over features. */
  follow(words: readonly string[], gradient: ReadonlyMap<number, number>): void;
  learned(): LearnedPrograms;
}

export const blankPrograms: LearnedPrograms = { words: {}, weights: {} };

/** A word that fewer questions have may be a value, such as a text to reverse. */
const fewestQuestions = 3;
const rate = 0.6;
const negligible = 1e-4;
const always = '';
const mostFeatures = 20_000;

export function createProgramModel(learned: LearnedPrograms = blankPrograms): ProgramModel {
  const counts = new Map(Object.entries(learned.words));
  const features = new Map<string, number>();
  const featureId = (name: string): number => {
    const known = features.get(name);
    if (known !== undefined) return known;
    features.set(name, features.size);
    return features.size - 1;
  };
  const weights = new Map(
    Object.entries(learned.weights).map(([word, row]) => [
      word,
      new Map(Object.entries(row).map(([feature, weight]) => [featureId(feature), weight])),
    ]),
  );
  return {
    featureId,
    knows: word => (counts.get(word) ?? 0) >= fewestQuestions,
    countWords(question) {
      for (const word of new Set(question.toLowerCase().match(/[a-z]+/g) ?? []))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    },
    scoresOf(words) {
      const scores = new Float64Array(mostFeatures);
      const scale = scaleOf(words);
      for (const word of [always, ...words])
        for (const [feature, weight] of weights.get(word) ?? [])
          scores[feature] = (scores[feature] as number) + scale * weight;
      return scores;
    },
    follow(words, gradient) {
      const step = rate * scaleOf(words);
      for (const word of [always, ...words]) {
        const row = weights.get(word) ?? new Map<number, number>();
        weights.set(word, row);
        for (const [feature, slope] of gradient)
          if (Math.abs(slope) > negligible) row.set(feature, (row.get(feature) ?? 0) + step * slope);
      }
    },
    learned() {
      const names = [...features.keys()];
      const rowOf = (row: ReadonlyMap<number, number>): Record<string, number> =>
        Object.fromEntries([...row].map(([feature, weight]) => [names[feature], Number(weight.toPrecision(6))]));
      return {
        words: Object.fromEntries([...counts].filter(([, count]) => count >= fewestQuestions)),
        weights: Object.fromEntries([...weights].map(([word, row]) => [word, rowOf(row)])),
      };
    },
  };
}

/** Long lines move scores no further than short ones. */
function scaleOf(words: readonly string[]): number {
  return 1 / Math.sqrt(words.length + 1);
}
