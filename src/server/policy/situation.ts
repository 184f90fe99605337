import type { ChatMessage, ChatPart } from '../../core/chat/chat.ts';
import { fenced } from '../../core/chat/fence.ts';
import { readPrompt, type Situation } from '../../core/episode/view.ts';
import { RefusedError } from './served-policy.ts';

/** The situation of an agent, read from a chat. */
export function readSituation(messages: readonly ChatMessage[]): Situation {
  // System messages are meant for models.
  const told = messages.filter(({ role }) => role !== 'system');
  if (told.some(hasImage))
    throw new RefusedError('This policy reads text and no images. Send the screen as text alone.', 'no-images');
  const situation = readRow(told) ?? readEpisode(told);
  if (situation !== null) return situation;
  throw new RefusedError(
    'messages: this policy reads screens, and finds none here. Expected one user message with the parts Task, Steps so far ' +
      'and Screen, as in the rows of an export; or a chat with the task between <task> and </task>, each step between <done> ' +
      'and </done>, and screens between <screen> and </screen>, each mark on a line of its own.',
  );
}

/** A row of an export holds everything in one message. */
function readRow(told: readonly ChatMessage[]): Situation | null {
  const [only] = told;
  return told.length === 1 && only?.role === 'user' ? readPrompt(textOf(only)) : null;
}

/** A chat that grew with each step: all actions, and the latest screen. */
function readEpisode(told: readonly ChatMessage[]): Situation | null {
  const texts = told.filter(({ role }) => role !== 'assistant').map(textOf);
  const instruction = fenced('task', texts[0] ?? '')[0];
  const screen = texts.flatMap(text => fenced('screen', text)).at(-1);
  if (instruction === undefined || screen === undefined) return null;
  const history = texts.flatMap(text => fenced('done', text)).flatMap(lines => lines.split('\n'));
  return { instruction, history, screen };
}

function partsOf({ content }: ChatMessage): readonly ChatPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function hasImage(message: ChatMessage): boolean {
  return partsOf(message).some(({ type }) => type === 'image');
}

function textOf(message: ChatMessage): string {
  return partsOf(message)
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('');
}
