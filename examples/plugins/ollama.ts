import { MalformedError, z, type ChatMessage, type ChatReply, type ClientDialect } from 'espalier';

const replySchema = z.object({
  model: z.string(),
  created_at: z.string(),
  message: z.object({
    content: z.string(),
    tool_calls: z
      .array(z.object({ function: z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) }) }))
      .default([]),
  }),
  done_reason: z.string().default('stop'),
  prompt_eval_count: z.int().default(0),
  eval_count: z.int().default(0),
});

/** The native interface of Ollama: `--student ./ollama.ts:qwen3@http://127.0.0.1:11434`. Replies come whole. */
export const dialect: ClientDialect = {
  name: 'ollama',
  path: '/api/chat',
  headers: key => ({ 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) }),
  writeRequest({ model, messages, tools = [], sampling, format }) {
    const { temperature, maxTokens } = sampling;
    return {
      model,
      stream: false,
      messages: messages.map(writeMessage),
      tools: tools.map(({ name, description, input }) => ({
        type: 'function',
        function: { name, description, parameters: input },
      })),
      ...(format === undefined ? {} : { format: format.schema }),
      options: {
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
      },
    };
  },
  readReply(body) {
    const parsed = replySchema.safeParse(body);
    if (!parsed.success) throw new MalformedError(`It is no reply of Ollama: ${z.prettifyError(parsed.error)}`);
    const { model, created_at: id, message, done_reason: reason, prompt_eval_count, eval_count } = parsed.data;
    const calls = message.tool_calls.map(({ function: { name, arguments: input } }, index) => ({
      id: `call-${index}`,
      name,
      input: JSON.stringify(input),
    }));
    const finish: ChatReply['finish'] = reason === 'length' ? 'length' : calls.length > 0 ? 'calls' : 'stop';
    return {
      id,
      model,
      version: null,
      message: { role: 'assistant', content: message.content, ...(calls.length > 0 && { calls }) },
      finish,
      usage: { prompt: prompt_eval_count, completion: eval_count },
      tokens: null,
    };
  },
  readError(status, body) {
    const { error } = z.object({ error: z.string() }).catch({ error: 'no reason given' }).parse(body);
    if (status === 404) return { kind: 'unknown-model', message: error };
    return { kind: status >= 500 ? 'broken' : 'bad-request', message: error };
  },
};

function writeMessage(message: ChatMessage) {
  const { role, content } = message;
  if (role === 'assistant') {
    const calls = (message.calls ?? []).map(({ name, input }) => ({ function: { name, arguments: readInput(input) } }));
    return { role, content, ...(calls.length > 0 && { tool_calls: calls }) };
  }
  if (typeof content === 'string') return { role, content };
  const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
  const images = content.flatMap(part => (part.type === 'image' ? [part.data] : []));
  return { role, content: text, ...(images.length > 0 && { images }) };
}

/** Nobody promises that a model wrote JSON. */
function readInput(text: string): Record<string, z.core.util.JSONType> {
  try {
    return z.record(z.string(), z.json()).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
