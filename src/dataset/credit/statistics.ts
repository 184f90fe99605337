export function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** With n - 1 below, as torch.std has it. */
export function sampleDeviation(values: readonly number[]): number {
  return deviation(values, values.length - 1);
}

export function populationDeviation(values: readonly number[]): number {
  return deviation(values, values.length);
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

function deviation(values: readonly number[], below: number): number {
  const centre = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - centre) ** 2;
  return Math.sqrt(squares / below);
}
