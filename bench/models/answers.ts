import { createRandom } from '../../src/core/random.ts';

/** What the endpoint is asked: who asks, and what is on the screen. */
export interface Asked {
  readonly episode: number;
  readonly step: number;
  readonly isLast: boolean;
  readonly screen: string;
}

export interface Answer {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
}

/** Something that can be clicked: `[e7] link "Trash"`. */
const clickable = /\[(e\d+)\] (?:button|link|checkbox|switch)\b/g;

/** Clicks something that the screen shows, and finishes in the end: always the same for the same question. */
export function answerOf({ episode, step, isLast, screen }: Asked): Answer {
  const id = `call_${episode}_${step}`;
  if (isLast) return { id, tool: 'finish', input: '{}' };
  const refs = [...screen.matchAll(clickable)].map(match => match[1] as string);
  const ref = createRandom(`${episode}/${step}`).pick(refs);
  return { id, tool: 'click', input: JSON.stringify({ ref }) };
}

/** The text of a message, whether its content is one text or parts. */
export function screenOf(message: unknown): string {
  const { content } = message as { content: string | readonly { readonly text?: string }[] };
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };

/** The answer as one reply. */
export function completionOf({ id, tool, input }: Answer): object {
  const call = { id, type: 'function', function: { name: tool, arguments: input } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls', logprobs: null }];
  return { id, object: 'chat.completion', created: 0, model: 'bench', choices, usage };
}

/** The answer as the events of a stream, its input in two pieces. */
export function chunksOf({ id, tool, input }: Answer): string[] {
  const half = Math.ceil(input.length / 2);
  const named = { id, type: 'function', function: { name: tool, arguments: '' } };
  const piece = (text: string): object => ({ tool_calls: [{ index: 0, function: { arguments: text } }] });
  const deltas = [
    { role: 'assistant', content: null },
    { tool_calls: [{ index: 0, ...named }] },
    piece(input.slice(0, half)),
    piece(input.slice(half)),
  ];
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 0, model: 'bench', ...rest })}\n\n`;
  return [
    ...deltas.map(delta => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
    `${chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}${chunk({ choices: [], usage })}data: [DONE]\n\n`,
  ];
}
