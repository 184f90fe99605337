import type { Tokens } from '../../core/chat/chat.ts';
import { wordingsOf, type Said } from '../../core/chat/same-context.ts';
import type { Message } from '../requests/wire.ts';
import { callsIn } from './conversation.ts';

/** A message, and the tokens that it adds to those of the messages before it. */
interface GraphNode {
  /** Its place in the list of nodes; null for the first message. */
  readonly parent: number | null;
  readonly message: Message;
  /** Whether the student's model gave this answer. */
  readonly sampled: boolean;
  readonly tokens: readonly number[];
  /** True for tokens that were sampled and are to be trained on. */
  readonly mask: readonly boolean[];
  /** One for each true member of the mask. */
  readonly logprobs: readonly number[];
}

interface AddedAnswer {
  /** As the server gave them; null for answers of anybody but the student's model. */
  readonly tokens: Tokens | null;
  readonly sampled: boolean;
  /** False when the tokens are trained on elsewhere. */
  readonly trains: boolean;
}

/**
 * Messages as a graph of parents. The tokens along the path to a sampled answer are exactly the prompt that the server
 * got and the completion that it gave. Servers do not say which message a token belongs to: the answer has them all.
 */
export interface MessageGraph {
  /** Adds an answer after these messages, and gives its place. */
  add(messages: readonly Message[], answer: Message, added: AddedAnswer): number;
  nodes(): readonly GraphNode[];
}

export function createMessageGraph(): MessageGraph {
  const nodes: GraphNode[] = [];
  /** The first node of each message after each parent. */
  const children = new Map<string, number>();
  const push = (node: GraphNode, key: string): number => {
    const place = nodes.push(node) - 1;
    if (!children.has(key)) children.set(key, place);
    return place;
  };
  return {
    nodes: () => nodes,
    add(messages, answer, { tokens, sampled, trains }) {
      const prompt = tokens?.prompt ?? null;
      const completion = tokens?.completion ?? null;
      const isKnown = prompt !== null && completion !== null;
      let parent: number | null = null;
      let before = 0;
      const wordings = wordingsOf([...messages, answer].map(saidIn));
      const keyAt = (at: number): string => `${parent} ${wordings[at]}`;
      for (const [at, message] of messages.entries()) {
        const known = children.get(keyAt(at)) ?? null;
        const own: readonly number[] = known === null ? [] : (nodes[known]?.tokens ?? []);
        const fits = !isKnown || own.every((token, index) => prompt[before + index] === token);
        if (known !== null && fits) {
          parent = known;
          before += own.length;
        } else parent = push({ parent, message, sampled: false, ...noTokens }, keyAt(at));
      }
      const key = keyAt(messages.length);
      if (!isKnown) return push({ parent, message: answer, sampled, ...noTokens }, key);
      const added = prompt.slice(before);
      const logprobs = tokens?.logprobs?.length === completion.length ? tokens.logprobs : null;
      // Without their log probabilities tokens cannot be trained on.
      const isTrained = trains && logprobs !== null;
      const node = {
        parent,
        message: answer,
        sampled,
        tokens: [...added, ...completion],
        mask: [...added.map(() => false), ...completion.map(() => isTrained)],
        logprobs: isTrained ? logprobs : [],
      };
      return push(node, key);
    },
  };
}

const noTokens = { tokens: [], mask: [], logprobs: [] };

function saidIn(message: Message): Said {
  const { role, content, tool_call_id: call } = message;
  return { role: String(role), content, call: typeof call === 'string' ? call : undefined, calls: callsIn(message) };
}
