import type { ChatMessage, Tokens } from './chat.ts';
import type { ModelCall } from './model.ts';

/** What merging needs of a call. */
export type Exchange = Pick<ModelCall, 'messages' | 'tools' | 'reply'>;

/** Calls whose prompts extend each other: each prompt continues after the answer before it. */
export interface CallSegment {
  /** Places of its calls in the list they came from, in that order; every call is in exactly one segment. */
  readonly calls: readonly number[];
  /** What its calls were compared by: token ids where the server gave them, messages elsewhere. */
  readonly by: 'tokens' | 'messages';
}

/**
 * Merges calls whose prompt extends an earlier prompt and its answer. A rewritten context starts a new segment, and so does
 * a second call from the same place: what is sampled once is in one segment only, and is part of the prompt of others.
 * Calls with token ids and calls without are never mixed.
 */
export function segmentsOf(calls: readonly Exchange[]): readonly CallSegment[] {
  const segments: { readonly calls: number[]; tip: Tip }[] = [];
  for (const [place, call] of calls.entries()) {
    const context = contextOf(call);
    let best: (typeof segments)[number] | null = null;
    for (const segment of segments) {
      if (!extendsTip(context, segment.tip)) continue;
      // The later of two that are equally long is the one that the harness went on with.
      if (best === null || segment.tip.items.length >= best.tip.items.length) best = segment;
    }
    const tip = tipOf(call, context);
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

/** Both lists of ids, or null. */
function givenTokens(tokens: Tokens | null): { prompt: readonly number[]; completion: readonly number[] } | null {
  const { prompt = null, completion = null } = tokens ?? {};
  return prompt === null || completion === null ? null : { prompt, completion };
}

type Items = readonly (number | string)[];

interface Context {
  readonly by: CallSegment['by'];
  /** What must be the same for two calls to be compared at all. */
  readonly setting: string;
  readonly items: Items;
}

/** Where a segment ends: the prompt of its last call and the answer. */
type Tip = Context;

function contextOf({ messages, tools, reply }: Exchange): Context {
  const { model } = reply;
  const tokens = givenTokens(reply.tokens);
  if (tokens !== null) return { by: 'tokens', setting: model, items: tokens.prompt };
  // Servers write tools into the prompt, so other tools make another prompt.
  return { by: 'messages', setting: JSON.stringify([model, tools]), items: messages.map(wordingOf) };
}

function tipOf({ reply }: Exchange, { by, setting, items }: Context): Tip {
  const answer = givenTokens(reply.tokens)?.completion ?? [wordingOf(reply.message)];
  return { by, setting, items: [...items, ...answer] };
}

function extendsTip({ by, setting, items }: Context, tip: Tip): boolean {
  return (
    by === tip.by &&
    setting === tip.setting &&
    items.length >= tip.items.length &&
    tip.items.every((item, index) => item === items[index])
  );
}

/**
 * A message as harnesses send it back. They drop thoughts, write the JSON of calls anew and may number calls themselves:
 * none of this is a rewritten context.
 */
function wordingOf(message: ChatMessage): string {
  if (message.role !== 'assistant') return JSON.stringify(message);
  const calls = (message.calls ?? []).map(({ name, input }) => [name, plainJson(input)]);
  return JSON.stringify({ role: message.role, content: message.content, calls });
}

function plainJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text === '' ? '{}' : text));
  } catch {
    return text;
  }
}
