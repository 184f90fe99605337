import type { Situation } from '../../core/episode/view.ts';
import { featuresOf } from './features/features.ts';
import type { Features } from './features/sink.ts';
import { findChoices, type Choice } from './reading/choices.ts';
import { readInstruction, readStateFeatures } from './reading/situation.ts';

/** What can be done in a situation, and the features of each choice. */
export interface ReadSituation {
  readonly choices: readonly Choice[];
  readonly features: Features;
}

/** Reads situations. Those of one episode share an instruction, which is read once. */
export function createReader(): (situation: Situation) => ReadSituation {
  let reading = readInstruction('');
  return situation => {
    if (reading.instruction !== situation.instruction) reading = readInstruction(situation.instruction);
    const state = readStateFeatures(situation, reading);
    const choices = findChoices(state);
    return { choices, features: featuresOf(state, choices) };
  };
}
