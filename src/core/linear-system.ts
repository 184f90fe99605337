/** Rounding may bring a pivot of a matrix that is nearly singular below 0. */
const smallest = 1e-9;

/** Solves a system of equations with a symmetric positive definite matrix, by Cholesky's method. */
export function solve(matrix: readonly ArrayLike<number>[], right: ArrayLike<number>): Float64Array {
  const size = right.length;
  const lower = matrix.map(() => new Float64Array(size));
  const cell = (row: number, column: number): number => lower[row]?.[column] as number;
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row]?.[column] as number;
      for (let at = 0; at < column; at++) sum -= cell(row, at) * cell(column, at);
      (lower[row] as Float64Array)[column] =
        row === column ? Math.sqrt(Math.max(sum, smallest)) : sum / cell(column, column);
    }
  const forward = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    let sum = right[row] as number;
    for (let at = 0; at < row; at++) sum -= cell(row, at) * (forward[at] as number);
    forward[row] = sum / cell(row, row);
  }
  const solution = new Float64Array(size);
  for (let row = size - 1; row >= 0; row--) {
    let sum = forward[row] as number;
    for (let at = row + 1; at < size; at++) sum -= cell(at, row) * (solution[at] as number);
    solution[row] = sum / cell(row, row);
  }
  return solution;
}
