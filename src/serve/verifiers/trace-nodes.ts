import type { ChatMessage, ChatTool } from '../../core/chat/chat.ts';
import type { ModelCall } from '../../core/chat/model.ts';
import {
  contextAfter,
  extendsContext,
  givenTokens,
  promptOf,
  startsWith,
  wordingsOf,
  type Context,
} from '../../core/chat/same-context.ts';

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
  readonly context: Context;
}

const noTokens = { token_ids: [], mask: [], logprobs: [] };

function pathTo(call: ModelCall, end: number): Path {
  return {
    end,
    wordings: wordingsOf([...call.messages, call.reply.message]),
    context: contextAfter(call, promptOf(call)),
  };
}

/** The nodes of a path show messages, so these are the same even where token ids are compared. */
function continues(call: ModelCall, { wordings, context }: Path): boolean {
  return startsWith(wordingsOf(call.messages), wordings) && extendsContext(promptOf(call), context);
}

/** All that the prompt adds stands before the answer: servers do not say which message a token belongs to. */
function tokensOf({ reply }: ModelCall, shared: Path | null): Pick<TraceNode, 'token_ids' | 'mask' | 'logprobs'> {
  const given = givenTokens(reply.tokens);
  if (given === null) return noTokens;
  const { prompt, completion } = given;
  const added = prompt.slice(shared?.context.items.length ?? 0);
  return {
    token_ids: [...added, ...completion],
    mask: [...added.map(() => false), ...completion.map(() => true)],
    logprobs: reply.tokens?.logprobs ?? [],
  };
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
