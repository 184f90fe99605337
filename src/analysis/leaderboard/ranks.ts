/** Ranks from 1 for the smallest; equal values share the mean of their places. */
export function averageRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).toSorted((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = values.map(() => 0);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end] as number] === values[order[start] as number]) end++;
    // Places start + 1 to end share one rank.
    for (let place = start; place < end; place++) ranks[order[place] as number] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}
