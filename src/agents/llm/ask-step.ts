import type { Decision } from '../../core/episode/agents.ts';
import type { View } from '../../core/episode/view.ts';
import { ask, type Asked, type Settings, type Telling } from './ask.ts';
import { createAnswerGrammar } from '../../models/prompt/answer-grammar.ts';
import type { Offer } from '../../models/prompt/offer.ts';
import { wayKeys, type Memory } from '../../models/prompt/memory.ts';
import { requirePicture } from '../../models/prompt/screen-parts.ts';
import { writeStepRequest } from '../../models/prompt/step-request.ts';
import { addUseless } from '../../models/prompt/transcript.ts';
import { readAnswer, type ReadAnswer } from './read-answer.ts';

export interface StepQuestion {
  readonly view: View;
  readonly memory: Memory;
  /** What is said after the way, to a teacher. */
  readonly plea?: { readonly text: string; readonly tell: Telling };
}

export interface StepAnswer {
  readonly read: ReadAnswer;
  readonly price: Pick<Decision, 'tokens' | 'cost'>;
}

/** Asks a model for one step from where a view stands, records the exchange, and remembers what it said. */
export async function askStep(
  settings: Settings,
  { view, memory, plea: correctionRequest }: StepQuestion,
): Promise<StepAnswer> {
  const { screenFormat, speech } = settings;
  requirePicture(view.observation, screenFormat, correctionRequest === undefined ? 'policy' : 'reviewer');
  const { tools, observation } = view;
  const offer = settings.offerOf({
    tools,
    browses: observation.layout !== undefined && view.hasScreen !== false,
    readsScreen: screenFormat !== 'image' && view.hasScreen !== false,
    mayGiveUp: correctionRequest !== undefined,
    edition: settings.prompts.edition,
  });
  const path = view.path.map(({ action }) => action);
  const key = `${wayKeys(path).at(-1)}${correctionRequest?.text ?? ''}`;
  const { chat, tools: offered, prompts } = writeStepRequest(view, { style: settings, offer, memory });
  if (correctionRequest !== undefined)
    chat.add({ role: 'user', content: [{ type: 'text', text: correctionRequest.text }] });
  for (const answer of memory.pending(key)) addUseless(chat, answer);
  const { reply, price, record } = await ask(settings, {
    question: correctionRequest === undefined ? 'act' : 'correct',
    prompts: [...prompts, ...(correctionRequest === undefined ? [] : (['correct'] as const))],
    messages: chat.messages,
    tools: offered,
    ...heldTo(settings, offer, view),
    random: view.random,
    tell: correctionRequest?.tell ?? (place => ({ question: 'act', ...place, path })),
  });
  const read = readAnswer(reply, offer, speech);
  const problem = 'problem' in read ? read.problem : null;
  memory.keep(key, { message: reply.message, action: 'problem' in read ? null : read.action, problem });
  const call = record(problem);
  view.recordCall?.(call);
  settings.onCall?.(call);
  return { read, price };
}

/** What an answer may be: one of the steps that the newest screen allows, or some call where answers are calls. */
function heldTo(
  { grammar: told, speech, screenFormat }: Settings,
  offer: Offer,
  { observation, hasScreen }: View,
): Pick<Asked, 'grammar' | 'mustCall'> {
  if (told === undefined) return {};
  if (speech === 'tools') return { mustCall: true };
  // Elements that a model sees on a picture alone have no references.
  const screen = screenFormat === 'image' || hasScreen === false ? '' : observation.text;
  return { grammar: { told, ...createAnswerGrammar(offer.tools, screen) } };
}
