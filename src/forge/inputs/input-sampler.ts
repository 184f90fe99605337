import type { JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { App } from '../../worlds/app/app.ts';
import type { AppCommand } from '../../worlds/app/command.ts';
import { tablesFor } from '../data/tables-for.ts';
import { drawInput } from './draw-input.ts';
import { learnInputs, type LearnedInputs } from './learn-inputs.ts';
import { inputMembers } from './members.ts';
import { tryCall, type SampledCall } from './try-call.ts';

export interface InputSampler<S extends JsonObject> {
  readonly command: AppCommand<S>;
  /** Null when no input was found that the command accepts and that changes data. */
  sample(state: S, random: Random): SampledCall<S> | null;
}

const triesToSample = 60;

/** Samples inputs that a command accepts. Null when its schema is not an object of members. */
export function createInputSampler<S extends JsonObject>(
  app: App<S>,
  command: AppCommand<S>,
  worlds: () => readonly S[],
): InputSampler<S> | null {
  const members = inputMembers(command);
  if (members === null) return null;
  let learned: LearnedInputs | null = null;
  const known = (): LearnedInputs => (learned ??= learnInputs({ app, command, members, worlds: worlds() }));
  return {
    command,
    sample(state, random) {
      const learnedNow = known();
      const tables = tablesFor(app, command.name, state);
      for (let attempt = 0; attempt < triesToSample; attempt++) {
        const drawn = drawInput(members, { tables, random, ...learnedNow });
        const outcome = drawn === null ? null : tryCall(app, { command, state, drawn });
        if (outcome !== null && 'call' in outcome) return outcome.call;
      }
      return null;
    },
  };
}
