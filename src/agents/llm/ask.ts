import type { ChatReply, ChatRequest, GrammarForm, Sampling } from '../../core/chat/chat.ts';
import type { Model, ModelCall, Question } from '../../core/chat/model.ts';
import { servedMember, type ServedQuestion } from '../../core/chat/served.ts';
import type { Decision } from '../../core/episode/agents.ts';
import { invalidOption } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Random } from '../../core/random.ts';
import type { Task } from '../../core/records.ts';
import { createOffers } from '../../models/prompt/offer.ts';
import type { PromptName, Prompts } from '../../models/prompt/prompts.ts';
import type { ScreenFormat } from '../../models/prompt/screen-parts.ts';
import { createPromptStyle, type PromptForm } from '../../models/prompt/step-request.ts';
import type { Speech } from '../../models/prompt/transcript.ts';

/** A model as an agent of one episode. */
export interface LlmOptions {
  readonly model: Model;
  /** What its steps are signed with; the endpoint unless said otherwise. */
  readonly name?: string | undefined;
  readonly prompts?: Prompts | undefined;
  /** What it is shown of screens; text unless said otherwise. */
  readonly observe?: ScreenFormat | undefined;
  /** How the request for a step is written; a chat unless said otherwise. */
  readonly form?: PromptForm | undefined;
  /** How it says what it does; `text` is for models that cannot call tools. */
  readonly speech?: Speech | undefined;
  /** Characters of screens before old ones are folded away. */
  readonly window?: number | undefined;
  /** A seed of `drawn` is another one for each question, from the chance of the episode. */
  readonly sampling?: (Omit<Sampling, 'seed'> & { readonly seed?: number | 'drawn' | undefined }) | undefined;
  /** Whether to ask the server for tokens and how likely they were. */
  readonly wantsTokens?: boolean | undefined;
  /** The episode, for a policy of ours that is served: told beside the chat, sealed. Never given to others. */
  /** How the server is told which answers can be used; left out, it is not told. */
  readonly grammar?: GrammarForm | undefined;
  readonly served?: { readonly episode: string; readonly task: Task } | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Hears of every exchange. */
  onCall?(call: ModelCall): void;
}

const largestSeed = 2 ** 31 - 1;

export type Settings = ReturnType<typeof settle>;

export function settle(options: LlmOptions) {
  requireOurs(options);
  requireText(options);
  const { form, prompts, observe, speech, window, ...rest } = options;
  const style = createPromptStyle({ form, prompts, screenFormat: observe, speech, window });
  return { ...rest, name: options.name ?? options.model.endpoint, ...style, offerOf: createOffers() };
}

/** A compact prompt has no pictures. */
function requireText({ form = 'chat', observe = 'text' }: LlmOptions): void {
  if (form === 'chat' || observe === 'text') return;
  throw invalidOption(
    `The prompt is compact, and the model is to observe ${observe}.`,
    'A compact prompt shows the screen as text: leave out prompt.form=compact, or observe text.',
  );
}

/** A task holds what no model may see: it goes to policies of ours alone. */
function requireOurs({ model, served }: LlmOptions): void {
  if (served === undefined || model.endpoint.startsWith(`${servedMember}:`)) return;
  throw invalidOption(
    `The task would be told to ${model.endpoint}.`,
    `Expected an endpoint that begins with ${servedMember}:, or no \`served\`.`,
  );
}

/** Writes what a served policy is told beside the chat. */
export type Telling = (place: Pick<ServedQuestion, 'random' | 'episode' | 'task'>) => ServedQuestion;

export interface Asked extends Pick<ChatRequest, 'messages' | 'tools' | 'format' | 'grammar'> {
  /** Whether an answer without a call is of no use. */
  readonly mustCall?: boolean;
  readonly question: Question;
  readonly prompts: readonly PromptName[];
  readonly random: Random;
  readonly tell: Telling;
}

export interface Reply {
  readonly reply: ChatReply;
  /** What it took, for the answer. */
  readonly price: Pick<Decision, 'tokens' | 'cost'>;
  /** The exchange, for the record: what made it unusable, null when it was used. */
  record(problem: string | null): ModelCall;
}

/** Puts one question to the model. */
export async function ask(settings: Settings, asked: Asked): Promise<Reply> {
  const { model, prompts, wantsTokens, served, signal } = settings;
  const { question, messages, tools = [], format, grammar, mustCall = false, random } = asked;
  const sampling = drawSampling(settings, random);
  const request: Omit<ChatRequest, 'model'> = {
    messages,
    sampling,
    ...(tools.length === 0 ? {} : { tools, toolChoice: mustCall ? 'required' : 'auto', parallelCalls: false }),
    ...(grammar === undefined ? {} : { grammar }),
    ...(format === undefined ? {} : { format }),
    ...(wantsTokens === true ? { wantsTokens } : {}),
    ...(served === undefined ? {} : { extra: extraOf(served, asked) }),
  };
  const { reply, cost, attempts, without } = await model.complete(request, signal);
  const hashes = Object.fromEntries(asked.prompts.map(name => [name, prompts.hashes[name]]));
  const told = grammar?.told ?? (mustCall ? 'tool_choice' : undefined);
  const exchange = { endpoint: model.endpoint, question, prompts: hashes, messages, tools, sampling };
  return {
    reply,
    price: {
      ...(reply.usage === null ? {} : { tokens: reply.usage.prompt + reply.usage.completion }),
      ...(cost === null ? {} : { cost }),
    },
    record: problem => ({
      ...exchange,
      reply,
      cost,
      attempts,
      ...(told === undefined ? {} : { grammar: told }),
      ...(without === undefined ? {} : { without }),
      problem,
    }),
  };
}

/** Forked, so that drawing a seed takes nothing from the chance of a served policy. */
function drawSampling({ sampling = {} }: Settings, random: Random): Sampling {
  const { seed, ...rest } = sampling;
  if (seed === undefined) return rest;
  return { ...rest, seed: seed === 'drawn' ? random.fork('seed').between(0, largestSeed) : seed };
}

/** As JSON: a member without a value is left out. */
function extraOf({ episode, task }: NonNullable<LlmOptions['served']>, { tell, random }: Asked): JsonObject {
  const question = tell({ random: random.name, episode, task });
  return { [servedMember]: JSON.parse(JSON.stringify(question)) as JsonObject };
}
