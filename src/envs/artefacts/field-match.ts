/** Precision and recall of what an artefact says against what it was to say, as one number from 0 to 1. */
export function fieldMatch(said: readonly string[], wanted: readonly string[]): number {
  const open = [...wanted];
  let hits = 0;
  for (const field of said) {
    const at = open.indexOf(field);
    if (at < 0) continue;
    open.splice(at, 1);
    hits++;
  }
  return said.length + wanted.length === 0 ? 0 : (2 * hits) / (said.length + wanted.length);
}
