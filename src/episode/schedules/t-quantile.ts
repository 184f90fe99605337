/** The 97.5 % quantile of Student's t with 1 to 10 degrees of freedom. */
const small = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281];
const z = 1.959_964;

/** The 97.5 % quantile of Student's t, to three decimals: a table, then the expansion around the normal quantile. */
export function tQuantile(freedom: number): number {
  const known = small[freedom - 1];
  if (known !== undefined) return known;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}
