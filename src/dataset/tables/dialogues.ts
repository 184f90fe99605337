import type { ChatMessage } from '../../core/chat/chat.ts';
import { isRefusalOfAnswer } from '../../models/prompt/transcript.ts';
import type { Requests } from '../requests/requests.ts';
import type { Candidate } from '../rows/candidate.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';

export const dialogues: Table = {
  name: 'dialogues',
  columns: [
    ...columns({ messages: 'messages', learn: 'booleans', tools: 'string', request: 'string', steps: 'int' }),
    ...provenanceColumns,
  ],
};

/**
 * The way to each archived leaf as one chat: every answer on it is learned once. `learn` says of each message whether it is
 * a step that was applied.
 */
export function* dialogueRows(archived: readonly Candidate[], requests: Requests): Iterable<Row> {
  for (const { record, path, verdict } of archived) {
    const last = path.at(-1);
    const request = last === undefined ? null : requests.of(record, last.id);
    if (last === undefined || request === null) continue;
    const messages = [...request.messages, request.answer(last.id)];
    const before = learned(request.chat);
    // Pictures of tools are messages of their own, which nobody says.
    const learn = [...stretched(before, request.messages), last.outcome.applied];
    yield {
      messages,
      learn,
      tools: request.tools,
      request: request.source,
      steps: learn.filter(Boolean).length,
      ...provenanceOf(record, last, verdict),
    };
  }
}

/** Of the answers in a chat, in order: whether what followed was the step being done. */
function learned(chat: readonly ChatMessage[]): boolean[] {
  return chat.flatMap((message, at) => {
    if (message.role !== 'assistant') return [];
    const results = [];
    for (let next = at + 1; next < chat.length && chat[next]?.role !== 'assistant'; next++) results.push(chat[next]);
    const failed = results.some(result => result?.role === 'tool' && result.failed === true);
    const refused = results.some(result => result?.role === 'user' && isRefusalOfAnswer(result));
    return [!failed && !refused];
  });
}

function stretched(answers: readonly boolean[], rows: readonly Row[]): boolean[] {
  let answer = 0;
  return rows.map(({ role }) => (role === 'assistant' ? (answers[answer++] ?? false) : false));
}
