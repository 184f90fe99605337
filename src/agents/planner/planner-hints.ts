import type { Candidate } from '../../core/contracts.ts';
import { isJsonObject, scalars, type Json } from '../../core/json.ts';
import type { Task } from '../../core/records.ts';

/** What the parameters of a task suggest about actions and states; the same for every app. */
export interface Hints {
  /**
   * Splits actions into those worth trying first and the rest: a text goes first into the fields that are called like
   * it, other texts into fields that are called like none, and of the options those that the task names.
   */
  split(candidates: readonly Candidate[]): { likely: readonly Candidate[]; unlikely: readonly Candidate[] };
  /** What speaks for a step, in quarters of a step: that the instruction names its element, that a text fits its field. */
  merit(candidate: Candidate): number;
  /** Those of the task's values that stand among these. */
  among(values: readonly (string | number)[]): ReadonlySet<string>;
  /** Those of the task's values that stand inside these. */
  within(values: readonly (string | number)[]): ReadonlySet<string>;
}

export function createHints(task: Task): Hints {
  const wanted = new Set(scalars(task.parameters).map(String));
  const keywords = keywordsByText(task.parameters);
  const told = new Set(wordsOf(task.instruction));
  const known = new Map<string, readonly string[]>();
  /** Screens show the same names again and again. */
  const wordsIn = (name: string): readonly string[] => {
    const words = known.get(name) ?? wordsOf(name);
    known.set(name, words);
    return words;
  };

  const fits = (field: string, text: string): boolean => {
    const words = keywords.get(text);
    return words !== undefined && wordsIn(field).some(word => words.has(word));
  };

  return {
    split(candidates) {
      const fields = new Set<string>();
      for (const { action, name = '' } of candidates) if (action.kind === 'fill') fields.add(name);
      const texts = [...keywords.keys()];
      const namedTexts = new Set(texts.filter(text => [...fields].some(field => fits(field, text))));
      const namedFields = new Set([...fields].filter(field => texts.some(text => fits(field, text))));
      const isLikely = ({ action, name = '' }: Candidate): boolean => {
        if (action.kind === 'select') return wanted.has(action.option);
        if (action.kind !== 'fill' || fits(name, action.text)) return true;
        return !namedTexts.has(action.text) && !namedFields.has(name);
      };
      const likely: Candidate[] = [];
      const unlikely: Candidate[] = [];
      for (const candidate of candidates) (isLikely(candidate) ? likely : unlikely).push(candidate);
      return { likely, unlikely };
    },
    merit({ action, name = '' }) {
      if (action.kind === 'fill') return fits(name, action.text) ? 0 : -1;
      const words = wordsIn(name);
      return words.length === 0 ? 0 : Math.round((2 * words.filter(word => told.has(word)).length) / words.length);
    },
    among: values => new Set(values.map(String).filter(value => wanted.has(value))),
    within: values => new Set([...wanted].filter(text => values.some(value => String(value).includes(text)))),
  };
}

/** The words of the keys under which each text stands: `{ newSubject: 'Lunch' }` ties "Lunch" to "new" and "subject". */
function keywordsByText(parameters: Json): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const walk = (value: Json, words: readonly string[]): void => {
    if (typeof value === 'string' || typeof value === 'number') {
      const known = found.get(String(value)) ?? new Set();
      for (const word of words) known.add(word);
      found.set(String(value), known);
    } else if (Array.isArray(value)) for (const item of value) walk(item, words);
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) walk(item, wordsOf(key));
  };
  walk(parameters, []);
  return found;
}

/** Lower-case words, without the plural. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .map(word => word.replace(/s$/, ''));
}
