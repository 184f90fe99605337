import type { Action } from '../core/action.ts';
import type { OrdinaryPolicy } from '../core/episode/agents.ts';
import { readScreen, type ScreenLine } from '../core/episode/screen-text.ts';
import { EspalierError } from '../core/errors.ts';

export interface RandomPolicyOptions {
  /** Chance of finishing at each step. */
  readonly finish?: number;
}

/** Does anything that can be done on the screen, each equally likely: the floor that every policy is measured from. */
export function createRandomPolicy({ finish = 0.05 }: RandomPolicyOptions = {}): OrdinaryPolicy {
  if (!(finish > 0 && finish <= 1)) throw badChance(finish);
  return {
    name: 'random',
    act({ instruction, observation, random }) {
      const offered = random.chance(finish) ? [] : screenActions(observation.text, textsIn(instruction));
      return { action: offered.length === 0 ? { kind: 'finish' } : random.pick(offered) };
    },
  };
}

function screenActions(screen: string, texts: readonly string[]): Action[] {
  return readScreen(screen).flatMap(line => (line.ref === null ? [] : lineActions(line, line.ref, texts)));
}

function lineActions({ role, value, options }: ScreenLine, ref: string, texts: readonly string[]): Action[] {
  if (role === 'textbox') return texts.filter(text => text !== value).map(text => ({ kind: 'fill', ref, text }));
  if (role !== 'combobox') return [{ kind: 'click', ref }];
  return options.filter(option => option !== value).map(option => ({ kind: 'select', ref, option }));
}

const quoted = /"([^"]+)"/g;
const capitalised = /\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*/gu;

/** What an instruction gives to type: what stands in quotes, and names. */
function textsIn(instruction: string): string[] {
  const inQuotes = [...instruction.matchAll(quoted)].map(match => match[1] as string);
  return [...new Set([...inQuotes, ...(instruction.replaceAll(quoted, ' ').match(capitalised) ?? [])])];
}

function badChance(finish: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `The chance of finishing is ${finish}.`,
    expected: 'Expected a number above 0, at most 1.',
  });
}
