import { z } from 'zod';
import { findObjects } from '../core/chat/answer-json.ts';
import type { ChatPart, ChatRequest, Sampling } from '../core/chat/chat.ts';
import { fence } from '../core/chat/fence.ts';
import type { Awaitable } from '../core/contracts.ts';
import type { Model, ModelCall, RecordCall } from '../core/chat/model.ts';
import { toBase64 } from '../core/episode/base64.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { causeText, EspalierError } from '../core/errors.ts';
import { describeIssues, type Ending, type Image } from '../core/records.ts';

/** An episode that its agent finished, as anybody at the screen saw it. */
export interface FinishedEpisode {
  readonly instruction: string;
  /** The steps before the finish, one line each. */
  readonly history: readonly string[];
  /** The screen that it finished on. */
  readonly screen: string;
  readonly image?: Image | undefined;
  readonly ending: Ending;
}

/** What a judge thinks of an episode. It stands beside the verdict of the verifier, and never in its place. */
export interface Opinion {
  readonly pass: boolean;
  /** How sure it is of that, from 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
  /** The exchange with a model that it comes from; left out where no model was asked. */
  readonly call?: ModelCall | undefined;
}

export interface Judge {
  readonly name: string;
  /** Throws when there is no opinion: what came is out of schema, say. */
  judge(episode: FinishedEpisode): Awaitable<Opinion>;
}

/** A model as a judge. */
interface ModelJudge extends Judge {
  judge(episode: FinishedEpisode): Promise<Opinion & { readonly call: ModelCall }>;
}

export interface JudgeOptions {
  readonly model: Model;
  /** What it is told, and the SHA-256 of that. */
  readonly prompt: { readonly text: string; readonly hash: string };
  readonly sampling?: Sampling;
  readonly signal?: AbortSignal;
  /** Told of every exchange, also when its answer is no opinion. */
  readonly recordCall?: RecordCall;
}

const opinionSchema = z.strictObject({ reason: z.string(), pass: z.boolean(), confidence: z.number().min(0).max(1) });

const format: NonNullable<ChatRequest['format']> = {
  name: 'opinion',
  schema: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in a sentence.' },
      pass: { type: 'boolean', description: 'Whether the task was done.' },
      confidence: { type: 'number', description: 'How sure you are of that, from 0 to 1.' },
    },
    required: ['reason', 'pass', 'confidence'],
    additionalProperties: false,
  },
};

/** A model as a judge of finished episodes. */
export function createJudge({ model, prompt, sampling = {}, signal, recordCall }: JudgeOptions): ModelJudge {
  return {
    name: model.endpoint,
    async judge(episode) {
      const messages: ModelCall['messages'] = [
        { role: 'system', content: prompt.text },
        { role: 'user', content: partsOf(episode) },
      ];
      const { reply, cost, attempts } = await model.complete({ messages, format, sampling }, signal);
      const read = readOpinion(reply.message.content);
      const problem = typeof read === 'string' ? read : null;
      const asked = { endpoint: model.endpoint, question: 'judge', prompts: { judge: prompt.hash }, messages } as const;
      const call: ModelCall = { ...asked, tools: [], sampling, reply, cost, attempts, problem };
      recordCall?.(call);
      if (typeof read !== 'string') return { ...read, call };
      throw notAnOpinion(model.endpoint, read);
    },
  };
}

function notAnOpinion(judge: string, problem: string): EspalierError {
  return new EspalierError({
    boundary: 'verifier',
    code: 'out-of-range',
    message: `The opinion of ${judge} cannot be used: ${problem}`,
    expected: 'Expected a reason, whether it passes, and a confidence from 0 to 1.',
  });
}

/** A judge of the user's, trusted no further than its opinions fit. What it throws is told as its failure. */
export function checkedJudge({ name, judge }: Judge): Judge {
  return {
    name,
    async judge(episode) {
      let opinion: unknown;
      try {
        opinion = await judge(episode);
      } catch (cause) {
        throw new EspalierError({
          boundary: 'verifier',
          code: 'threw',
          message: `The judge "${name}" threw: ${causeText(cause)}.`,
          expected: 'Expected an opinion: a reason, whether it passes, and a confidence from 0 to 1.',
          cause,
        });
      }
      const parsed = opinionSchema.safeParse(opinion);
      if (parsed.success) return parsed.data;
      throw notAnOpinion(`the judge "${name}"`, `${describeIssues(parsed.error)}.`);
    },
  };
}

/** The main path of an episode for a judge; null when its agent did not finish, so that there is nothing to judge. */
export function finishedEpisode({ end, tree, situation }: EpisodeRecord): FinishedEpisode | null {
  if (end.leaf === 0) return null;
  const { action } = tree.node(end.leaf);
  if (action.kind !== 'finish') return null;
  const ending = { answer: action.answer ?? null, infeasible: action.infeasible === true };
  return { ...situation(end.leaf), ending };
}

function partsOf({ instruction, history, screen, image, ending }: FinishedEpisode): readonly ChatPart[] {
  const steps = history.length === 0 ? '(none)' : history.map(line => fence('done', line)).join('\n');
  const text = [
    fence('task', instruction),
    `The steps it took:\n${steps}`,
    `The screen it finished on:\n${fence('screen', screen)}`,
    endingText(ending),
  ].join('\n\n');
  if (image === undefined) return [{ type: 'text', text }];
  return [
    { type: 'text', text },
    { type: 'image', mediaType: image.type, data: toBase64(image.data) },
  ];
}

function endingText({ answer, infeasible }: Ending): string {
  if (infeasible) return 'It finished by saying that the task cannot be done.';
  return answer === null
    ? 'It finished without an answer.'
    : `It finished with the answer:\n${fence('answer', answer)}`;
}

/** An opinion, or what is wrong with it. */
function readOpinion(text: string): z.infer<typeof opinionSchema> | string {
  const last = findObjects(text).at(-1);
  if (last === undefined) return 'there is no JSON object in it.';
  const parsed = opinionSchema.safeParse(last.value);
  return parsed.success ? parsed.data : `${describeIssues(parsed.error)}.`;
}
