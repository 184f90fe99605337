import type { Action } from '../../../core/action.ts';
import { findAnswers, type Answer } from './answers.ts';
import type { Element, StateFeatures, TrackedMention } from './situation.ts';

/** An action that the student weighs, with what it is about. */
export type Choice =
  | { readonly kind: 'click'; readonly action: Action; readonly element: Element }
  | {
      readonly kind: 'select';
      readonly action: Action;
      readonly element: Element;
      readonly option: string;
      readonly words: readonly string[];
    }
  | { readonly kind: 'fill'; readonly action: Action; readonly element: Element; readonly mention: TrackedMention }
  | { readonly kind: 'finish'; readonly action: Action; readonly how: 'done' | 'infeasible' }
  | { readonly kind: 'answer'; readonly action: Action; readonly answer: Answer };

/** Everything that can be done on a screen, as far as it can be told from its text and the instruction. */
export function findChoices(features: StateFeatures): readonly Choice[] {
  const choices: Choice[] = [];
  for (const element of features.elements) if (element.ref !== null) addChoices(choices, features, element);
  choices.push({ kind: 'finish', action: { kind: 'finish' }, how: 'done' });
  choices.push({ kind: 'finish', action: { kind: 'finish', infeasible: true }, how: 'infeasible' });
  if (features.asks) {
    for (const answer of findAnswers(features)) {
      choices.push({ kind: 'answer', action: { kind: 'finish', answer: answer.text }, answer });
    }
  }
  return choices;
}

function addChoices(choices: Choice[], features: StateFeatures, element: Element): void {
  const ref = element.ref as string;
  if (element.options.length > 0) {
    for (const [at, option] of element.options.entries()) {
      if (option === element.value) continue;
      const words = element.optionWords[at] as readonly string[];
      choices.push({ kind: 'select', action: { kind: 'select', ref, option }, element, option, words });
    }
  } else if (element.role === 'textbox') {
    const offered = new Set([element.value]);
    for (const mention of features.mentions) {
      if (offered.has(mention.text)) continue;
      offered.add(mention.text);
      choices.push({ kind: 'fill', action: { kind: 'fill', ref, text: mention.text }, element, mention });
    }
  } else {
    choices.push({ kind: 'click', action: { kind: 'click', ref }, element });
  }
}
