import type { Tokens } from '../../core/chat/chat.ts';

/** Tokens that came in pieces, in the order in which they came; null when none came. */
export function joinTokens(pieces: readonly Tokens[]): Tokens | null {
  if (pieces.length === 0) return null;
  return {
    prompt: pieces.find(({ prompt }) => prompt !== null)?.prompt ?? null,
    completion: joinLists(pieces.map(({ completion }) => completion)),
    logprobs: joinLists(pieces.map(({ logprobs }) => logprobs)),
  };
}

function joinLists(lists: readonly (readonly number[] | null)[]): readonly number[] | null {
  const given = lists.filter(list => list !== null);
  return given.length === 0 ? null : given.flat();
}
