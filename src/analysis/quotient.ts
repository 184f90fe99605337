/** What a key may read of a step. */
export interface QuotientNode {
  /** Place of the step before it in its tree; -1 for a first step. */
  readonly parent: number;
  /** Digest of the state before the step, and after it. */
  readonly before: string;
  readonly after: string;
  /** Equal for equal actions. */
  readonly action: string;
  /** Names this very step: two trajectories that were forked after it share it. */
  readonly node: string;
  /** What the step was for, by some labeller. */
  readonly intent?: string;
  /** Token ids of the prompt that the step answered. */
  readonly prompt?: readonly number[];
}

/** The steps of one tree. A trajectory is a tree whose every step follows the one before it. */
export type QuotientTree = readonly QuotientNode[];

/** Steps with equal keys are one class; a step whose key is null is in none. */
export type QuotientKey = (tree: QuotientTree, place: number) => string | null;

export interface Quotient {
  /** The key of each class, in the order in which classes were found. */
  readonly keys: readonly string[];
  /** Number of steps in each class. */
  readonly sizes: readonly number[];
  /** Class of each step, tree by tree; -1 for a step without a key. */
  readonly classes: readonly Int32Array[];
}

/** Merges steps with equal keys. Group advantages and merged graphs of trials are both read from it. */
export function quotient(trees: readonly QuotientTree[], key: QuotientKey): Quotient {
  const known = new Map<string, number>();
  const keys: string[] = [];
  const sizes: number[] = [];
  const classes = trees.map(tree => {
    const own = new Int32Array(tree.length).fill(-1);
    for (let place = 0; place < tree.length; place++) {
      const name = key(tree, place);
      if (name === null) continue;
      let found = known.get(name);
      if (found === undefined) {
        found = keys.length;
        known.set(name, found);
        keys.push(name);
        sizes.push(0);
      }
      own[place] = found;
      sizes[found] = (sizes[found] as number) + 1;
    }
    return own;
  });
  return { keys, sizes, classes };
}

/** The keys that methods group steps by. */
export const quotientKeys = {
  /** The state in which the step was taken. */
  state: (tree: QuotientTree, place: number): string => at(tree, place).before,
  /** The last `count` states, this one included; null where there were fewer. */
  lastStates:
    (count: number): QuotientKey =>
    (tree, place) => {
      let step = at(tree, place);
      let name = step.before;
      for (let more = count - 1; more > 0; more--) {
        if (step.parent < 0) return null;
        step = at(tree, step.parent);
        name += ` ${step.before}`;
      }
      return name;
    },
  /** The action and the state that it led to. */
  actionAndNext: (tree: QuotientTree, place: number): string => `${at(tree, place).action} ${at(tree, place).after}`,
  /** The label of a labeller; null where there is none. */
  intent: (tree: QuotientTree, place: number): string | null => at(tree, place).intent ?? null,
  /** The prompt, token by token; null where the tokens are not known. */
  tokenPrefix: (tree: QuotientTree, place: number): string | null => at(tree, place).prompt?.join(',') ?? null,
  /** The step itself: only trajectories that share it are merged. */
  node: (tree: QuotientTree, place: number): string => at(tree, place).node,
} as const satisfies Record<string, QuotientKey | ((count: number) => QuotientKey)>;

function at(tree: QuotientTree, place: number): QuotientNode {
  return tree[place] as QuotientNode;
}
