import type { ChatReply, ChatRequest, Tokens } from '../../../core/chat/chat.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { StreamWriter } from '../dialect.ts';
import { writeEvent } from '../events.ts';
import { codeOf } from '../openai/errors.ts';
import { joinTokens } from '../tokens.ts';
import { finishedResponse, responseOf } from './reply.ts';
import { createItemWriter } from './write-items.ts';

export function createWriter(request: ChatRequest): StreamWriter {
  let sequence = 0;
  let head: Pick<ChatReply, 'id' | 'model'> = { id: '', model: '' };
  const tokens: Tokens[] = [];
  const send = (type: string, members: JsonObject) =>
    writeEvent({ event: type, data: JSON.stringify({ type, sequence_number: sequence++, ...members }) });
  let items = createItemWriter('', send);

  return {
    write(delta) {
      switch (delta.kind) {
        case 'start': {
          head = delta;
          items = createItemWriter(head.id, send);
          const response = responseOf(head, request, 'in_progress');
          return send('response.created', { response }) + send('response.in_progress', { response });
        }
        case 'tokens':
          tokens.push(delta.tokens);
          return '';
        case 'end': {
          const { finish, usage } = delta;
          const closed = items.close();
          const reply = { ...head, finish, usage, tokens: joinTokens(tokens) };
          const response = finishedResponse(reply, request, items.output());
          return closed + send(`response.${String(response['status'])}`, { response });
        }
        default:
          return items.write(delta);
      }
    },
    close: () => '',
    fail: error => send('error', { code: codeOf(error), message: error.message, param: null }),
  };
}
