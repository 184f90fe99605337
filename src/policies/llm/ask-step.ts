import type { ModelCall } from '../../core/chat/model.ts';
import type { Decision } from '../../core/episode/agents.ts';
import type { View } from '../../core/episode/view.ts';
import { ask, type Settings, type Telling } from './ask.ts';
import { wayKeys, type Memory } from '../../prompt/memory.ts';
import { requirePicture } from '../../prompt/screen-parts.ts';
import { writeStepRequest } from '../../prompt/step-request.ts';
import { addUseless } from '../../prompt/transcript.ts';
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
  readonly call: ModelCall;
}

/** Asks a model for one step from where a view stands, and remembers what it said. */
export async function askStep(settings: Settings, { view, memory, plea }: StepQuestion): Promise<StepAnswer> {
  const { sight, speech } = settings;
  requirePicture(view.observation, sight, plea === undefined ? 'policy' : 'reviewer');
  const { tools, observation } = view;
  const offer = settings.offerOf({
    tools,
    browses: observation.layout !== undefined,
    readsScreen: sight !== 'image',
    mayGiveUp: plea !== undefined,
  });
  const path = view.path.map(({ action }) => action);
  const key = `${wayKeys(path).at(-1)}${plea?.text ?? ''}`;
  const { chat, tools: offered, prompts } = writeStepRequest(view, { style: settings, offer, memory });
  if (plea !== undefined) chat.add({ role: 'user', content: [{ type: 'text', text: plea.text }] });
  for (const answer of memory.pending(key)) addUseless(chat, answer);
  const { reply, price, record } = await ask(settings, {
    question: plea === undefined ? 'act' : 'correct',
    prompts: [...prompts, ...(plea === undefined ? [] : (['correct'] as const))],
    messages: chat.messages,
    tools: offered,
    random: view.random,
    tell: plea?.tell ?? (place => ({ question: 'act', ...place, path })),
  });
  const read = readAnswer(reply, offer, speech);
  const problem = 'problem' in read ? read.problem : null;
  memory.keep(key, { message: reply.message, action: 'problem' in read ? null : read.action, problem });
  return { read, price, call: record(problem) };
}
