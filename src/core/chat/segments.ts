import { contextAfter, extendsContext, givenTokens, promptOf, type Context, type Exchange } from './same-context.ts';

/** Calls whose prompts extend each other: each prompt continues after the answer before it. */
export interface CallSegment {
  /** Places of its calls in the list they came from, in that order; every call is in exactly one segment. */
  readonly calls: readonly number[];
  /** What its calls were compared by: token ids where the server gave them, messages elsewhere. */
  readonly by: Context['by'];
}

/**
 * Merges calls whose prompt extends an earlier prompt and its answer. A rewritten context starts a new segment, and so does
 * a second call from the same place: what is sampled once is in one segment only, and is part of the prompt of others.
 * Calls with token ids and calls without are never mixed.
 */
export function segmentsOf(calls: readonly Exchange[]): readonly CallSegment[] {
  const segments: { readonly calls: number[]; tip: Context }[] = [];
  for (const [place, call] of calls.entries()) {
    const prompt = promptOf(call);
    let best: (typeof segments)[number] | null = null;
    for (const segment of segments) {
      if (!extendsContext(prompt, segment.tip)) continue;
      // The later of two that are equally long is the one that the harness went on with.
      if (best === null || segment.tip.items.length >= best.tip.items.length) best = segment;
    }
    const tip = contextAfter(call, prompt);
    if (best === null) segments.push({ calls: [place], tip });
    else {
      best.calls.push(place);
      best.tip = tip;
    }
  }
  return segments.map(({ calls: places, tip }) => ({ calls: places, by: tip.by }));
}

/** The tokens of a segment: what the model was given, and everything that came after. */
export interface SegmentTokens {
  /** The prompt of the first call. */
  readonly prompt: readonly number[];
  /** All after it: answers, and what the harness put between them. */
  readonly completion: readonly number[];
  /** Which of these tokens each call sampled, from `start` to before `end`; all others came from outside. */
  readonly spans: readonly { readonly call: number; readonly start: number; readonly end: number }[];
}

/** Null when the server gave no token ids. */
export function tokensOf(calls: readonly Exchange[], { calls: places }: CallSegment): SegmentTokens | null {
  const given = places.map(place => givenTokens(calls[place]?.reply.tokens ?? null));
  const [first, last] = [given[0] ?? null, given.at(-1) ?? null];
  if (first === null || last === null || given.includes(null)) return null;
  const from = first.prompt.length;
  const spans = given.map((tokens, index) => {
    const start = (tokens?.prompt.length ?? 0) - from;
    return { call: places[index] ?? 0, start, end: start + (tokens?.completion.length ?? 0) };
  });
  return { prompt: first.prompt, completion: [...last.prompt.slice(from), ...last.completion], spans };
}
