import type { AssistantMessage, ChatDelta, ChatReply, Tokens, ToolCall } from '../../core/chat/chat.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRegistry, type Entry } from '../../core/naming/registry.ts';
import { anthropic } from './anthropic/anthropic.ts';
import { MalformedError, type Dialect } from './dialect.ts';
import { openai } from './openai/openai.ts';
import { responses } from './responses/responses.ts';
import { joinTokens } from './tokens.ts';

interface DialectEntry extends Entry {
  readonly name: Dialect['name'];
  readonly dialect: Dialect;
}

/** How servers of models speak. */
export const dialects = createRegistry<DialectEntry>({
  noun: 'dialect',
  plural: 'dialects',
  about: 'How servers of models speak: the kind at the start of an endpoint.',
  module: { member: 'dialect', powers: ['name', 'path', 'headers', 'writeRequest', 'readReply', 'readError'] },
  entries: [
    { name: 'openai', about: 'Chat completions, as OpenAI, vLLM and SGLang serve them.', dialect: openai },
    { name: 'responses', about: 'The Responses API of OpenAI.', dialect: responses },
    { name: 'anthropic', about: 'The Messages API of Anthropic.', dialect: anthropic },
  ],
});

export function dialectOf(name: Dialect['name']): Dialect {
  return dialects.need(name).dialect;
}

/** The reply that pieces make; throws a MalformedError when its beginning or its end is missing. */
export function collectReply(deltas: Iterable<ChatDelta>): ChatReply {
  let start: Extract<ChatDelta, { kind: 'start' }> | null = null;
  let end: Extract<ChatDelta, { kind: 'end' }> | null = null;
  const tokens: Tokens[] = [];
  const text: string[] = [];
  const thought: string[] = [];
  const sealed: JsonObject[] = [];
  const calls: (Omit<ToolCall, 'input'> & { readonly pieces: string[] })[] = [];
  for (const delta of deltas) {
    if (delta.kind === 'start') start ??= delta;
    else if (delta.kind === 'text') text.push(delta.text);
    else if (delta.kind === 'thought') thought.push(delta.text);
    else if (delta.kind === 'call') calls[delta.index] = { id: delta.id, name: delta.name, pieces: [] };
    else if (delta.kind === 'input') pieceOf(calls, delta.index).push(delta.text);
    else if (delta.kind === 'sealed') sealed.push(delta.item);
    else if (delta.kind === 'tokens') tokens.push(delta.tokens);
    else end = delta;
  }
  if (start === null) throw new MalformedError('The reply has no beginning.');
  if (end === null) throw new MalformedError('The reply has no end.');
  const message: AssistantMessage = {
    role: 'assistant',
    content: text.join(''),
    ...(thought.length > 0 && { thought: thought.join('') }),
    ...(sealed.length > 0 && { sealed }),
    ...(calls.length > 0 && { calls: calls.map(({ id, name, pieces }) => ({ id, name, input: pieces.join('') })) }),
  };
  const { id, model, version } = start;
  return { id, model, version, message, finish: end.finish, usage: end.usage, tokens: joinTokens(tokens) };
}

function pieceOf(calls: readonly { readonly pieces: string[] }[], index: number): string[] {
  const call = calls[index];
  if (call === undefined) throw new MalformedError(`The input of call ${index} came before the call.`);
  return call.pieces;
}

/** The deltas of a complete reply. */
export function deltasOf({ id, model, version, message, finish, usage, tokens }: ChatReply): readonly ChatDelta[] {
  const { content, thought, sealed = [], calls = [] } = message;
  return [
    { kind: 'start', id, model, version },
    ...thoughtsOf(thought ?? '', sealed),
    ...(content === '' ? [] : [{ kind: 'text', text: content } as const]),
    ...calls.flatMap(({ id: call, name, input }, index): ChatDelta[] => [
      { kind: 'call', index, id: call, name },
      ...(input === '' ? [] : [{ kind: 'input', index, text: input } as const]),
    ]),
    ...(tokens === null ? [] : [{ kind: 'tokens', tokens } as const]),
    { kind: 'end', finish, usage },
  ];
}

/** Where a sealed item repeats the thought that it seals, the two go together. */
function thoughtsOf(thought: string, sealed: readonly JsonObject[]): readonly ChatDelta[] {
  const said = sealed.map(({ thinking }) => (typeof thinking === 'string' ? thinking : ''));
  const parts = said.join('') === thought ? said : [thought];
  const count = Math.max(parts.length, sealed.length);
  return Array.from({ length: count }, (_, index) => [parts[index] ?? '', sealed[index]] as const).flatMap(
    ([text, item]): ChatDelta[] => [
      ...(text === '' ? [] : [{ kind: 'thought', text } as const]),
      ...(item === undefined ? [] : [{ kind: 'sealed', item } as const]),
    ],
  );
}
