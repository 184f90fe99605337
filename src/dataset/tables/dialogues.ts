import type { ChatMessage } from '../../core/chat/chat.ts';
import type { TreeNode } from '../../core/tree.ts';
import { isRefusalOfAnswer } from '../../models/prompt/transcript.ts';
import { columns, type Row, type Table } from '../rows/columns.ts';
import { provenanceColumns, provenanceOf } from '../rows/provenance.ts';
import type { ArchivedEpisode } from './next-actions.ts';

export const dialogues: Table = {
  name: 'dialogues',
  columns: [
    ...columns({ messages: 'messages', learn: 'booleans', tools: 'string', request: 'string', steps: 'int' }),
    ...provenanceColumns,
  ],
};

/**
 * The way to each archived leaf as one chat: every answer on it is learned once. `learn` says of each message whether it is
 * a step that was applied, and is not masked.
 */
export function* dialogueRows({ archived, requests, masked }: ArchivedEpisode): Iterable<Row> {
  for (const { record, path, verdict } of archived) {
    const last = path.at(-1);
    const request = last === undefined ? null : requests.of(record, last.id);
    if (last === undefined || request === null) continue;
    const messages = [...request.messages, request.answer(last.id)];
    const before = learned(request.chat, path.slice(0, -1), masked);
    // Pictures of tools are messages of their own, which nobody says.
    const learn = [...stretched(before, request.messages), last.outcome.applied && !masked.has(last.id)];
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

/** Of the answers in a chat, in order: whether what followed was the step being done, and the step is learned. */
function learned(chat: readonly ChatMessage[], path: readonly TreeNode[], masked: ReadonlySet<number>): boolean[] {
  const answers = answersIn(chat);
  // From the end: a window leaves out the beginning of a path.
  const left = [...path];
  const isMasked = answers.map(() => false);
  for (const [at, { calls, refused }] of [...answers.entries()].toReversed()) {
    if (refused) continue;
    isMasked[at] = left.splice(-calls, calls).some(({ id }) => masked.has(id));
  }
  return answers.map(({ failed, refused }, at) => !failed && !refused && isMasked[at] === false);
}

interface Answer {
  /** Steps that it asked for. */
  readonly calls: number;
  readonly failed: boolean;
  /** It could not be used, and no step was taken. */
  readonly refused: boolean;
}

function answersIn(chat: readonly ChatMessage[]): Answer[] {
  return chat.flatMap((message, at) => {
    if (message.role !== 'assistant') return [];
    const results = [];
    for (let next = at + 1; next < chat.length && chat[next]?.role !== 'assistant'; next++) results.push(chat[next]);
    const failed = results.some(result => result?.role === 'tool' && result.failed === true);
    const refused = results.some(result => result?.role === 'user' && isRefusalOfAnswer(result));
    return [{ calls: Math.max(1, message.calls?.length ?? 0), failed, refused }];
  });
}

function stretched(answers: readonly boolean[], rows: readonly Row[]): boolean[] {
  let answer = 0;
  return rows.map(({ role }) => (role === 'assistant' ? (answers[answer++] ?? false) : false));
}
