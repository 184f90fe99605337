import type { Situation } from '../../core/episode/view.ts';
import { writeFeatures } from './features/features.ts';
import { createSink, type Features } from './features/sink.ts';
import { findChoices, type Choice } from './reading/choices.ts';
import { readElements, readInstruction, readStateFeatures } from './reading/situation.ts';
import { readStepLine } from './reading/steps.ts';
import { remembering } from './remembering.ts';

/** What can be done in a situation, and the features of each choice. */
export interface ReadSituation {
  readonly choices: readonly Choice[];
  readonly features: Features;
}

/** Episodes run beside each other: the instructions, the last screens and the steps of so many are kept. */
const [mostInstructions, mostScreens, mostSteps] = [16, 64, 512];

/** Reads situations. The features of one are overwritten when the next is read. Those of one episode share an instruction, and steps that change nothing share a screen: each is read once. */
export function createReader(): (situation: Situation) => ReadSituation {
  const instructionOf = remembering(mostInstructions, readInstruction);
  const elementsOf = remembering(mostScreens, readElements);
  const lineOf = remembering(mostSteps, readStepLine);
  const sink = createSink();
  return situation => {
    const { instruction, screen } = situation;
    const reading = instructionOf(instruction, instruction);
    const lines = situation.history.map(step => lineOf(step, step));
    const state = readStateFeatures(situation, { reading, elements: elementsOf(screen, screen), lines });
    const choices = findChoices(state);
    return { choices, features: writeFeatures(state, choices, sink) };
  };
}
