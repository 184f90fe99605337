import type { ServerResponse } from 'node:http';

/** A place in the answer of a model server that a key can stand in. */
export interface Carrier {
  readonly name: string;
  /** The path that the harness asks. */
  readonly path: string;
  readonly streams?: true;
  /** Whether the text is spread over events, so that only what can be undone letter by letter is promised. */
  readonly cuts?: true;
  answer(response: ServerResponse, told: string): void;
}

const chat = '/v1/chat/completions';
const messages = '/v1/messages';

function whole(message: object, extra: object = {}) {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi', ...message }, finish_reason: 'stop' }];
  return { id: 'c', model: 'm', object: 'chat.completion', choices, usage: null, ...extra };
}

const send = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};
const called = (input: string) => ({
  content: null,
  tool_calls: [{ id: 'one', type: 'function', function: { name: 'read', arguments: input } }],
});
/** In pieces of the sizes 1, 2, 3, 5, 1, 2, … */
const cut = (text: string): string[] => {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = [1, 2, 3, 5][turn % 4] as number;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
};
const stream = (response: ServerResponse, deltas: readonly object[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', model: 'm', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.end(`${deltas.map(delta => event(delta, null)).join('')}${event({}, 'stop')}data: [DONE]\n\n`);
};
const inputDelta = (text: string, isFirst: boolean) => ({
  tool_calls: [
    {
      index: 0,
      ...(isFirst && { id: 'one', type: 'function' }),
      function: { ...(isFirst && { name: 'read' }), arguments: text },
    },
  ],
});
/** As a value in the JSON of the input of a tool: escapes of JSON in it are read there once more. */
const inputOf = (told: string): string =>
  `{"path":"${told.includes('\n') || told.includes('\0') ? JSON.stringify(told).slice(1, -1) : told.replaceAll(/(?<!\\)"/g, '\\"')}"}`;

export const carriers: readonly Carrier[] = [
  { name: 'text', path: chat, answer: (response, told) => send(response, whole({ content: `It is ${told}.` })) },
  { name: 'text, translated', path: messages, answer: (response, told) => send(response, whole({ content: told })) },
  { name: 'thought', path: chat, answer: (response, told) => send(response, whole({ reasoning_content: told })) },
  { name: 'input of a tool', path: chat, answer: (response, told) => send(response, whole(called(inputOf(told)))) },
  {
    name: 'input of a tool, translated',
    path: messages,
    answer: (response, told) => send(response, whole(called(inputOf(told)))),
  },
  {
    name: 'name of a tool',
    path: chat,
    answer: (response, told) =>
      send(
        response,
        whole({ tool_calls: [{ id: told, type: 'function', function: { name: told, arguments: '{}' } }] }),
      ),
  },
  {
    name: 'name of the model',
    path: chat,
    answer: (response, told) => send(response, whole({}, { model: told, id: told })),
  },
  {
    name: 'other member',
    path: chat,
    answer: (response, told) => send(response, whole({}, { debug: { headers: [told] } })),
  },
  {
    name: 'name of a member',
    path: chat,
    answer: (response, told) => send(response, whole({}, { debug: { [told]: 1 } })),
  },
  {
    name: 'member that is there twice',
    path: chat,
    answer: (response, told) =>
      send(response, JSON.stringify(whole({})).replace('{', `{"x":${JSON.stringify(told)},"x":"fine",`)),
  },
  {
    name: 'error',
    path: chat,
    answer: (response, told) => send(response, { error: { message: `Wrong: ${told}` } }, 401),
  },
  {
    name: 'error, translated',
    path: messages,
    answer: (response, told) => send(response, { error: { message: told } }, 401),
  },
  { name: 'error that is no JSON', path: chat, answer: (response, told) => send(response, `<p>${told}</p>`, 500) },
  {
    name: 'long error',
    path: chat,
    answer: (response, told) => send(response, { error: { message: { note: `${'x'.repeat(280)} ${told}` } } }, 400),
  },
  { name: 'answer that is no JSON', path: chat, answer: (response, told) => send(response, `It is ${told}.`) },
  {
    name: 'header',
    path: chat,
    answer(response, told) {
      const value = told.replaceAll(/[^\x20-\x7e]/g, ' ');
      response.setHeader('x-request-id', value);
      response.setHeader('x-ratelimit-reset-tokens', value);
      send(response, whole({}));
    },
  },
  {
    name: 'stream',
    path: chat,
    streams: true,
    answer: (response, told) => stream(response, [{ content: `It is ${told}.` }]),
  },
  {
    name: 'stream, translated',
    path: messages,
    streams: true,
    answer: (response, told) => stream(response, [{ content: told }]),
  },
  {
    name: 'comment in a stream',
    path: chat,
    streams: true,
    answer(response, told) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const line = told.replaceAll(/[\r\n]/g, ' ');
      response.end(`: ${line}\nevent: ${line}\ndata: {"choices":[]}\n\nid: ${line}\ndata: ${line}\n\ndata: [DONE]\n\n`);
    },
  },
  {
    name: 'error in a stream',
    path: messages,
    streams: true,
    answer(response, told) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ error: { message: told } })}\n\n`);
    },
  },
  {
    name: 'letters of a stream',
    path: chat,
    streams: true,
    cuts: true,
    answer: (response, told) =>
      stream(
        response,
        cut(told).map(content => ({ content })),
      ),
  },
  {
    name: 'letters of a stream, translated',
    path: messages,
    streams: true,
    cuts: true,
    answer: (response, told) =>
      stream(
        response,
        cut(told).map(content => ({ content })),
      ),
  },
  {
    name: 'letters of the input of a tool',
    path: chat,
    streams: true,
    cuts: true,
    answer: (response, told) =>
      stream(
        response,
        cut(inputOf(told)).map((text, at) => inputDelta(text, at === 0)),
      ),
  },
  {
    name: 'tokens',
    path: chat,
    cuts: true,
    answer(response, told) {
      const content = cut(told).map(token => ({
        token,
        logprob: -1,
        bytes: [...Buffer.from(token)],
        top_logprobs: [],
      }));
      const base = whole({});
      const [choice] = base.choices;
      send(response, { ...base, choices: [{ ...choice, logprobs: { content } }] });
    },
  },
];
