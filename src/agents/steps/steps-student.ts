import { actionKey, type Action } from '../../core/action.ts';
import type { Decision, OrdinaryPolicy } from '../../core/episode/agents.ts';
import type { Situation } from '../../core/episode/view.ts';
import type { Json } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import { align, filled, wordsOf, type Aligned } from './slots.ts';

/** A step of an episode that passed, and where it was taken. */
export interface KnownStep {
  readonly situation: Situation;
  readonly action: Action;
}

interface Kept extends KnownStep {
  readonly words: readonly string[];
  readonly bag: ReadonlySet<string>;
  readonly screen: readonly string[];
}

const mostLooked = 12;
const mostTried = 5;
const leastSimilar = 0.3;
const alike = 0.6;

/**
 * Learns by keeping steps: it takes the step of the task that is most like this one, and puts what this task says in the place of what that
 * one said. A step that would have been right in other tasks that it knows is trusted more.
 */
export function createStepsStudent(steps: Iterable<KnownStep>, temperature = 0): OrdinaryPolicy {
  const byCount = new Map<number, Kept[]>();
  for (const step of steps) {
    const kept = keptOf(step);
    const count = step.situation.history.length;
    byCount.set(count, [...(byCount.get(count) ?? []), kept]);
  }
  const trust = createTrust();
  return {
    name: 'steps',
    act({ instruction, history, observation, random }): Decision {
      const now = keptOf({ situation: { instruction, history, screen: observation.text }, action: { kind: 'finish' } });
      const known = byCount.get(history.length) ?? [];
      const votes = new Map<string, Vote>();
      for (const { step, aligned } of nearest(known, now)) {
        const action = movedTo(step, now, aligned);
        const vote = votes.get(actionKey(action)) ?? { action, weight: 0 };
        vote.weight += aligned.similarity ** sharpness * trust(step, known);
        votes.set(actionKey(action), vote);
      }
      const all = [...votes.values()].toSorted((one, other) => other.weight - one.weight);
      const sum = all.reduce((total, { weight }) => total + weight, 0);
      const taken = temperature === 0 ? all[0] : drawn(all, temperature, random);
      // Nothing like this is known: whoever goes on would only guess.
      if (taken === undefined) return { action: { kind: 'finish' }, prior: 1, confidence: 0 };
      const others = all.filter(vote => vote !== taken).slice(0, mostAlternatives);
      const alternatives = others.map(({ action, weight }) => ({ action, prior: weight / sum }));
      return { action: taken.action, prior: taken.weight / sum, confidence: taken.weight / sum, alternatives };
    },
  };
}

interface Vote {
  readonly action: Action;
  weight: number;
}

function drawn(votes: readonly Vote[], temperature: number, random: Random): Vote | undefined {
  const weights = votes.map(({ weight }) => weight ** (1 / temperature));
  let left = random.next() * weights.reduce((total, weight) => total + weight, 0);
  return votes.find((_, at) => (left -= weights[at] as number) < 0) ?? votes[0];
}

const sharpness = 8;
const mostAlternatives = 7;

function keptOf(step: KnownStep): Kept {
  const words = wordsOf(step.situation.instruction);
  return { ...step, words, bag: new Set(words), screen: wordsOf(step.situation.screen) };
}

interface Near {
  readonly step: Kept;
  readonly aligned: Aligned;
}

function nearest(known: readonly Kept[], now: Kept): Near[] {
  const overlap = ({ bag }: Kept): number => {
    const [small, large] = bag.size < now.bag.size ? [bag, now.bag] : [now.bag, bag];
    let shared = 0;
    for (const word of small) if (large.has(word)) shared++;
    return shared / (bag.size + now.bag.size - shared);
  };
  const first = known
    .map(step => ({ step, overlap: overlap(step) }))
    .toSorted((one, other) => other.overlap - one.overlap);
  return first
    .slice(0, mostLooked)
    .map(({ step }) => ({ step, aligned: align(step.words, now.words) }))
    .filter(({ aligned }) => aligned.similarity >= leastSimilar)
    .toSorted((one, other) => other.aligned.similarity - one.aligned.similarity);
}

/** The step as it would be taken in another task. */
function movedTo(step: Kept, now: Kept, { pairs }: Aligned): Action {
  const all = new Map(pairs);
  const before = step.screen.map(text => pairs.get(text) ?? text);
  // What only the screen says: names, and no numbers, which are sizes there.
  for (const [old, text] of align(before, now.screen).pairs)
    if (!all.has(old) && !/^[\d.,]+$/.test(old)) all.set(old, text);
  const move = (value: Json): Json => {
    if (typeof value === 'string') return filled(value, all);
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, move(member as Json)]));
  };
  const { action } = step;
  if (action.kind === 'call') return { ...action, input: move(action.input) as typeof action.input };
  if (action.kind === 'finish' && action.answer !== undefined) return { ...action, answer: filled(action.answer, all) };
  return action;
}

/** How often a step is right when it is moved to tasks like its own whose step is known. */
function createTrust(): (step: Kept, known: readonly Kept[]) => number {
  const told = new Map<Kept, number>();
  return (step, known) => {
    const before = told.get(step);
    if (before !== undefined) return before;
    const others = nearest(known, step).filter(
      ({ step: other, aligned }) => other !== step && aligned.similarity >= alike,
    );
    const tried = others.slice(0, mostTried);
    const right = tried.filter(({ step: other }) => {
      const moved = movedTo(step, other, align(step.words, other.words));
      return actionKey(moved) === actionKey(other.action);
    });
    const trust = (right.length + 1) / (tried.length + 2);
    told.set(step, trust);
    return trust;
  };
}
