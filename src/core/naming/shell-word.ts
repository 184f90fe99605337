/** A word as a shell takes it: in quotes where it has spaces or signs. Commands that are printed can be pasted. */
export function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
