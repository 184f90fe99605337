/** Seeded randomness as a value. Two with the same seed and the same calls agree. */
export interface Random {
  /** What it was made from: another of this name draws the same from the start. */
  readonly name: string;
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  sample<T>(items: readonly T[], count: number): T[];
  shuffle<T>(items: readonly T[]): T[];
  /** An independent stream; taking it does not advance this one. */
  fork(label: string): Random;
}

export function createRandom(seed: string | number): Random {
  const name = String(seed);
  const next = sfc32(name);
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const shuffle = <T>(items: readonly T[]): T[] => {
    const result = [...items];
    for (let last = result.length - 1; last > 0; last--) {
      const other = between(0, last);
      [result[last], result[other]] = [result[other] as T, result[last] as T];
    }
    return result;
  };
  return {
    name,
    next,
    between,
    shuffle,
    chance: probability => next() < probability,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new RangeError('pick needs at least one item');
      return items[between(0, items.length - 1)] as T;
    },
    sample: (items, count) => shuffle(items).slice(0, count),
    fork: label => createRandom(`${name}/${label}`),
  };
}

/** A 32-bit hash of a text: for picking and ordering, not for identity. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Small fast counter generator (Doty-Humphrey): 128 bits of state, passes PractRand. */
function sfc32(seed: string): () => number {
  let a = hash32(`a${seed}`);
  let b = hash32(`b${seed}`);
  let c = hash32(`c${seed}`);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
