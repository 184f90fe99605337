import type { Situation } from '../../core/episode/view.ts';
import { featuresOf } from './features/features.ts';
import { createSink, type Features } from './features/sink.ts';
import { findChoices, type Choice } from './reading/choices.ts';
import { readElements, readInstruction, readStateFeatures } from './reading/situation.ts';
import { remembering } from './remembering.ts';

/** What can be done in a situation, and the features of each choice. */
export interface ReadSituation {
  readonly choices: readonly Choice[];
  readonly features: Features;
}

/** Episodes run beside each other: the instructions and the last screens of so many are kept. */
const [mostInstructions, mostScreens] = [16, 64];

/** Reads situations. Those of one episode share an instruction, and steps that change nothing share a screen: each is read once. */
export function createReader(): (situation: Situation) => ReadSituation {
  const instructionOf = remembering(mostInstructions, readInstruction);
  const elementsOf = remembering(mostScreens, readElements);
  const sink = createSink();
  return situation => {
    const { instruction, screen } = situation;
    const reading = instructionOf(instruction, instruction);
    const state = readStateFeatures(situation, { reading, elements: elementsOf(screen, screen) });
    const choices = findChoices(state);
    return { choices, features: featuresOf(state, choices, sink) };
  };
}
