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

/** Gives a text without what differs each time a page is opened and says nothing of its state. */
export type Neutral = (text: string) => string;

/**
 * `origin` is left out: the port of a server differs from session to session. What the browser draws for addresses of
 * blobs is told by its place in `drawn`.
 */
export function createNeutral(origin: string | null, drawn: () => readonly string[]): Neutral {
  return text => {
    let neutral = origin !== null && text.includes(origin) ? text.replaceAll(origin, '') : text;
    const words = drawn();
    for (let index = 0; index < words.length; index++)
      neutral = neutral.replaceAll(words[index] as string, `blob ${index}`);
    return neutral;
  };
}

/**
 * A hash of 128 bits in four lanes. Tells states apart that differ by accident or by design of an app; it is not made to
 * withstand somebody who searches for two texts with the same hash.
 */
export function createHasher(neutral: Neutral | null): Hasher {
  let [a, b, c, d] = [0x3c6ef372, 0x2545f491, 0x510e527f, 0x1f83d9ab];

  const number = (value: number): void => {
    // Locals are faster than the variables of the closure.
    const one = Math.imul(a ^ value, 0x9e3779b1);
    const two = Math.imul((b ^ value) + 0x7f4a7c15, 0x5bd1e995);
    const three = Math.imul(c ^ (value + 0x165667b1), 0x85ebca6b);
    const four = Math.imul((d + value) ^ 0x27d4eb2f, 0xc2b2ae35);
    a = one ^ (two >>> 15);
    b = two ^ (three >>> 13);
    c = three ^ (four >>> 16);
    d = four ^ (a >>> 14);
  };
  const text = (given: string): void => {
    const words = neutral === null ? given : neutral(given);
    const { length } = words;
    let [one, two, three, four] = [a, b, c, d];
    for (let index = 0; index < length; index++) {
      const code = words.charCodeAt(index);
      one = Math.imul(one ^ code, 0x9e3779b1);
      two = Math.imul(two ^ code, 0x5bd1e995);
      three = Math.imul(three + code, 0x85ebca6b) ^ (three >>> 15);
      four = Math.imul(four + code, 0xc2b2ae35) ^ (four >>> 13);
    }
    [a, b, c, d] = [one, two, three, four];
    number(length);
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
