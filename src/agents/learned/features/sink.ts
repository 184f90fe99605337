import { hash32 } from '../../../core/random.ts';
import { factBits, type Facts } from '../ranking/network.ts';

export const featureBits = 18;
const mask = (1 << featureBits) - 1;
const factMask = (1 << factBits) - 1;

/** Places in the table of weights, choice after choice; `ends` says where the places of each choice end. */
export interface Places {
  readonly places: Int32Array;
  readonly ends: Int32Array;
}

/** The features of all choices of a moment: what holds in any app, and what is tied to the words of an app or a task. */
export interface Features {
  readonly general: Places;
  readonly worded: Places;
  /** The same moment as single facts, for the network. */
  readonly facts: Facts;
}

/** Collects the features of choices. A part of a feature is a small number, or the hash of a text. */
export interface Sink {
  general(name: string, ...parts: readonly number[]): void;
  worded(name: string, ...parts: readonly number[]): void;
  /** One worded feature for every hash in the list, each beside the same part. */
  wordedEach(name: string, hashes: readonly number[], part: number): void;
  /** A single fact about the choice. */
  fact(name: string, value: number): void;
  /** A fact about the moment, whatever the choice. */
  shared(name: string, value: number): void;
  /** Ends the choice whose features were written last. */
  next(): void;
  /** What was written since `begin`, as long as nothing else is written. */
  features(): Features;
  /** Forgets what was written. The hashes of names stay: a sink that reads many moments hashes each name once. */
  begin(): void;
}

/** Numbers that are written one after another, in place of those written before. */
interface Written {
  push(value: number): void;
  length(): number;
  clear(): void;
  /** All of them, until others are written in their place. */
  taken(): Int32Array;
}

function createWritten(): Written {
  let values = new Int32Array(1024);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const longer = new Int32Array(2 * length);
        longer.set(values);
        values = longer;
      }
      values[length++] = value;
    },
    length: () => length,
    clear() {
      length = 0;
    },
    taken: () => values.subarray(0, length),
  };
}

export function createSink(): Sink {
  const names = new Map<string, number>();
  const [general, worded, facts, shared] = [createWritten(), createWritten(), createWritten(), createWritten()];
  const [generalEnds, wordedEnds, factEnds] = [createWritten(), createWritten(), createWritten()];
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
    fact(name, value) {
      facts.push(mixed(hashOf(name), value) & factMask);
    },
    shared(name, value) {
      shared.push(mixed(hashOf(name), value) & factMask);
    },
    next() {
      factEnds.push(facts.length());
      generalEnds.push(general.length());
      wordedEnds.push(worded.length());
    },
    features: () => ({
      general: { places: general.taken(), ends: generalEnds.taken() },
      worded: { places: worded.taken(), ends: wordedEnds.taken() },
      facts: { shared: shared.taken(), places: facts.taken(), ends: factEnds.taken() },
    }),
    begin() {
      for (const written of [general, worded, facts, shared, generalEnds, wordedEnds, factEnds]) written.clear();
    },
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

/** Features that outlive the next moment of their sink. */
export function copyFeatures({ general, worded, facts }: Features): Features {
  const copied = ({ places, ends }: Places): Places => ({ places: places.slice(), ends: ends.slice() });
  return {
    general: copied(general),
    worded: copied(worded),
    facts: { ...copied(facts), shared: facts.shared.slice() },
  };
}

/** The features of one choice alone. */
export function featuresOfChoice({ general, worded, facts }: Features, choice: number): Features {
  return {
    general: cut(general, choice),
    worded: cut(worded, choice),
    facts: { ...cut(facts, choice), shared: facts.shared },
  };
}

function cut({ places, ends }: Places, choice: number): Places {
  const own = places.slice(choice === 0 ? 0 : ends[choice - 1], ends[choice]);
  return { places: own, ends: Int32Array.of(own.length) };
}
