import { isAlike } from '../../core/episode/call-log.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { JsonObject } from '../../core/json.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Requests, RowRequest } from '../requests/requests.ts';
import type { Message } from '../requests/wire.ts';

/** One answer of an agent, and what came back. */
export interface Turn {
  /** The step of this answer. Agents behind the proxy may call several tools in one answer: then a step for each. */
  readonly nodes: readonly [TreeNode, ...TreeNode[]];
  readonly request: RowRequest;
  readonly answer: Message;
  /** The messages before the next answer: results, and answers that could not be used. None after the last turn. */
  readonly after: readonly Message[];
}

/** The path to a node of the tree, as a chat. */
export interface Conversation {
  /** The request that the first answer was given to. */
  readonly opening: readonly Message[];
  readonly turns: readonly Turn[];
}

export function conversationOf(record: EpisodeRecord, leaf: number, requests: Requests): Conversation {
  const turns: Turn[] = [];
  for (const node of record.tree.path(leaf)) {
    const last = turns.at(-1);
    const request = requests.of(record, node.id);
    if (request === null) {
      if (last !== undefined) turns[turns.length - 1] = { ...last, nodes: [...last.nodes, node] };
      continue;
    }
    if (last !== undefined) turns[turns.length - 1] = { ...last, after: messagesAfter(last, request.messages) };
    turns.push({ nodes: [node], request, answer: request.answer(node.id), after: [] });
  }
  return { opening: turns[0]?.request.messages ?? [], turns };
}

/** Every message of a conversation, in its order. */
export function messagesOf({ opening, turns }: Conversation): readonly Message[] {
  return [...opening, ...turns.flatMap(({ answer, after }) => [answer, ...after])];
}

/** What the next request has after this answer. An agent that rewrote its context may have dropped the answer. */
function messagesAfter({ request, answer }: Pick<Turn, 'request' | 'answer'>, next: readonly Message[]): Message[] {
  const place = next.findLastIndex(message => isSameAnswer(message, answer));
  if (place >= 0) return next.slice(place + 1);
  let shared = 0;
  while (shared < next.length && isAlike(next[shared], request.messages[shared])) shared++;
  return next.slice(shared);
}

/** Requests that are sent later may leave the reasoning out. */
function isSameAnswer(message: Message, answer: Message): boolean {
  return (
    message['role'] === 'assistant' &&
    message['content'] === answer['content'] &&
    isAlike(message['tool_calls'] ?? null, answer['tool_calls'] ?? null)
  );
}

/** A call of a tool in a message. */
export interface MessageCall {
  readonly id: string;
  readonly name: string;
  /** A text where the model did not write a JSON object. */
  readonly input: JsonObject | string;
}

export function callsIn({ tool_calls: calls }: Message): readonly MessageCall[] {
  if (!Array.isArray(calls)) return [];
  return (calls as readonly JsonObject[]).map(call => {
    const { name, arguments: input } = call['function'] as JsonObject;
    return { id: String(call['id'] ?? ''), name: String(name), input: input as MessageCall['input'] };
  });
}

/** The text of a message, without its pictures. */
export function textOf({ content }: Message): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  const texts = (content as readonly JsonObject[]).map(({ text }) => text);
  return texts.filter(text => typeof text === 'string').join('\n');
}

/** What came back for a step: the result of its call, or the next message where the agent called no tool. */
export function resultOf(record: EpisodeRecord, { nodes, answer, after }: Turn, at = 0): string {
  const id = callsIn(answer)[at]?.id;
  const result = after.find(({ role, tool_call_id: call }) => (id === undefined ? role === 'user' : call === id));
  return result === undefined ? record.text((nodes[at] ?? nodes[0]).id) : textOf(result);
}
