import { hash32 } from '../../src/core/random.ts';
import { isStopWord } from '../../src/agents/learned/reading/words.ts';
import { comparedWords } from '../../src/agents/page-search/page-words.ts';

/** A task as the split reads it. */
export interface AskingTask {
  readonly id: string;
  readonly instruction: string;
  /** Where a list that a study has already puts it; null when it is on none. */
  readonly isHeldOut: boolean | null;
}

/** One group in so many is held out. */
const heldOutShare = 5;

/**
 * The tasks of an app that are held out, by a hash of the app and of what they ask for. Those that ask for the same, or
 * nearly, are one group: all of it is held out, or none. What is listed already decides for its group.
 */
export function heldOutOf(app: string, tasks: readonly AskingTask[]): ReadonlySet<string> {
  const heldOut = new Set<string>();
  for (const group of askingAlike(tasks)) {
    const listed = group.filter(({ isHeldOut }) => isHeldOut !== null);
    const isOut = listed.length > 0 ? listed.some(({ isHeldOut }) => isHeldOut === true) : isDrawn(app, group);
    if (isOut) for (const { id } of group) heldOut.add(id);
  }
  return heldOut;
}

function isDrawn(app: string, group: readonly AskingTask[]): boolean {
  const [first = ''] = group.map(({ instruction }) => goalOf(instruction)).toSorted();
  return hash32(`${app}/${first}`) % heldOutShare === 0;
}

/** Tasks that share so much of their words ask for nearly the same: `Remove the 'Smoker' tag`, `Remove the tag 'Smoker' from …`. */
const leastShared = 0.5;

/** Each task in one group, with all that one of the group shares so much with. */
function askingAlike<T extends AskingTask>(tasks: readonly T[]): readonly (readonly T[])[] {
  const words = tasks.map(({ instruction }) => new Set(goalOf(instruction).split(' ')));
  const groups: number[] = [...tasks.keys()];
  for (const [at, own] of words.entries())
    for (let other = 0; other < at; other++) {
      const [from, to] = [groups[at] as number, groups[other] as number];
      if (from === to || shareOf(own, words[other] as Set<string>) < leastShared) continue;
      for (const [place, group] of groups.entries()) if (group === from) groups[place] = to;
    }
  return [...Map.groupBy(tasks.keys(), at => groups[at]).values()].map(places => places.map(at => tasks[at] as T));
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return one.intersection(other).size / one.union(other).size;
}

/** What an instruction asks for, in whatever order it says it: `Delete the 'Simple Clean' theme.`, `Delete the theme Simple Clean.` */
export function goalOf(instruction: string): string {
  const words = comparedWords(instruction).filter(word => !isStopWord(word));
  return [...new Set(words)].toSorted().join(' ');
}
