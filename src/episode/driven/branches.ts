import type { EpisodeEnd } from '../../core/episode/events.ts';
import type { EpisodeResult } from '../cursor/result.ts';

/** How one branch of an episode ended, and at which node. */
export type BranchEnd = EpisodeResult & { readonly leaf: number };

/** The branches of an episode that are driven from outside. The episode ends with the last of them. */
export interface Branches {
  /** A branch goes on from here; 0 is the one that opened the episode. */
  begin(cursor: number): void;
  /** The end of the episode when this was the last branch; null while others go on. */
  end(cursor: number, end: BranchEnd): Promise<EpisodeEnd | null>;
}

/** `close` writes the end of the episode. `ended` are branches that ended before the episode was resumed. */
export function createBranches(
  close: (result: EpisodeResult, leaf: number) => Promise<EpisodeEnd>,
  ended: ReadonlyMap<number, BranchEnd> = new Map(),
): Branches {
  const open = new Set<number>();
  const ends = new Map(ended);
  return {
    begin: cursor => void open.add(cursor),
    async end(cursor, end) {
      open.delete(cursor);
      ends.set(cursor, end);
      if (open.size > 0) return null;
      const { leaf, ...result } = decisiveEnd(ends);
      return close(result, leaf);
    },
  };
}

/**
 * The branch that opened the episode decides. When it has no verdict, the first branch that passed does, else the first
 * that was verified.
 */
export function decisiveEnd(ends: ReadonlyMap<number, BranchEnd>): BranchEnd {
  const inOrder = [...ends].toSorted(([one], [other]) => one - other).map(([, end]) => end);
  const verified = inOrder.filter(({ verdict }) => verdict !== null);
  const own = ends.get(0);
  if (own !== undefined && own.verdict !== null) return own;
  return verified.find(({ outcome }) => outcome === 'passed') ?? verified[0] ?? own ?? (inOrder[0] as BranchEnd);
}
