import type { DrawnInstance } from './instance.ts';
import type { Step } from './script.ts';

/** An instance with its last step. */
export interface Answered {
  readonly instance: DrawnInstance;
  readonly last: Step;
}

/** Instances of a level that are looked at. */
export const fewestInstances = 24;
/** Share of the instances that one answer may be right for: more where only a few answers are possible. */
const mostAlike = { few: 0.85, many: 0.6 };
const fewAnswers = 4;
const fewestQuestions = 8;

/** Says so when guessing one answer would often be right; null when answers differ enough. */
export function guessable(instances: readonly Answered[]): string | null {
  const counts = new Map<string, number>();
  for (const { last } of instances) {
    const answer = last.type.write(last.value);
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  const isFew = instances[0]?.last.type.kind === 'boolean' || counts.size <= fewAnswers;
  const most = Math.max(...counts.values()) / instances.length;
  if (most <= mostAlike[isFew ? 'few' : 'many'] && counts.size > 1) return null;
  return `one answer is right for ${Math.round(100 * most)} % of the instances`;
}

/** Says so when few questions are asked again and again; null when there are enough. */
export function repetitive(instances: readonly Answered[]): string | null {
  const questions = new Set(instances.map(({ instance }) => JSON.stringify([instance.input, instance.parameters])));
  return questions.size >= fewestQuestions
    ? null
    : `there are only ${questions.size} questions in ${instances.length} instances`;
}
