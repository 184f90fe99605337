import type { JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { App } from '../../worlds/app/app.ts';
import type { AppCommand } from '../../worlds/app/command.ts';
import { tablesFor } from '../data/tables-for.ts';
import { drawInput, type DrawnInput, type DrawnMember } from './draw-input.ts';
import { freshText } from './fresh-values.ts';
import { learnInputs, type LearnedInputs } from './learn-inputs.ts';
import { inputMembers } from './members.ts';
import { strangeValues, type StrangeValue } from './strange-value.ts';
import { tryCall, type SampledCall } from './try-call.ts';

export interface InputSampler<S extends JsonObject> {
  readonly command: AppCommand<S>;
  /** Null when no input was found that the command accepts and that changes data. */
  sample(state: S, random: Random): SampledCall<S> | null;
}

const triesToSample = 60;
/** So many calls with a text that looks unlike the others are passed over. */
const mostStrange = 8;

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
      const strange: SampledCall<S>[] = [];
      for (let attempt = 0; attempt < triesToSample && strange.length < mostStrange; attempt++) {
        const drawn = drawInput(members, { tables, random, ...learnedNow });
        const outcome = drawn === null ? null : tryCall(app, { command, state, drawn });
        if (outcome === null || !('call' in outcome)) continue;
        const odd = strangeValues(outcome.call, tables);
        if (odd.length === 0) return outcome.call;
        const again = tryCall(app, { command, state, drawn: withLikely(outcome.call, odd, random) });
        if ('call' in again && strangeValues(again.call, tables).length === 0) return again.call;
        strange.push(outcome.call);
      }
      return strange[0] ?? null;
    },
  };
}

/** The same input, with texts that look like those that are there. */
function withLikely({ members, given }: DrawnInput, odd: readonly StrangeValue[], random: Random): DrawnInput {
  const likely = new Map(odd.map(({ value, member, texts }) => [value, freshText(member, texts, random)] as const));
  const changed = members.map((member): DrawnMember => {
    const text = typeof member.value === 'string' ? likely.get(member.value) : undefined;
    // The id of a worker as an ear tag: no name on a screen stands for it.
    return text === undefined ? member : { ...member, role: 'text', value: text, places: [] };
  });
  const said = changed.filter(({ role }) => role !== 'left-out');
  return {
    members: changed,
    given: { ...given, ...Object.fromEntries(said.map(({ key, value }) => [key, value])) },
    texts: said.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  };
}
