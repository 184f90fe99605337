import { readScreen } from '../../core/episode/screen-text.ts';
import { findEntryTexts } from './entry-texts.ts';
import type { FoundPath } from './solution-paths.ts';

/** Says which values that an instruction gives a path has left out. */
type MissingValues = (path: FoundPath) => readonly string[];

/**
 * Values that an instruction gives to be entered, and that neither the start nor the end of a path holds: a verifier that does not
 * read them passes without. What a screen of the path shows is the name of something, and none. Nothing is known without the state.
 */
export function createMissingValues(instruction: string, start: string | null): MissingValues {
  const before = heldIn(start);
  const given = before === null ? [] : valuesOf(instruction).filter(value => !before.includes(plain(value)));
  return ({ state, steps }) => {
    const after = given.length === 0 ? null : heldIn(state);
    if (after === null) return [];
    const missing = given.filter(value => !after.includes(plain(value)));
    return missing.filter(value => !steps.some(({ screen }) => isNameOn(screen, plain(value))));
  };
}

/** The first way that leaves out nothing, else the first one; what does less than asked is no other way to do it. */
export function chooseWay(
  ways: readonly FoundPath[],
  missingIn: MissingValues,
): { readonly path: FoundPath | null; readonly others: readonly FoundPath[]; readonly missing: readonly string[] } {
  const [path = null, ...others] = ways.filter(way => missingIn(way).length === 0);
  const [first = null] = ways;
  if (path !== null || first === null) return { path, others, missing: [] };
  return { path: first, others: [], missing: missingIn(first) };
}

/** Quotes, addresses and codes of colours, apart from quotes of switches: names and numbers are written for much beside. */
function valuesOf(instruction: string): readonly string[] {
  const quoted = findEntryTexts(instruction).filter(
    ({ kind, doubt }) => (kind === 'quote' || kind === 'address') && doubt === 0,
  );
  const isSwitch = (text: string): boolean =>
    switchAfter.test(instruction.slice(instruction.indexOf(text) + text.length));
  const texts = quoted.map(({ text }) => text).filter(text => plain(text) !== '' && !isSwitch(text));
  return [...new Set([...texts, ...(instruction.match(colours) ?? [])])];
}

const colours = /#[\da-f]{6}\b/gi;

const switchAfter = /^\W*(?:toggle|setting|option|switch|checkbox|enabled|disabled)\b/i;

function isNameOn(screen: string, value: string): boolean {
  return readScreen(screen).some(({ name }) => plain(name).includes(value));
}

/** All that a state holds, as one text; null where there is none. */
function heldIn(state: string | null): string | null {
  if (state === null || state === '') return null;
  const held: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') held.push(plain(String(value)));
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) {
        held.push(plain(key));
        collect(member);
      }
  };
  try {
    collect(JSON.parse(state));
  } catch {
    return plain(state);
  }
  return held.join('\n');
}

/** Case, white space, the shape of quotes and a full stop at the end say nothing. */
function plain(text: string): string {
  const straight = text.toLowerCase().replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
  return straight.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
}
