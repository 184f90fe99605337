import type { Action } from '../../core/action.ts';
import { parseObject } from '../../core/chat/answer-json.ts';
import type { AssistantMessage, ChatReply } from '../../core/chat/chat.ts';
import type { Offer } from '../../models/prompt/offer.ts';
import { readTextCalls, type RequestedCall } from '../../models/prompt/text-actions.ts';
import type { Speech } from '../../models/prompt/transcript.ts';

export type ReadAnswer =
  | {
      readonly action: Action | null;
      readonly thought: string;
      /** Calls after the first, which are not made. */
      readonly ignored: number;
    }
  | { readonly problem: string };

/** What an answer means. One without a call may still say in words what to do. */
export function readAnswer(reply: ChatReply, offer: Offer, speech: Speech): ReadAnswer {
  const { message, finish } = reply;
  const [call, ...others] = message.calls ?? [];
  if (call !== undefined) {
    const input = parseObject(call.input.trim() === '' ? '{}' : call.input);
    if (input === null) return { problem: `The input of ${call.name} is not a JSON object.` };
    return meaning(offer, { name: call.name, input }, { thought: thoughtOf(message), ignored: others.length });
  }
  // Where a server does not take thoughts out, the step comes after them.
  const spoken = message.content.slice(thoughtEnd(message.content));
  const { calls, thought } = readTextCalls(spoken);
  const [wanted] = calls;
  if (wanted === undefined) return { problem: silenceProblem(finish, speech) };
  const before = message.content.slice(0, message.content.length - spoken.length) + thought;
  return meaning(offer, wanted, {
    thought: thoughtOf({ ...message, content: before }),
    ignored: calls.length - 1,
  });
}

function meaning(offer: Offer, wanted: RequestedCall, rest: { thought: string; ignored: number }): ReadAnswer {
  const read = offer.read(wanted);
  return 'problem' in read ? read : { ...read, ...rest };
}

const thoughtClose = '</think>';

function thoughtEnd(content: string): number {
  const at = content.lastIndexOf(thoughtClose);
  return at < 0 ? 0 : at + thoughtClose.length;
}

function thoughtOf({ thought = '', content }: AssistantMessage): string {
  const said = content.replaceAll(/<\/?think>/g, '').trim();
  return [thought.trim(), said].filter(text => text !== '').join('\n\n');
}

function silenceProblem(finish: ChatReply['finish'], speech: Speech): string {
  if (finish === 'length') return 'The answer was cut off at its longest length before there was a step in it.';
  if (finish === 'filter') return 'The answer was withheld by a filter.';
  return speech === 'tools'
    ? 'There is no tool call in the answer. Answer with one call of one tool.'
    : 'There is no step in the answer. Write it on the last line by itself, in one of the forms that were given.';
}
