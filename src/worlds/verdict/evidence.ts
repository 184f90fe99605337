import type { Action } from '../../core/action.ts';
import type { JsonObject } from '../../core/json.ts';
import type { StepOutcome } from '../../core/records.ts';
import { standsIn } from '../../core/text.ts';
import type { Goal } from '../app/template.ts';
import { guarded } from './guarded.ts';

/** What must have been seen before an ending is right, so that an ending that was only guessed does not pass. */
export interface Evidence<S extends JsonObject> {
  /** How many things have to be seen, at any time and in any order. */
  readonly parts: number;
  /** Those that the screen of this state shows, a bit for each. */
  shownIn(state: S): number;
  /** Whether this tool call, made in a state, told them all. */
  isTold(state: S, action: Action, outcome: StepOutcome): boolean;
}

/** How many bits are set: things that were seen. */
export function bitsIn(seen: number): number {
  let count = 0;
  for (let rest = seen; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
}

export interface EvidenceOptions<S extends JsonObject> {
  readonly goal: Goal<S>;
  readonly initial: S;
  /** Texts of the task that its instruction names. */
  readonly named: readonly string[];
  /** Whether the screen of a state contains a text. */
  readonly shows: (state: S, text: string) => boolean;
}

/** Null when nothing has to be looked up: the task is to change something, and the checks say what. */
export function evidenceOf<S extends JsonObject>(options: EvidenceOptions<S>): Evidence<S> | null {
  const { goal, initial, named, shows } = options;
  const { kind, answer, shown } = goal;
  if (kind === 'feasible' && answer === null && goal.mustBeSeen !== true) return null;
  const telling = named.filter(text => text.length > 1);
  const byDefault = answer ?? longestOf(telling);
  if (shown === null && byDefault === null) return null;
  const words = answer === null ? telling : [...telling, answer];
  const look = (state: S): readonly boolean[] =>
    shown === null ? [shows(state, byDefault ?? '')] : [guarded('shown', () => shown(state))].flat();
  return {
    parts: look(initial).length,
    shownIn: state => look(state).reduce((bits, isShown, index) => (isShown ? bits | (1 << index) : bits), 0),
    isTold(state, action, outcome) {
      if (action.kind !== 'call') return false;
      const { told: isEvidence } = goal;
      const { tool, input = {} } = action;
      if (isEvidence !== undefined) return guarded('told', () => isEvidence({ state, tool, input, outcome }));
      // A refusal tells nothing of the task by itself.
      if (!outcome.applied || words.length === 0) return false;
      // What an agent wrote itself is no evidence, nor is a result that tells of a part only.
      const told = JSON.stringify(outcome.result ?? null).toLowerCase();
      return words.every(word => standsIn(told, inJson(word.toLowerCase())));
    },
  };
}

/** A text as it stands inside JSON: with its quotes escaped. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function longestOf(texts: readonly string[]): string | null {
  return texts.reduce<string | null>((best, text) => (text.length > (best?.length ?? 0) ? text : best), null);
}
