/** How far two patterns of tasks have the same words, from 0 to 1; slots are not compared. */
export function similarityOf(one: string, other: string): number {
  if (one === other) return 1;
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const all = a.union(b).size;
  return all === 0 ? 0 : a.intersection(b).size / all;
}

function wordsOf(pattern: string): Set<string> {
  return new Set(
    pattern
      .toLowerCase()
      .replaceAll(/\{\{.*?\}\}/g, ' ')
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}
