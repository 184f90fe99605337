import type { ChatDelta } from '../../../core/chat/chat.ts';
import type { JsonObject } from '../../../core/json.ts';
import { MalformedError, type StreamWriter } from '../dialect.ts';
import { writeEvent } from '../events.ts';
import { isSealedThought } from './blocks.ts';
import { writeError } from './errors.ts';
import { headOf, writeStop, writeUsage } from './reply.ts';

export function createWriter(): StreamWriter {
  const blocks = createBlockWriter();
  return {
    write(delta) {
      switch (delta.kind) {
        case 'start': {
          const none = { stop_reason: null, stop_sequence: null, stop_details: null };
          const message = { ...headOf(delta), content: [], ...none, usage: writeUsage(null) };
          return send({ type: 'message_start', message }) + send({ type: 'ping' });
        }
        case 'tokens':
          return '';
        case 'end': {
          const stop = { ...writeStop(delta.finish), container: null };
          return blocks.close() + send({ type: 'message_delta', delta: stop, usage: writeUsage(delta.usage) });
        }
        default:
          return blocks.write(delta);
      }
    },
    close: () => send({ type: 'message_stop' }),
    fail: error => send(writeError(error).body),
  };
}

function send(body: JsonObject): string {
  return writeEvent({ event: String(body['type']), data: JSON.stringify(body) });
}

type BlockDelta = Exclude<ChatDelta, { kind: 'start' | 'tokens' | 'end' }>;

/** One block after the other: the next begins where a piece does not belong to the last. */
function createBlockWriter() {
  let count = 0;
  let open: string | null = null;

  const close = () => {
    if (open === null) return '';
    open = null;
    return send({ type: 'content_block_stop', index: count - 1 });
  };
  const begin = (kind: string, block: JsonObject) => {
    const closed = close();
    open = kind;
    count += 1;
    return closed + send({ type: 'content_block_start', index: count - 1, content_block: block });
  };
  const add = (delta: JsonObject) => send({ type: 'content_block_delta', index: count - 1, delta });
  const within = (kind: string, block: JsonObject) => (open === kind ? '' : begin(kind, block));
  const emptyThought = { type: 'thinking', thinking: '', signature: '' };

  function seal(item: JsonObject): string {
    const { type, thinking, signature } = item;
    if (!isSealedThought(item)) return '';
    if (type === 'redacted_thinking') return begin('redacted', item) + close();
    const thought =
      open === 'thought'
        ? ''
        : begin('thought', emptyThought) + add({ type: 'thinking_delta', thinking: thinking ?? '' });
    return thought + add({ type: 'signature_delta', signature: signature ?? '' }) + close();
  }

  function write(delta: BlockDelta): string {
    switch (delta.kind) {
      case 'text':
        return (
          within('text', { type: 'text', text: '', citations: null }) + add({ type: 'text_delta', text: delta.text })
        );
      case 'thought':
        return within('thought', emptyThought) + add({ type: 'thinking_delta', thinking: delta.text });
      case 'call': {
        const { id, name } = delta;
        return begin(`call ${delta.index}`, { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } });
      }
      case 'input':
        if (open !== `call ${delta.index}`)
          throw new MalformedError(`The input of call ${delta.index} goes on after another block began.`);
        return add({ type: 'input_json_delta', partial_json: delta.text });
      case 'sealed':
        return seal(delta.item);
    }
  }

  return { write, close };
}
