import type { CallEvent, ModelCall } from '../../core/chat/model.ts';
import type { Exchange } from '../../core/chat/same-context.ts';
import { segmentsOf, tokensOf, type SegmentTokens } from '../../core/chat/segments.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Tree, TreeNode } from '../../core/tree.ts';
import { candidatesOf, type Candidate } from '../rows/candidate.ts';

/** Whose a token is. Every token is exactly one of these; those of a prompt are all `other`. */
type TokenKind = 'action' | 'observation' | 'other';

/** A question to the student: recorded from a model, or written for a step that no model took. */
export interface Question {
  readonly event: Pick<CallEvent, 'by' | 'at'>;
  /** The step that the answer led to; null for an answer of no use. */
  readonly node: number | null;
  read(): Exchange & Pick<ModelCall, 'sampling'>;
}

/** A question to the student, and what came back. */
export interface Turn {
  readonly event: Question['event'];
  readonly call: ReturnType<Question['read']>;
  readonly node: Question['node'];
  /** Place among all questions of the episode. */
  readonly place: number;
  /** Where its sampled tokens stand in the completion of its segment. */
  readonly start: number;
  readonly end: number;
}

/**
 * Tokens that one policy saw and sampled in one go, as the server gave them or as a tokenizer writes them: one version of
 * the model, one way through the tree, no step of the teacher in between. What a format calls a sample is one of these.
 */
export interface TokenSegment {
  /** The end of the tree that it led to; its verdict is there. */
  readonly leaf: Candidate;
  readonly prompt: readonly number[];
  /** Everything after the prompt, up to the last sampled token. */
  readonly completion: readonly number[];
  /** Of each token of the completion. */
  readonly kinds: readonly TokenKind[];
  /** Of each token of the completion, 0 where it was not sampled; null when the server did not say for all. */
  readonly logprobs: readonly number[] | null;
  readonly turns: readonly [Turn, ...Turn[]];
  /** Steps of the teacher that came after it on the way to the leaf: with none, the verdict is the student's own. */
  readonly interventionsAfter: number;
  /** In an export with advantages. */
  readonly credit?: TokenCredit;
}

/** Of each token of a completion. */
export interface TokenCredit {
  readonly estimator: string;
  /** 0 where the token is not trained on. */
  readonly advantages: readonly number[];
  /** 1 where the student sampled the token in a step that counts. */
  readonly mask: readonly number[];
  /** Of predicting tokens of the environment; null when the estimator weighs none. */
  readonly observationWeights: readonly number[] | null;
}

/** Why calls of the student are in no row. */
export type LeftOut =
  | 'the server gave no token ids'
  | 'the server gave token ids of the answer, and none of the prompt'
  | 'nothing was sampled'
  | 'no verdict on where it led'
  | 'where it led is not certified'
  | 'the episode broke'
  | 'it was asked with a hint'
  | 'its group has no advantages'
  | 'the server gave token ids, which no tokenizer replaces';

export interface TokenSegments {
  readonly stretches: readonly TokenSegment[];
  readonly left: readonly LeftOut[];
}

/** A call, and where it belongs. */
interface Placed extends Omit<Question, 'read'> {
  readonly call: Turn['call'];
  readonly leaf: Candidate | null;
  /** Steps of others on the way to it. */
  readonly taught: number;
}

/**
 * The student's tokens in an episode; those of a teacher are never among them. Each sampled token is in one segment only.
 * A branch that was rolled back is a segment of its own, with the verdict of its own leaf.
 */
export function tokenSegmentsOf(record: EpisodeRecord, readCall: (address: string) => ModelCall): TokenSegments {
  const ledTo = new Map<CallEvent, number>();
  for (const { id } of stepsOf(record.tree)) for (const event of record.callsFor(id)) ledTo.set(event, id);
  const questions = studentCalls(record).map(event => ({
    event,
    node: ledTo.get(event) ?? null,
    read: () => readCall(event.record),
  }));
  const plain = questions.filter(({ event, node }) => !wasTold(record.tree, node, event.at));
  const { stretches, left } = segmentsOfQuestions(record, plain);
  const told = Array.from({ length: questions.length - plain.length }, () => 'it was asked with a hint' as const);
  return { stretches, left: [...left, ...told] };
}

/** Whether a hint is in what the student was asked, or in what it said before. An answer of no use may have been told what the next one was. */
function wasTold(tree: Tree, node: number | null, at: number): boolean {
  return [...tree.path(node ?? at), ...(node === null ? tree.children(at) : [])].some(({ hint }) => hint !== undefined);
}

/** The calls in which the student of an episode was asked for a step. */
export function studentCalls({ calls }: Pick<EpisodeRecord, 'calls'>): readonly CallEvent[] {
  return calls.filter(({ by, question }) => by.role === 'student' && question === 'act');
}

/** llama.cpp says the ids of what it samples. */
function missingIds(call: Exchange | undefined): LeftOut {
  return (call?.reply.tokens?.completion ?? null) === null
    ? 'the server gave no token ids'
    : 'the server gave token ids of the answer, and none of the prompt';
}

/** The same for questions in the order in which they were asked. */
export function segmentsOfQuestions(record: EpisodeRecord, questions: readonly Question[]): TokenSegments {
  if (record.end.outcome === 'errored') return { stretches: [], left: questions.map(() => 'the episode broke') };
  const placed = questions.map(createPlacing(record));
  const left: LeftOut[] = [];
  const segments: TokenSegment[] = [];
  const calls = placed.map(({ call }) => call);
  for (const segment of segmentsOf(calls)) {
    const tokens = tokensOf(calls, segment);
    if (tokens === null) left.push(...segment.calls.map(place => missingIds(calls[place])));
    else {
      for (const run of runsOf(placed, tokens.spans)) {
        const made = tokenSegmentOf(placed, tokens, run);
        if (typeof made === 'string') left.push(...run.map(() => made));
        else segments.push(made);
      }
    }
  }
  return { stretches: segments, left };
}

function createPlacing(record: EpisodeRecord): (question: Question) => Placed {
  const { tree } = record;
  const leaves = candidatesOf(record).filter(({ verdict }) => verdict !== null);
  const paths = new Map(leaves.map(leaf => [leaf, new Set([0, ...leaf.path.map(({ id }) => id)])]));
  return ({ event, node, read }) => {
    // An answer that led to no step belongs to where it was asked.
    const leaf = leaves.find(candidate => paths.get(candidate)?.has(node ?? event.at)) ?? null;
    const taught = tree.path(event.at).filter(({ actor }) => actor.role !== event.by.role).length;
    return { event, node, call: read(), leaf, taught };
  };
}

/** Every step of the tree, those that were rolled back too. */
export function* stepsOf(tree: Tree): Iterable<TreeNode> {
  for (const open = [...tree.children(0)]; open.length > 0; ) {
    const node = open.pop() as TreeNode;
    yield node;
    open.push(...tree.children(node.id));
  }
}

type Span = SegmentTokens['spans'][number];

/** Calls of a segment that follow each other and belong together. */
function runsOf(placed: readonly Placed[], spans: readonly Span[]): readonly (readonly Span[])[] {
  const runs: Span[][] = [];
  let before: Placed | null = null;
  for (const span of spans) {
    const at = placed[span.call] as Placed;
    if (before !== null && belongTogether(before, at)) runs.at(-1)?.push(span);
    else runs.push([span]);
    before = at;
  }
  return runs;
}

function belongTogether(left: Placed, right: Placed): boolean {
  return (
    left.leaf === right.leaf &&
    left.taught === right.taught &&
    left.call.reply.model === right.call.reply.model &&
    left.call.reply.version === right.call.reply.version
  );
}

function tokenSegmentOf(
  placed: readonly Placed[],
  tokens: SegmentTokens,
  run: readonly Span[],
): TokenSegment | LeftOut {
  const [first, last] = [run[0] as Span, run.at(-1) as Span];
  const { leaf, taught } = placed[first.call] as Placed;
  if (leaf === null) return 'no verdict on where it led';
  if (lacksCertificate(leaf.record, leaf.leaf)) return 'where it led is not certified';
  if (run.every(({ start, end }) => start === end)) return 'nothing was sampled';
  const turns = run.map(({ call, start, end }): Turn => {
    const { event, node, call: asked } = placed[call] as Placed;
    return { event, node, place: call, call: asked, start: start - first.start, end: end - first.start };
  });
  const student = turns[0]?.event.by.role;
  return {
    leaf,
    prompt: [...tokens.prompt, ...tokens.completion.slice(0, first.start)],
    completion: tokens.completion.slice(first.start, last.end),
    kinds: kindsOf(turns),
    logprobs: logprobsOf(turns),
    turns: turns as [Turn, ...Turn[]],
    interventionsAfter: leaf.path.filter(({ actor }) => actor.role !== student).length - taught,
  };
}

/** The segment in which the answers that led to these steps are not learned: they are context, as a prompt is. */
export function maskedSegment(segment: TokenSegment, masked: ReadonlySet<number>): TokenSegment {
  const left = segment.turns.filter(({ node }) => node !== null && masked.has(node));
  if (left.length === 0) return segment;
  const isLeft = segment.kinds.map(() => false);
  for (const { start, end } of left) isLeft.fill(true, start, end);
  const { credit, kinds } = segment;
  return {
    ...segment,
    kinds: kinds.map((kind, token) => (isLeft[token] === true ? 'other' : kind)),
    ...(credit === undefined
      ? {}
      : { credit: { ...credit, mask: credit.mask.map((on, at) => (isLeft[at] ? 0 : on)) } }),
  };
}

function kindsOf(turns: readonly Turn[]): readonly TokenKind[] {
  const kinds: TokenKind[] = [];
  let before: Turn | null = null;
  for (const turn of turns) {
    const between = before !== null && isAnswerOfWorld(before, turn) ? 'observation' : 'other';
    while (kinds.length < turn.start) kinds.push(between);
    while (kinds.length < turn.end) kinds.push('action');
    before = turn;
  }
  return kinds;
}

/** Whether what stands between two answers came from the environment: a step was taken, and nobody else spoke. */
function isAnswerOfWorld({ event, call }: Turn, next: Turn): boolean {
  if (next.event.at === event.at) return false;
  const said = next.call.messages.slice(call.messages.length + 1);
  const hasCalled = (call.reply.message.calls ?? []).length > 0;
  return said.length > 0 && said.every(({ role }) => role === 'tool' || (role === 'user' && !hasCalled));
}

function logprobsOf(turns: readonly Turn[]): readonly number[] | null {
  const logprobs: number[] = [];
  for (const { call, start, end } of turns) {
    const given = call.reply.tokens?.logprobs;
    if (given?.length !== end - start) return null;
    while (logprobs.length < start) logprobs.push(0);
    for (const logprob of given) logprobs.push(logprob);
  }
  return logprobs;
}
