import type { ChatMessage, ChatTool } from '../../core/chat/chat.ts';
import type { ModelCall } from '../../core/chat/model.ts';

/** A message in the graph of a trace, with the tokens that it adds to the sequence. */
interface TraceNode {
  readonly parent: number | null;
  readonly tools?: readonly object[];
  readonly message: object;
  readonly sampled: boolean;
  readonly token_ids: readonly number[];
  readonly mask: readonly boolean[];
  readonly logprobs: readonly number[];
}

interface TraceCall {
  /** The node of the answer. */
  readonly node: number;
  readonly model: string;
  readonly sampling: object;
  readonly endpoint: string;
  readonly finish_reason: 'stop' | 'length' | 'tool_calls';
  readonly usage: object | null;
}

export interface TraceGraph {
  readonly nodes: readonly TraceNode[];
  readonly calls: readonly TraceCall[];
}

/**
 * The calls of an episode as a graph of messages. A call that extends the one before shares its path; one whose context
 * was rewritten begins at a root of its own. Joined along a path, the tokens are exactly what the model was given and drew.
 */
export function traceGraphOf(exchanges: readonly ModelCall[]): TraceGraph {
  const nodes: TraceNode[] = [];
  const calls: TraceCall[] = [];
  let path: Path | null = null;
  for (const call of exchanges) {
    const shared: Path | null = path !== null && continues(call, path) ? path : null;
    let parent: number | null = shared?.end ?? null;
    const root = shared === null && call.tools.length > 0 ? { tools: call.tools.map(toolOf) } : {};
    for (const [index, message] of call.messages.slice(shared?.wordings.length ?? 0).entries()) {
      nodes.push({ parent, ...(index === 0 ? root : {}), message: messageOf(message), sampled: false, ...noTokens });
      parent = nodes.length - 1;
    }
    nodes.push({ parent, message: messageOf(call.reply.message), sampled: true, ...tokensOf(call, shared) });
    calls.push(callOf(call, nodes.length - 1));
    path = pathTo(call, nodes.length - 1);
  }
  return { nodes, calls };
}

/** Where the last call ended. */
interface Path {
  readonly end: number;
  readonly wordings: readonly string[];
  /** What the model was given and drew so far; null when the server did not say. */
  readonly tokens: readonly number[] | null;
}

const noTokens = { token_ids: [], mask: [], logprobs: [] };

function pathTo({ messages, reply }: ModelCall, end: number): Path {
  const { prompt = null, completion = null } = reply.tokens ?? {};
  return {
    end,
    wordings: [...messages, reply.message].map(wordingOf),
    tokens: prompt === null || completion === null ? null : [...prompt, ...completion],
  };
}

function continues({ messages, reply }: ModelCall, { wordings, tokens }: Path): boolean {
  if (
    messages.length < wordings.length ||
    wordings.some((wording, at) => wording !== wordingOf(messages[at] as ChatMessage))
  )
    return false;
  const prompt = reply.tokens?.prompt ?? null;
  if (tokens === null || prompt === null) return tokens === prompt;
  return prompt.length >= tokens.length && tokens.every((token, at) => token === prompt[at]);
}

/** All that the prompt adds stands before the answer: servers do not say which message a token belongs to. */
function tokensOf({ reply }: ModelCall, shared: Path | null): Pick<TraceNode, 'token_ids' | 'mask' | 'logprobs'> {
  const { prompt = null, completion = null, logprobs = null } = reply.tokens ?? {};
  if (prompt === null || completion === null) return noTokens;
  const added = prompt.slice(shared?.tokens?.length ?? 0);
  return {
    token_ids: [...added, ...completion],
    mask: [...added.map(() => false), ...completion.map(() => true)],
    logprobs: logprobs ?? [],
  };
}

/** Harnesses number calls anew and drop thoughts: neither is another context. */
function wordingOf(message: ChatMessage): string {
  if (message.role === 'tool') return JSON.stringify([message.role, message.content]);
  if (message.role !== 'assistant') return JSON.stringify(message);
  return JSON.stringify([message.content, (message.calls ?? []).map(({ name, input }) => [name, input])]);
}

function messageOf(message: ChatMessage): object {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'assistant') {
    const { content, thought, calls = [] } = message;
    return {
      role: 'assistant',
      content: content === '' ? null : content,
      ...(thought === undefined ? {} : { reasoning_content: thought }),
      ...(calls.length === 0
        ? {}
        : { tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', name, arguments: input })) }),
    };
  }
  const content = message.content.map(part =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mediaType};base64,${part.data}` } },
  );
  return message.role === 'tool' ? { role: 'tool', tool_call_id: message.call, content } : { role: 'user', content };
}

function toolOf({ name, description, input }: ChatTool): object {
  return { type: 'function', name, description, parameters: input };
}

const finishes = { stop: 'stop', calls: 'tool_calls', length: 'length', filter: 'stop' } as const;

function callOf({ reply, sampling }: ModelCall, node: number): TraceCall {
  const { temperature, topP, maxTokens } = sampling;
  return {
    node,
    model: reply.model,
    sampling: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    },
    endpoint: '/chat/completions',
    finish_reason: finishes[reply.finish],
    usage:
      reply.usage === null ? null : { prompt_tokens: reply.usage.prompt, completion_tokens: reply.usage.completion },
  };
}
