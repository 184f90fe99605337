const searchWords: ReadonlySet<string> = new Set(['search', 'find', 'look', 'filter', 'query', 'lookup']);

/** Whether the words of a field name say that it looks for something. */
export function isSearchName(words: readonly string[]): boolean {
  return words.some(word => searchWords.has(word));
}
