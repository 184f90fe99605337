import { diff } from '../../core/diff.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { AppTemplate, TaskDraft } from '../../worlds/app/template.ts';
import type { TaskCall } from './command-goal.ts';
import {
  asInstruction,
  forgeCall,
  goalOfCalls,
  leavesTrace,
  type ForgedCall,
  type ForgeWorkshop,
} from './command-template.ts';

interface ChainOptions {
  readonly id: string;
  readonly about: string;
  readonly length: number;
  /** How many of the calls were made before the task starts. */
  readonly made: number;
}

export const chains: readonly ChainOptions[] = [
  { id: 'two-commands.forged', about: 'Forged from two commands, one after the other.', length: 2, made: 0 },
  { id: 'three-commands.forged', about: 'Forged from three commands, one after the other.', length: 3, made: 0 },
  { id: 'partly-done.forged', about: 'Forged conflict: the first of two things was done before.', length: 2, made: 1 },
];

const chainsToTry = 12;

/** Tasks that ask for several calls in one app, one after the other; some of them may have been made already. */
export function chainTemplate<S extends JsonObject>(
  workshop: ForgeWorkshop<S>,
  { id, about, length, made }: ChainOptions,
): AppTemplate<S> {
  const { app, split } = workshop;
  return {
    id,
    about,
    split,
    kind: 'feasible',
    steps: 15 + 15 * length,
    kindOf: () => 'feasible',
    make(state, random): TaskDraft | null {
      for (let attempt = 0; attempt < chainsToTry; attempt++) {
        const own = random.fork(`chain ${attempt}`);
        const chain = forgeChain(workshop, { state, random: own, length });
        if (chain === null || (length - made === 1 && !isSolo(workshop, chain.at(-1)))) continue;
        // What may have been done already must be seen from the data.
        if (made > 0 && !chain.every(forged => leavesTrace(app, forged))) continue;
        const start = made === 0 ? state : withScreenOf(state, (chain[made - 1] as ForgedCall<S>).call.after);
        const left = chain.slice(made).map(({ call }): TaskCall => ({ command: call.command.name, input: call.input }));
        return {
          parameters: { calls: left as unknown as Json, names: chain.map(({ names }) => names) },
          instruction: sayChain(chain, made > 0, own.fork('frame')),
          patch: diff(state, start as Json),
        };
      }
      return null;
    },
    goal(parameters, initial) {
      const calls = parameters['calls'] as unknown as readonly TaskCall[];
      return { kind: 'feasible', answer: null, shown: null, ...goalOfCalls(app, initial, calls) };
    },
  };
}

/** Whether a task may ask for this call by itself. */
function isSolo<S extends JsonObject>({ soloSamplers }: ForgeWorkshop<S>, last: ForgedCall<S> | undefined): boolean {
  return soloSamplers.some(({ command }) => command === last?.call.command);
}

/** The data of one state under the screen of another. */
export function withScreenOf<S extends JsonObject>(screen: S, data: S): S {
  return screen['ui'] === undefined ? data : { ...data, ui: screen['ui'] };
}

interface ChainRequest<S extends JsonObject> {
  readonly state: S;
  readonly random: Random;
  readonly length: number;
}

/** Calls of different commands that do not undo each other; null when none are found. */
function forgeChain<S extends JsonObject>(
  workshop: ForgeWorkshop<S>,
  { state, random, length }: ChainRequest<S>,
): ForgedCall<S>[] | null {
  const chain: ForgedCall<S>[] = [];
  let now = state;
  for (const [index, sampler] of random.sample(workshop.samplers, length).entries()) {
    const forged = forgeCall(workshop, sampler, { state: now, random: random.fork(`${index}`) });
    if (forged === null || chain.some(earlier => collide(earlier, forged))) return null;
    chain.push(forged);
    now = withScreenOf(state, forged.call.after);
  }
  return chain.length === length ? chain : null;
}

/** Whether two calls touch the same place, so that the second one hides what the first did. */
export function collide<S extends JsonObject>(left: ForgedCall<S>, right: ForgedCall<S>): boolean {
  return left.call.changes.some(one =>
    right.call.changes.some(
      other =>
        one.path === other.path || one.path.startsWith(`${other.path}/`) || other.path.startsWith(`${one.path}/`),
    ),
  );
}

/** One sentence after another; one that ends with a quoted sentence needs no further full stop. */
function afterSentence(before: string, sentence: string): string {
  return `${before}${/[.!?]"?$/.test(before) ? '' : '.'} ${sentence}`;
}

/** The sentences of some calls as one instruction. */
export function sayChain<S extends JsonObject>(
  chain: readonly ForgedCall<S>[],
  isPartlyDone: boolean,
  random: Random,
): string {
  const sentences = chain.map(({ sentence }) => sentence);
  const isLong = sentences.some(sentence => /[.!?:]/.test(sentence)) || sentences.length > 2;
  const small = (sentence: string): string => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  const [first = '', ...rest] = sentences;
  const whole = isLong
    ? [first, ...rest.map(sentence => `${random.pick(['Then ', 'After that, ', 'Also, '])}${small(sentence)}`)].reduce(
        afterSentence,
      )
    : `${first}${random.pick([' and ', ', then ', ' and then '])}${small(rest[0] ?? '')}`;
  if (!isPartlyDone) return asInstruction(whole, random);
  return `Some of this may have been done already; do what is left. ${asInstruction(whole, random)}`;
}
