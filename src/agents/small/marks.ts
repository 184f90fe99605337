import type { ModelFacts } from './model-facts.ts';

type Facts = Pick<ModelFacts, 'special' | 'marks'>;

/** A part of a prompt: from its first token to before its end. */
interface Part {
  readonly begin: number;
  readonly end: number;
}

const isNamedInStep = 16;
/** More than there are tokens. */
const pairBase = 2 ** 20;

/**
 * Marks on tokens: how much of the task stands at a place of the screen, and the other way round. A small model need not
 * learn to compare words: the marks do it. Each has the length of the match that ends here and that begins here, 0 to 3.
 */
export function marksOf(ids: readonly number[], { special, marks }: Facts): Uint8Array {
  const words = ids.map(id => Math.abs(marks.canon[id] ?? 0));
  const isWord = ids.map(id => (marks.canon[id] ?? 0) > 0);
  const placeOf = (token: number): number => (ids.includes(token) ? ids.indexOf(token) : ids.length);
  const screen = placeOf(special['<screen>']);
  const rest = Math.min(screen, placeOf(special['<done>']), placeOf(special['<note>']));
  const task = { begin: 0, end: rest };
  const done = { begin: rest, end: screen };
  const shown = { begin: screen, end: ids.length };
  const found = new Uint8Array(ids.length);
  for (const [own, other] of [
    [task, shown],
    [done, task],
    [shown, task],
  ] as const)
    markMatches(found, { words, isWord, own, other });
  const named = new Set(words.slice(done.begin, done.end).filter((_, at) => isWord[done.begin + at]));
  for (const [at, word] of words.entries())
    if ((at < done.begin || at >= done.end) && isWord[at] === true && named.has(word))
      found[at] = (found[at] as number) + isNamedInStep;
  return found;
}

interface Comparison {
  readonly words: readonly number[];
  readonly isWord: readonly boolean[];
  readonly own: Part;
  readonly other: Part;
}

function markMatches(marks: Uint8Array, { words, isWord, own, other }: Comparison): void {
  const known = new Set(words.slice(other.begin, other.end));
  const pairs = new Set<number>();
  const pairAt = (at: number): number => (words[at - 1] as number) * pairBase + (words[at] as number);
  for (let at = other.begin + 1; at < other.end; at++) pairs.add(pairAt(at));
  const one = (at: number): boolean => isWord[at] === true && known.has(words[at] as number);
  const two = (at: number): boolean => at > own.begin && at < own.end && pairs.has(pairAt(at));
  const three = (at: number): boolean => two(at - 1) && two(at);
  for (let at = own.begin; at < own.end; at++) {
    if (!one(at)) continue;
    const ends = 1 + Number(two(at)) + Number(three(at));
    const starts = 1 + Number(two(at + 1)) + Number(at + 2 < own.end && three(at + 2));
    marks[at] = ends * 4 + starts;
  }
}
