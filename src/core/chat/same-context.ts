import { inOrder, type Json } from '../json.ts';
import type { Tokens } from './chat.ts';
import type { ModelCall } from './model.ts';

/** What a comparison needs of a call. */
export type Exchange = Pick<ModelCall, 'messages' | 'tools' | 'reply'>;

/** What a comparison needs of a message: of a chat, or of a row. */
export interface Said {
  readonly role: string;
  readonly content: unknown;
  readonly failed?: boolean | undefined;
  /** The id of the call that this answers. */
  readonly call?: string | undefined;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[] | undefined;
}

/**
 * Messages as a model reads them, for comparison. Harnesses drop thoughts, write the JSON of calls anew and number calls
 * themselves: none of this is a rewritten context. A result still belongs to its call, whatever the call is named.
 */
export function wordingsOf(messages: readonly Said[]): string[] {
  const places = new Map<string, number>();
  let count = 0;
  return messages.map(({ role, content, failed = false, call, calls = [] }) => {
    const answered = call === undefined ? null : (places.get(call) ?? call);
    // Ids may come again: a result belongs to the last call of its name.
    for (const { id } of calls) places.set(id, count++);
    return JSON.stringify([role, plainContent(content), failed, answered, calls.map(sayCall)]);
  });
}

/** A prompt, and what must be the same beside it for two calls to be compared at all. */
export interface Context {
  /** Token ids where the server gave them, messages elsewhere. */
  readonly by: 'tokens' | 'messages';
  readonly setting: string;
  readonly items: readonly (number | string)[];
}

/** What the model was given. */
export function promptOf({ messages, tools, reply }: Exchange): Context {
  const { model } = reply;
  const tokens = givenTokens(reply.tokens);
  if (tokens !== null) return { by: 'tokens', setting: model, items: tokens.prompt };
  // Servers write tools into the prompt, so other tools make another prompt.
  return { by: 'messages', setting: JSON.stringify([model, tools]), items: wordingsOf(messages) };
}

/** The prompt and the answer: what the next prompt extends, unless the context is rewritten. */
export function contextAfter({ messages, reply }: Exchange, prompt: Context): Context {
  const answer = givenTokens(reply.tokens)?.completion ?? wordingsOf([...messages, reply.message]).slice(-1);
  return { ...prompt, items: [...prompt.items, ...answer] };
}

export function extendsContext({ by, setting, items }: Context, before: Context): boolean {
  return by === before.by && setting === before.setting && startsWith(items, before.items);
}

export function startsWith<T>(items: readonly T[], beginning: readonly T[]): boolean {
  return items.length >= beginning.length && beginning.every((item, at) => item === items[at]);
}

/** Both lists of ids, or null. */
export function givenTokens(
  tokens: Tokens | null,
): { prompt: readonly number[]; completion: readonly number[] } | null {
  const { prompt = null, completion = null } = tokens ?? {};
  return prompt === null || completion === null ? null : { prompt, completion };
}

/** Templates write a single text part as the text. */
function plainContent(content: unknown): unknown {
  if (!Array.isArray(content) || content.length !== 1) return content;
  const [part] = content as readonly { readonly type?: unknown; readonly text?: unknown }[];
  return part?.type === 'text' ? part.text : content;
}

function sayCall({ name, input }: { readonly name: string; readonly input: unknown }): [string, string] {
  return [name, plainInput(input)];
}

/** The same text for the same JSON; what is no JSON, or is nested too deep, stays as it is. */
function plainInput(input: unknown): string {
  try {
    const value: unknown = typeof input === 'string' ? JSON.parse(input === '' ? '{}' : input) : input;
    return JSON.stringify(inOrder(value as Json));
  } catch {
    return String(input);
  }
}
