import type { ChatMessage, ChatRequest } from '../../src/core/chat/chat.ts';

/** Tokens of prompts, and how many of them a server has read before. */
export interface Shared {
  readonly tokens: number;
  readonly shared: number;
}

type Prompt = Pick<ChatRequest, 'messages' | 'tools'>;
export type CountTokens = (text: string) => number;

/**
 * Of a prompt, what it begins with as the one before it did. Servers keep prompts by their beginnings; a message never
 * shares a token with its neighbour, as marks of the chat template stand between them, so each is counted by itself.
 */
export function sharedTokens(before: Prompt, now: Prompt, count: CountTokens): Shared {
  const [old, blocks] = [blocksOf(before), blocksOf(now)];
  let tokens = 0;
  let shared = 0;
  let isSame = true;
  for (const [index, block] of blocks.entries()) {
    tokens += count(block);
    if (!isSame) continue;
    isSame = block === old[index];
    shared += isSame ? count(block) : count(commonStart(block, old[index] ?? ''));
  }
  return { tokens, shared };
}

/** Tools stand before the messages, as chat templates put them. */
function blocksOf({ tools = [], messages }: Prompt): string[] {
  return [...tools.map(tool => JSON.stringify(tool)), ...messages.map(textOf)];
}

function textOf(message: ChatMessage): string {
  if (typeof message.content !== 'string')
    return `${message.role}\n${message.content.map(part => (part.type === 'text' ? part.text : part.data)).join('\n')}`;
  const calls = 'calls' in message ? (message.calls ?? []) : [];
  return [message.role, message.content, ...calls.map(({ name, input }) => `${name} ${input}`)].join('\n');
}

function commonStart(left: string, right: string): string {
  let end = 0;
  while (end < left.length && left[end] === right[end]) end++;
  return left.slice(0, end);
}
