import type { EpisodeRecord } from '../../core/episode/record.ts';
import { isJsonObject } from '../../core/json.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Requests, RowRequest } from '../requests/requests.ts';
import type { Message } from '../requests/wire.ts';
import type { Tokenizer } from './tokenizers.ts';
import { segmentsOfQuestions, stepsOf, studentCalls, type Question, type TokenSegments } from './token-segment.ts';

/**
 * The tokens of episodes for which no server gave any. The text of a request is one line of JSON for the tools and one for
 * each message; the step is the line after it. Log probabilities are unknown: a student gives that of its whole step, and
 * nothing says how it would be spread over tokens. Pictures are no text, and are left out.
 */
export function createWrittenTokens(
  tokenizer: Tokenizer,
  requests: Requests,
): (record: EpisodeRecord) => TokenSegments {
  // Requests of one episode begin with the same objects.
  const encoded = new WeakMap<Message, readonly number[]>();
  const encode = (message: Message): readonly number[] => {
    let ids = encoded.get(message);
    if (ids === undefined) encoded.set(message, (ids = tokenizer.encode(lineOf(message))));
    return ids;
  };
  const promptOf = ({ tools, messages }: RowRequest): readonly number[] => [
    ...tokenizer.encode(`${tools}\n`),
    ...messages.flatMap(encode),
  ];
  return record => {
    const calls = studentCalls(record);
    // Rows of one file have one vocabulary.
    if (calls.some(({ tokens }) => tokens.prompt && tokens.completion))
      return { stretches: [], left: calls.map(() => 'the server gave token ids, which no tokenizer replaces') };
    const steps = [...stepsOf(record.tree)].filter(({ actor }) => actor.role === 'student');
    const questions = steps
      .toSorted((left, right) => left.id - right.id)
      .flatMap(step => {
        const request = requests.of(record, step.id);
        if (request === null) return [];
        return [
          questionOf({ record, step, request }, () => ({
            prompt: promptOf(request),
            completion: tokenizer.encode(lineOf(request.answer(step.id))),
          })),
        ];
      });
    return segmentsOfQuestions(record, questions);
  };
}

interface AskedStep {
  readonly record: EpisodeRecord;
  readonly step: TreeNode;
  readonly request: RowRequest;
}

type Ids = Readonly<Record<'prompt' | 'completion', readonly number[]>>;

function questionOf({ record, step, request }: AskedStep, ids: () => Ids): Question {
  const { id, parent, actor } = step;
  const { chat, call } = request;
  return {
    event: { by: actor, at: parent },
    node: id,
    read() {
      const message = request.said(id);
      return {
        messages: chat,
        tools: [],
        sampling: call?.sampling ?? {},
        reply: {
          id: '',
          model: call?.reply.model ?? actor.name,
          version: call === null ? record.head.student : call.reply.version,
          message,
          finish: (message.calls ?? []).length > 0 ? 'calls' : 'stop',
          usage: null,
          tokens: { ...ids(), logprobs: null },
        },
      };
    },
  };
}

function lineOf(message: Message): string {
  const { content } = message;
  if (!Array.isArray(content)) return `${JSON.stringify(message)}\n`;
  const texts = content.filter(part => !isJsonObject(part) || part['type'] !== 'image_url');
  return `${JSON.stringify({ ...message, content: texts })}\n`;
}
