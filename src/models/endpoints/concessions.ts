import type { ChatRequest } from '../../core/chat/chat.ts';

/** What a request can do without when a server refuses it. */
type Concession = 'stream' | 'tokens' | 'format' | 'grammar' | 'seed' | 'parallelCalls';

interface Giving {
  readonly name: Concession;
  /** How refusals name it. */
  readonly named: RegExp;
  /** What it is, and what follows from going without. */
  readonly told: string;
  isAsked(request: ChatRequest): boolean;
  drop(request: ChatRequest): ChatRequest;
}

/** In the order in which they are given up: what costs the least first. */
const givings: readonly Giving[] = [
  {
    name: 'stream',
    named: /\bstream/i,
    told: 'streaming; answers come whole',
    isAsked: ({ stream }) => stream === true,
    drop: request => ({ ...request, stream: false }),
  },
  {
    name: 'parallelCalls',
    named: /parallel/i,
    told: 'a limit of one call an answer; the first call counts',
    isAsked: ({ parallelCalls }) => parallelCalls !== undefined,
    drop: ({ parallelCalls: _dropped, ...request }) => request,
  },
  {
    name: 'format',
    named: /response_format|json_schema|guided|structured/i,
    told: 'an answer by schema; the prompt alone asks for it',
    isAsked: ({ format }) => format !== undefined,
    drop: ({ format: _dropped, ...request }) => request,
  },
  {
    name: 'grammar',
    named: /grammar|ebnf|response_format|json_schema|guided|structured|tool_choice/i,
    told: 'a grammar of the steps that can be used; answers may be unusable',
    isAsked: ({ grammar, toolChoice }) => grammar !== undefined || toolChoice === 'required',
    drop({ grammar: _dropped, toolChoice, ...request }) {
      if (toolChoice === undefined) return request;
      return { ...request, toolChoice: toolChoice === 'required' ? 'auto' : toolChoice };
    },
  },
  {
    name: 'seed',
    named: /\bseed\b/i,
    told: 'a seed; the same run may draw other answers',
    isAsked: ({ sampling }) => sampling.seed !== undefined,
    drop({ sampling: { seed: _dropped, ...sampling }, ...request }) {
      return { ...request, sampling };
    },
  },
  {
    name: 'tokens',
    named: /logprobs|token_ids/i,
    told: 'token ids and log probabilities; exports with --tokens lack this model',
    isAsked: ({ wantsTokens }) => wantsTokens === true,
    drop: ({ wantsTokens: _dropped, ...request }) => request,
  },
];

/** What one server refuses, shared by all who ask it: it is asked for once in a run. */
export interface Concessions {
  apply(request: ChatRequest): ChatRequest;
  /** Takes what a server said of a request; whether asking again without something may help. */
  learn(sent: ChatRequest, refusal: string): boolean;
  /** What this request went without. */
  missing(request: ChatRequest): readonly Concession[];
}

export function createConcessions(onNew: (text: string) => void): Concessions {
  const given = new Set<Giving>();
  const lost = (request: ChatRequest): Giving[] =>
    givings.filter(giving => given.has(giving) && giving.isAsked(request));
  return {
    apply: request => lost(request).reduce((rest, { drop }) => drop(rest), request),
    learn(sent, refusal) {
      if (!refusesMember.test(refusal)) return false;
      const next = givings.find(({ named, isAsked }) => named.test(refusal) && isAsked(sent));
      if (next === undefined) return false;
      // Of many requests under way, the first answer is news.
      if (!given.has(next)) onNew(`refuses ${next.told}. It ${refusal}`);
      given.add(next);
      return true;
    },
    missing: request => lost(request).map(({ name }) => name),
  };
}

/** Some servers call what they do not support an error of their own. */
const refusesMember = /^answered (4(00|22)\b|50[01]\b.*support)/i;
