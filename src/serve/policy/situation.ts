import type { ChatMessage, ChatPart } from '../../core/chat/chat.ts';
import { readPrompt } from '../../core/episode/view.ts';
import { readStepRequest, type ShownSituation } from '../../models/prompt/read-situation.ts';
import { RefusedError } from './served-policy.ts';

/** The situation of an agent, read from a chat. */
export function readSituation(messages: readonly ChatMessage[]): ShownSituation {
  // System messages are meant for models.
  const told = messages.filter(({ role }) => role !== 'system');
  if (told.some(hasImage))
    throw new RefusedError('This policy reads text and no images. Send the screen as text alone.', 'no-images');
  const situation =
    readRow(told) ?? readStepRequest(told.map(message => ({ role: message.role, text: textOf(message) })));
  if (situation !== null) return situation;
  throw new RefusedError(
    'messages: this policy reads screens, and finds none here. Expected one user message with the parts Task, Steps so far ' +
      'and Screen; or a chat with the task between <task> and </task>, each step between <done> ' +
      'and </done>, and screens between <screen> and </screen>, each mark on a line of its own.',
  );
}

/** Everything in one message, as in rows of datasets before version 5. */
function readRow(told: readonly ChatMessage[]): ShownSituation | null {
  const [only] = told;
  const row = told.length === 1 && only?.role === 'user' ? readPrompt(textOf(only)) : null;
  return row === null ? null : { ...row, screens: [row.screen] };
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
