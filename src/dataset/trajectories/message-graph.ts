import type { Tokens } from '../../core/chat/chat.ts';
import { isAlike } from '../../core/episode/call-log.ts';
import type { Message } from '../requests/wire.ts';

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
  const childOf = (parent: number | null, message: Message): number | null => {
    const place = nodes.findIndex(node => node.parent === parent && isSameMessage(node.message, message));
    return place < 0 ? null : place;
  };
  const push = (node: GraphNode): number => nodes.push(node) - 1;
  return {
    nodes: () => nodes,
    add(messages, answer, { tokens, sampled, trains }) {
      const prompt = tokens?.prompt ?? null;
      const completion = tokens?.completion ?? null;
      const isKnown = prompt !== null && completion !== null;
      let parent: number | null = null;
      let before = 0;
      for (const message of messages) {
        const known = childOf(parent, message);
        const own: readonly number[] = known === null ? [] : (nodes[known]?.tokens ?? []);
        const fits = !isKnown || own.every((token, at) => prompt[before + at] === token);
        if (known !== null && fits) {
          parent = known;
          before += own.length;
        } else parent = push({ parent, message, sampled: false, tokens: [], mask: [], logprobs: [] });
      }
      if (!isKnown) return push({ parent, message: answer, sampled, tokens: [], mask: [], logprobs: [] });
      const added = prompt.slice(before);
      const logprobs = tokens?.logprobs?.length === completion.length ? tokens.logprobs : null;
      // Without their log probabilities tokens cannot be trained on.
      const isTrained = trains && logprobs !== null;
      return push({
        parent,
        message: answer,
        sampled,
        tokens: [...added, ...completion],
        mask: [...added.map(() => false), ...completion.map(() => isTrained)],
        logprobs: isTrained ? logprobs : [],
      });
    },
  };
}

/** Requests that are sent later may leave the reasoning of an answer out. */
function isSameMessage(left: Message, right: Message): boolean {
  const { reasoning_content: _left, ...plainLeft } = left;
  const { reasoning_content: _right, ...plainRight } = right;
  return isAlike(plainLeft, plainRight);
}
