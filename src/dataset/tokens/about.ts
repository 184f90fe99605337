import { columns, type Row } from '../rows/columns.ts';
import { creditMembers } from './token-credit.ts';
import type { TokenSegment } from './token-segment.ts';

/** What every row of tokens says beside the members that its trainer takes: trainers pass over what they do not know. */
export const aboutColumns = columns({
  /** 1 when the verifier passed where this led, else 0. */
  reward: 'float',
  /** Rows of one group are tries at the same task in the same round. */
  group: 'string',
  run: 'string',
  episode: 'string',
  /** The end of the tree that this led to, and what it is: `main`, `rejected` or `sample`. */
  leaf: 'int',
  leaf_role: 'string',
  /** The node that each sampled answer was asked at. */
  nodes: 'ints',
  interventions_after: 'int',
  /** Of each token that is no part of the prompt: 1 where it came from the environment. */
  observation_mask: 'ints',
  model: 'string',
  model_version: 'string?',
  /** What is not here because the server did not give it, or tokens cannot say it: pictures. */
  missing: 'strings',
  actor_role: 'string',
  actor_name: 'string',
  environment: 'string',
  template: 'string',
  task: 'string',
  seed: 'int',
  split: 'string',
  round: 'int',
  strategy: 'string',
  /** How the path to the leaf is certified. */
  certified: 'string',
});

/** `given` are the members of the row that may be null. */
export function aboutOf(segment: TokenSegment, given: Readonly<Record<string, unknown>>) {
  const { leaf, turns, kinds } = segment;
  const { head, end } = leaf.record;
  const [{ event, call }] = turns;
  const { task } = head;
  const missing = Object.entries({ ...given, model_version: call.reply.version }).filter(([, value]) => value === null);
  return {
    reward: rewardOf(segment),
    group: groupOf(segment),
    run: head.run,
    episode: head.key,
    leaf: leaf.leaf,
    leaf_role: leaf.role,
    nodes: turns.map(turn => turn.event.at),
    interventions_after: segment.interventionsAfter,
    observation_mask: kinds.map(kind => (kind === 'observation' ? 1 : 0)),
    model: call.reply.model,
    model_version: call.reply.version,
    missing: [...missing.map(([name]) => name), ...(showsPictures(segment) ? ['images'] : [])],
    actor_role: event.by.role,
    actor_name: event.by.name,
    environment: task.environment,
    template: task.template,
    task: task.id,
    seed: task.seed,
    split: task.split,
    round: head.round,
    strategy: head.strategy,
    certified: end.certification,
    ...creditMembers(segment),
  } satisfies Row;
}

function showsPictures({ turns }: TokenSegment): boolean {
  const messages = turns.at(-1)?.call.messages ?? [];
  return messages.some(({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'));
}

export function rewardOf({ leaf }: Pick<TokenSegment, 'leaf'>): number {
  return leaf.verdict?.pass === true ? 1 : 0;
}

export function groupOf({ leaf }: Pick<TokenSegment, 'leaf'>): string {
  const { run, round, task } = leaf.record.head;
  return `${run}/${round}/${task.id}`;
}

/** 1 where the student sampled the token. */
export function actionMask({ kinds }: Pick<TokenSegment, 'kinds'>): readonly number[] {
  return kinds.map(kind => (kind === 'action' ? 1 : 0));
}
