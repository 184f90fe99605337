/** Share of two texts that matches, from 0 to 1: twice the matching characters over all, as Python's difflib counts them. */
export function similarity(left: string, right: string): number {
  const total = left.length + right.length;
  return total === 0 ? 1 : (2 * matching(left, right)) / total;
}

/** The longest run that both have, and then what matches before it and after it. */
function matching(left: string, right: string): number {
  const { at, from, length } = longestRun(left, right);
  if (length === 0) return 0;
  return (
    length +
    matching(left.slice(0, at), right.slice(0, from)) +
    matching(left.slice(at + length), right.slice(from + length))
  );
}

function longestRun(left: string, right: string): { at: number; from: number; length: number } {
  let best = { at: 0, from: 0, length: 0 };
  let before = new Map<number, number>();
  for (let at = 0; at < left.length; at++) {
    const ends = new Map<number, number>();
    for (
      let from = right.indexOf(left[at] as string);
      from !== -1;
      from = right.indexOf(left[at] as string, from + 1)
    ) {
      const length = (before.get(from - 1) ?? 0) + 1;
      ends.set(from, length);
      if (length > best.length) best = { at: at - length + 1, from: from - length + 1, length };
    }
    before = ends;
  }
  return best;
}
