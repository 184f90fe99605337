import type { ChatRequest } from '../../core/chat/chat.ts';
import type { ServedQuestion } from '../../core/chat/served.ts';
import type { Awaitable } from '../../core/contracts.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Refusal, WireError } from '../../models/dialects/dialect.ts';

/** What a served policy is asked. */
interface ServedRequest {
  readonly chat: ChatRequest;
  /** What an Espalier client sends in addition to the chat; null for other clients. */
  readonly question: ServedQuestion | null;
  readonly random: Random;
}

/** A complete answer and its probability. */
export interface Likely {
  readonly text: string;
  readonly logprob: number;
}

/** The probability of an answer, and of the alternatives. */
export interface ServedOdds {
  readonly said: Likely;
  /** All possible answers, most likely first. */
  readonly all: readonly Likely[];
}

/** What a policy says: one call of a tool, or a text. */
export interface ServedAnswer {
  readonly says: { readonly call: { readonly name: string; readonly input: JsonObject } } | { readonly text: string };
  /** Null when the policy does not know it. */
  readonly odds: ServedOdds | null;
}

/** A policy behind an endpoint. */
export interface ServedPolicy {
  /** The name that requests carry as `model`. */
  readonly id: string;
  /** Policies of the same version give the same answers. */
  readonly version: string;
  /** Throws a RefusedError that tells the client what is not supported, and what is. */
  answer(request: ServedRequest): Awaitable<ServedAnswer>;
}

/** Refuses a request; the client's dialect decides how this is written. */
export class RefusedError extends Error {
  readonly error: WireError;

  constructor(message: string, kind: Refusal = 'bad-request') {
    super(message);
    this.name = 'RefusedError';
    this.error = { kind, message };
  }
}
