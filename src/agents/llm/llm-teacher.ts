import { describeAction } from '../../core/action.ts';
import { fence } from '../../core/chat/fence.ts';
import type { OrdinaryTeacher, CorrectionRequest, Review, Segment } from '../../core/episode/agents.ts';
import { EspalierError } from '../../core/errors.ts';
import { askStep } from './ask-step.ts';
import { ask, settle, type LlmOptions, type Settings } from './ask.ts';
import { createMemory, wayKeys, type Memory } from '../../models/prompt/memory.ts';
import { readReviewAnswer, reviewFormat } from './review-answer.ts';
import { writeReview } from './review.ts';
import { requirePicture } from '../../models/prompt/screen-parts.ts';
import { addUseless, createChat } from '../../models/prompt/transcript.ts';

/**
 * A model as a teacher: one for each episode. It is asked twice, for a review and, in the restored state, for the step that
 * is right there. What it answers out of schema is an error, never an acceptance; asked again, it is told what was wrong.
 */
export function createLlmTeacher(options: LlmOptions): OrdinaryTeacher {
  const settings = settle(options);
  const memory = createMemory();
  return {
    name: settings.name,
    patient: true,
    review: segment => review(settings, memory, segment),
    async correct(correctionRequest) {
      const { view, reason, rejected } = correctionRequest;
      const path = view.path.map(({ action }) => action);
      const { read, price } = await askStep(settings, {
        view,
        memory,
        plea: {
          text: correctionText(settings, correctionRequest),
          tell: place => ({ question: 'correct', ...place, path, reason, rejected }),
        },
      });
      if ('problem' in read) throw outOfSchema(settings, 'correction', read.problem);
      const { action, thought } = read;
      return { action, ...(thought === '' ? {} : { thought }), ...price };
    },
  };
}

async function review(settings: Settings, memory: Memory, segment: Segment): Promise<Review> {
  requirePicture(segment.after, settings.screenFormat, 'reviewer');
  const path = segment.path.map(({ action }) => action);
  const branch = segment.steps.map(({ action }) => action);
  const key = `review ${wayKeys([...path, ...branch]).at(-1)}`;
  const chat = createChat(writeReview(segment, settings));
  for (const answer of memory.pending(key)) addUseless(chat, answer);
  const { reply, price, record } = await ask(settings, {
    question: 'review',
    prompts: ['review'],
    messages: chat.messages,
    format: reviewFormat,
    random: segment.random,
    tell: place => ({ question: 'review', ...place, path, branch }),
  });
  const { message } = reply;
  const read = readReviewAnswer(message.content, segment.steps.length);
  const problem = 'problem' in read ? read.problem : null;
  memory.keep(key, { message, action: null, problem });
  segment.recordCall?.(record(problem));
  if ('problem' in read) throw outOfSchema(settings, 'review', read.problem);
  return { ...read, ...price };
}

function correctionText({ prompts }: Settings, { reason, rejected }: CorrectionRequest): string {
  const what =
    rejected === null ? 'It had no usable step to offer.' : `It did:\n${fence('done', describeAction(rejected))}`;
  return `${prompts.texts.correct}\n${what}\nThe reason:\n${fence('reason', reason)}`;
}

function outOfSchema({ model }: Settings, what: string, problem: string): EspalierError {
  return new EspalierError({
    boundary: 'reviewer',
    code: 'out-of-range',
    message: `The ${what} of ${model.endpoint} cannot be used: ${problem}`,
    expected: `Expected a ${what} as the question asks for it.`,
  });
}
