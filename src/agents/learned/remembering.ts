/** A pure function that keeps its last results by key; the oldest leave first. */
export function remembering<I, O>(most: number, make: (input: I) => O): (input: I, key: string) => O {
  const known = new Map<string, O>();
  return (input, key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(input);
    if (known.size >= most) known.delete(known.keys().next().value as string);
    known.set(key, made);
    return made;
  };
}
