import type { ChatRequest } from '../../core/chat/chat.ts';
import type { ServedQuestion } from '../../core/chat/served.ts';
import type { Awaitable } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Refusal, WireError } from '../../dialects/dialect.ts';

/** What a served policy is asked. */
export interface ServedRequest {
  readonly chat: ChatRequest;
  /** What a client of ours says beside the chat; null from any other. */
  readonly question: ServedQuestion | null;
  readonly random: Random;
}

/** Something that may be said, whole, and how likely it is. */
export interface Likely {
  readonly text: string;
  readonly logprob: number;
}

/** How likely an answer was, beside others. */
export interface ServedOdds {
  readonly said: Likely;
  /** Everything that could have been said, the likeliest first. */
  readonly all: readonly Likely[];
}

/** What a policy says: one call of a tool, or a text. */
export interface ServedAnswer {
  readonly says: { readonly call: { readonly name: string; readonly input: JsonObject } } | { readonly text: string };
  /** Null when it knows none. */
  readonly odds: ServedOdds | null;
}

/** A policy behind an endpoint. */
export interface ServedPolicy {
  /** The name that requests carry as `model`. */
  readonly id: string;
  /** Two of the same version answer alike. */
  readonly version: string;
  /** Throws a RefusedError that says to the client what it cannot answer, and what it could. */
  answer(request: ServedRequest): Awaitable<ServedAnswer>;
}

/** Says no to a client, in the words that its dialect has for it. */
export class RefusedError extends Error {
  readonly error: WireError;

  constructor(message: string, kind: Refusal = 'bad-request') {
    super(message);
    this.name = 'RefusedError';
    this.error = { kind, message };
  }
}
