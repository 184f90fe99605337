import { z } from 'zod';
import type { ChatRequest, Tokens } from '../../../core/chat/chat.ts';
import { defined, type JsonObject } from '../../../core/json.ts';

const idsSchema = z.array(z.int());

/** What servers say of tokens, each in its own place. */
export const choiceTokensShape = {
  logprobs: z
    .object({
      content: z
        .array(
          z.object({
            token: z.string(),
            logprob: z.number(),
            /** llama.cpp. */
            id: z.int().optional(),
          }),
        )
        .nullish(),
    })
    .nullish(),
  /** vLLM, SGLang. */
  token_ids: idsSchema.nullish(),
  /** SGLang. */
  prompt_token_ids: idsSchema.nullish(),
  /** SGLang: log probability, id, text. */
  meta_info: z
    .object({ output_token_logprobs: z.array(z.tuple([z.number(), z.int()], z.unknown())).nullish() })
    .nullish(),
};
export const replyTokensShape = {
  /** vLLM. */
  prompt_token_ids: idsSchema.nullish(),
  /** SGLang, once in a reply. */
  sglext: z.object({ input_ids: idsSchema.nullish(), output_ids: z.array(idsSchema).nullish() }).nullish(),
};
const choiceTokensSchema = z.object(choiceTokensShape);
const replyTokensSchema = z.object(replyTokensShape);

type ChoiceTokens = z.infer<typeof choiceTokensSchema>;
type ReplyTokens = z.infer<typeof replyTokensSchema>;

/** The tokens that a reply or a piece of it names; null when it names none. */
export function readTokens(reply: ReplyTokens, choice: ChoiceTokens): Tokens | null {
  const content = choice.logprobs?.content;
  const listed = choice.meta_info?.output_token_logprobs;
  const prompt = reply.prompt_token_ids ?? choice.prompt_token_ids ?? reply.sglext?.input_ids ?? null;
  const completion =
    choice.token_ids ?? reply.sglext?.output_ids?.[0] ?? listed?.map(([, id]) => id) ?? idsOf(content ?? []);
  const logprobs = content?.map(({ logprob }) => logprob) ?? listed?.map(([logprob]) => logprob) ?? null;
  return prompt === null && completion === null && logprobs === null ? null : { prompt, completion, logprobs };
}

/** Where each token says its id: in a member, or as its text. */
function idsOf(content: readonly { readonly token: string; readonly id?: number | undefined }[]): number[] | null {
  const ids = content.map(({ token, id }) => id ?? Number(/^token_id:(\d+)$/.exec(token)?.[1]));
  return ids.length > 0 && ids.every(id => Number.isInteger(id)) ? ids : null;
}

/** What the client asked for of the tokens, as members of a choice and of the reply. */
export function writeTokens(tokens: Tokens | null, request: ChatRequest): { choice: JsonObject; reply: JsonObject } {
  if (tokens === null || !request.wantsTokens) return { choice: {}, reply: {} };
  const { prompt, completion, logprobs } = tokens;
  const wantsIds = request.extra?.['return_token_ids'] !== false;
  const wantsLogprobs = request.extra?.['logprobs'] !== false;
  const content = logprobs?.map((logprob, index) => {
    const id = completion?.[index];
    // The text of a token is not kept: its id stands in for it, as in vLLM.
    return { token: id === undefined ? '' : `token_id:${id}`, logprob, bytes: null, top_logprobs: [] };
  });
  return {
    choice: defined({
      logprobs: content && wantsLogprobs ? { content, refusal: null } : undefined,
      token_ids: wantsIds ? (completion ?? undefined) : undefined,
    }),
    reply: defined({ prompt_token_ids: wantsIds ? (prompt ?? undefined) : undefined }),
  };
}
