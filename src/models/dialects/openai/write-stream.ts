import type { ChatDelta, ChatRequest } from '../../../core/chat/chat.ts';
import { defined, isJsonObject, type JsonObject } from '../../../core/json.ts';
import type { StreamWriter } from '../dialect.ts';
import { writeEvent } from '../events.ts';
import { callOfSealed } from './calls.ts';
import { writeError } from './errors.ts';
import { headOf, writeFinish, writeUsage } from './reply.ts';
import { writeTokens } from './tokens.ts';

export function createWriter(request: ChatRequest): StreamWriter {
  const { stream_options: options } = request.extra ?? {};
  const wantsUsage = isJsonObject(options) && options['include_usage'] === true;
  const writeCallPiece = createCallWriter();
  let head: JsonObject = {};

  const event = (body: JsonObject) => writeEvent({ event: null, data: JSON.stringify(body) });
  const chunk = (members: JsonObject) => event({ ...head, object: 'chat.completion.chunk', ...members });
  const piece = (delta: JsonObject, more: JsonObject = {}) =>
    chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }] });

  return {
    write(delta) {
      switch (delta.kind) {
        case 'start':
          head = headOf(delta);
          return piece({ role: 'assistant', content: '' });
        case 'text':
          return piece({ content: delta.text });
        case 'thought':
          return piece({ reasoning_content: delta.text });
        case 'call':
        case 'input':
        case 'sealed': {
          const call = writeCallPiece(delta);
          return call === null ? '' : piece({ tool_calls: [call] });
        }
        case 'tokens': {
          const { choice, reply } = writeTokens(delta.tokens, request);
          if (Object.keys({ ...choice, ...reply }).length === 0) return '';
          const choices = [{ index: 0, delta: {}, logprobs: null, finish_reason: null, ...choice }];
          return chunk({ choices, ...reply });
        }
        case 'end': {
          const end = piece({}, { finish_reason: writeFinish(delta.finish) });
          return wantsUsage && delta.usage ? end + chunk({ choices: [], usage: writeUsage(delta.usage) }) : end;
        }
      }
    },
    close: () => writeEvent({ event: null, data: '[DONE]' }),
    fail: error => event(writeError(error).body),
  };
}

type CallPiece = Extract<ChatDelta, { kind: 'call' | 'input' | 'sealed' }>;

/** What was sealed with a call goes out with it, also when it came before. */
function createCallWriter(): (delta: CallPiece) => JsonObject | null {
  const indices = new Map<string, number>();
  const early = new Map<string, JsonObject>();
  return delta => {
    if (delta.kind === 'input') return { index: delta.index, function: { arguments: delta.text } };
    if (delta.kind === 'call') {
      const { index, id, name } = delta;
      indices.set(id, index);
      return defined({
        index,
        id,
        type: 'function',
        function: { name, arguments: '' },
        extra_content: early.get(id),
      });
    }
    const sealed = callOfSealed(delta.item);
    if (sealed === null) return null;
    const index = indices.get(sealed.call);
    if (index !== undefined) return { index, extra_content: sealed.content };
    early.set(sealed.call, sealed.content);
    return null;
  };
}
