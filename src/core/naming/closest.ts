/** Counting edits takes time in proportion to both lengths: a longer text is nobody's typing error. */
const longest = 100;

/** The known word that takes the fewest edits, unless that is more than half of it. */
export function closest(word: string, known: readonly string[]): string | null {
  if (word.length > longest) return null;
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = distance(word.toLowerCase(), candidate);
    if (edits < fewest && edits <= Math.max(candidate.length, word.length) / 2) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** The known words that take the fewest edits, nearest first; words that have this one as a part come before all others. */
export function nearest(word: string, known: readonly string[], most: number): readonly string[] {
  const given = word.slice(0, longest).toLowerCase();
  const last = given.slice(given.lastIndexOf('.') + 1);
  const isNear = (candidate: string): boolean => last !== '' && candidate.toLowerCase().includes(last);
  return known
    .map(candidate => ({ candidate, edits: distance(given, candidate.toLowerCase()), near: Number(isNear(candidate)) }))
    .toSorted((left, right) => right.near - left.near || left.edits - right.edits)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** ` Did you mean "mail"?`, to stand behind a sentence; nothing when no known word is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = closest(word, known);
  return near === null ? '' : ` Did you mean "${near}"?`;
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
