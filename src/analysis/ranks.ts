/** Means of the same passes in another order differ by this much in their last digits, and are equal. */
const rounding = 1e-12;

/** Which of two scores is higher: 1, -1, or 0 where they are equal but for rounding. */
export function compareScores(one: number, other: number): number {
  return Math.abs(one - other) <= rounding ? 0 : Math.sign(one - other);
}

/** Ranks from 1 for the smallest; equal values share the mean of their places. */
export function averageRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).toSorted((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = values.map(() => 0);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (
      end < order.length &&
      compareScores(values[order[end] as number] as number, values[order[start] as number] as number) === 0
    )
      end++;
    // Places start + 1 to end share one rank.
    for (let place = start; place < end; place++) ranks[order[place] as number] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/** Spearman's ρ: Pearson's correlation of the ranks. Null where one side has all values alike. */
export function spearman(x: readonly number[], y: readonly number[]): number | null {
  return pearson(averageRanks(x), averageRanks(y));
}

function pearson(x: readonly number[], y: readonly number[]): number | null {
  const [meanX, meanY] = [average(x), average(y)];
  let [both, squaresX, squaresY] = [0, 0, 0];
  for (const [index, value] of x.entries()) {
    const [dx, dy] = [value - meanX, (y[index] as number) - meanY];
    both += dx * dy;
    squaresX += dx * dx;
    squaresY += dy * dy;
  }
  return squaresX === 0 || squaresY === 0 ? null : both / Math.sqrt(squaresX * squaresY);
}

/** Kendall's τ-b: pairs in the same order less pairs in the other, with ties taken out of both sides. Null as above. */
export function kendall(x: readonly number[], y: readonly number[]): number | null {
  let [balance, untiedX, untiedY] = [0, 0, 0];
  for (let one = 0; one < x.length; one++) {
    for (let other = 0; other < one; other++) {
      const orderX = compareScores(x[one] as number, x[other] as number);
      const orderY = compareScores(y[one] as number, y[other] as number);
      balance += orderX * orderY;
      untiedX += Math.abs(orderX);
      untiedY += Math.abs(orderY);
    }
  }
  return untiedX === 0 || untiedY === 0 ? null : balance / Math.sqrt(untiedX * untiedY);
}

/** Mean distance between the ranks of the same entrant. */
export function rankShift(x: readonly number[], y: readonly number[]): number {
  const [ranksX, ranksY] = [averageRanks(x), averageRanks(y)];
  return average(ranksX.map((rank, index) => Math.abs(rank - (ranksY[index] as number))));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
