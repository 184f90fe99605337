import type { Random } from '../../../core/random.ts';
import type { Split } from '../../../core/records.ts';
import type { Check, TerminalTask } from '../world/definition.ts';

/** A generator of tasks: the same seed gives the same one. */
export interface TerminalTemplate {
  /** Its domain and its own name: `files/sort-inbox`. */
  readonly id: string;
  readonly split: Split;
  readonly about: string;
  /** Programs of this machine that it uses, beside those of every Debian. */
  readonly needs?: readonly string[];
  /** How many tasks it has; left out, every seed gives another one. */
  readonly tasks?: 1;
  draw(random: Random): TerminalTask;
}

/** How the world at the start stands to the goal, after ClawForge. */
export const conflicts = ['missing', 'partial', 'stale', 'duplicate', 'wrong-value'] as const;

const nouns =
  'anchor basil copper dune ember fern garnet harbor iris jasper kelp lotus maple nickel olive pearl quartz raven sage timber umber violet willow yarrow zinc'.split(
    ' ',
  );
const adjectives =
  'amber bold calm dark early faint green high idle keen late mild north old pale quick rare slow thin warm'.split(' ');
const people = 'ada ben cleo dan eva finn gus hana ivan june kai lena max nora otto pia quin rosa sam tess'.split(' ');

export function word(random: Random): string {
  return `${random.pick(adjectives)}-${random.pick(nouns)}`;
}

/** So many different words. */
export function words(random: Random, count: number): string[] {
  const all = random.shuffle(nouns).slice(0, count);
  return all.map(noun => `${random.pick(adjectives)}-${noun}`);
}

export function names(random: Random, count: number): string[] {
  return random.sample(people, count);
}

export function sentence(random: Random): string {
  return Array.from({ length: random.between(3, 6) }, () => random.pick(nouns)).join(' ');
}

export function lines(all: readonly (string | number)[]): string {
  return `${all.join('\n')}\n`;
}

export function textCheck(path: string, text: string): Check {
  return { id: `text-of-${path}`, name: `${path} has the right text`, kind: 'text', path, text };
}

export function modeCheck(path: string, mode: number): Check {
  return { id: `mode-of-${path}`, name: `${path} has the mode ${mode.toString(8)}`, kind: 'mode', path, mode };
}

export function absentCheck(path: string): Check {
  return { id: `no-${path}`, name: `${path} is not there`, kind: 'absent', path };
}

export function unchangedCheck(path: string): Check {
  return { id: `same-${path}`, name: `${path} is as it was`, kind: 'unchanged', path };
}
