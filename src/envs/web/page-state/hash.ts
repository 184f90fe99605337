/** 128 bits. */
export type Hash = readonly [number, number, number, number];

export interface Hasher {
  number(value: number): void;
  text(text: string): void;
  add(hash: Hash): void;
  value(): Hash;
  /** As 32 hexadecimal digits. */
  word(): string;
}

/**
 * A hash of 128 bits in four lanes. Tells states apart that differ by accident or by design of an app; it is not made to
 * withstand somebody who searches for two texts with the same hash.
 */
export function createHasher(origin: string | null): Hasher {
  let [a, b, c, d] = [0x3c6ef372, 0x2545f491, 0x510e527f, 0x1f83d9ab];

  const number = (value: number): void => {
    a = Math.imul(a ^ value, 0x9e3779b1);
    b = Math.imul((b ^ value) + 0x7f4a7c15, 0x5bd1e995);
    c = Math.imul(c ^ (value + 0x165667b1), 0x85ebca6b);
    d = Math.imul((d + value) ^ 0x27d4eb2f, 0xc2b2ae35);
    a ^= b >>> 15;
    b ^= c >>> 13;
    c ^= d >>> 16;
    d ^= a >>> 14;
  };
  const text = (given: string): void => {
    // The port differs from session to session: it tells nothing of the state.
    const words = origin !== null && given.includes(origin) ? given.replaceAll(origin, '') : given;
    for (let index = 0; index < words.length; index++) {
      const code = words.charCodeAt(index);
      a = Math.imul(a ^ code, 0x9e3779b1);
      b = Math.imul(b ^ code, 0x5bd1e995);
      c = Math.imul(c + code, 0x85ebca6b) ^ (c >>> 15);
      d = Math.imul(d + code, 0xc2b2ae35) ^ (d >>> 13);
    }
    number(words.length);
  };
  return {
    number,
    text,
    add(hash) {
      for (let lane = 0; lane < 4; lane++) number(hash[lane] as number);
    },
    value: () => [a, b, c, d],
    word: () => [a, b, c, d].map(lane => (lane >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}
