import { hash32 } from '../../core/random.ts';

export const featureBits = 18;
const mask = (1 << featureBits) - 1;

/** Places in the table of weights, choice after choice; `ends` says where the places of each choice end. */
export interface Places {
  readonly places: Int32Array;
  readonly ends: Int32Array;
}

/** The features of all choices of a moment: what holds in any app, and what is tied to the words of an app or a task. */
export interface Features {
  readonly general: Places;
  readonly worded: Places;
}

/** Collects the features of choices. A part of a feature is a small number, or the hash of a text. */
export interface Sink {
  general(name: string, ...parts: readonly number[]): void;
  worded(name: string, ...parts: readonly number[]): void;
  /** One worded feature for every hash in the list, each beside the same part. */
  wordedEach(name: string, hashes: readonly number[], part: number): void;
  /** Ends the choice whose features were written last. */
  next(): void;
  features(): Features;
}

export function createSink(): Sink {
  const names = new Map<string, number>();
  const general: number[] = [];
  const worded: number[] = [];
  const generalEnds: number[] = [];
  const wordedEnds: number[] = [];
  const hashOf = (name: string): number => {
    let hash = names.get(name);
    if (hash === undefined) names.set(name, (hash = textHash(name)));
    return hash;
  };
  return {
    general(name, ...parts) {
      let hash = hashOf(name);
      for (let at = 0; at < parts.length; at++) hash = mixed(hash, parts[at] as number);
      general.push(hash & mask);
    },
    worded(name, ...parts) {
      let hash = hashOf(name);
      for (let at = 0; at < parts.length; at++) hash = mixed(hash, parts[at] as number);
      worded.push(hash & mask);
    },
    wordedEach(name, hashes, part) {
      const base = mixed(hashOf(name), part);
      for (let at = 0; at < hashes.length; at++) worded.push(mixed(base, hashes[at] as number) & mask);
    },
    next() {
      generalEnds.push(general.length);
      wordedEnds.push(worded.length);
    },
    features: () => ({
      general: { places: new Int32Array(general), ends: new Int32Array(generalEnds) },
      worded: { places: new Int32Array(worded), ends: new Int32Array(wordedEnds) },
    }),
  };
}

/** A text as a part of a feature: a signed number, which V8 keeps without boxing. */
export function textHash(text: string): number {
  return hash32(text) | 0;
}

/** Mixes a part into a hash; the low bits, which are kept, depend on all bits of both. */
export function mixed(hash: number, part: number): number {
  const product = Math.imul(hash ^ (part + 1), 0x9e3779b1);
  return product ^ (product >>> 15);
}
