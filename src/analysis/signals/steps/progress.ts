import { wilson } from '../../stats.ts';
import type { GroupAnnotation, GroupMember, GroupPart, Signal } from '../signal.ts';
import { solve } from '../../../core/linear-system.ts';

interface Profile {
  /** The steps of the main path: what each does. */
  readonly descriptions: readonly string[];
  readonly nodes: readonly number[];
  readonly refused: readonly boolean[];
  /** The reward of the end; null when it was not verified. */
  readonly reward: number | null;
}

/** Shrinks the weights: few episodes say little about many descriptions. */
const ridge = 0.1;
/** What a step that the environment accepted gets beside its contribution, as in the published method. */
const grounding = 0.5;

/**
 * SPA: contributions of steps that add up to the reward of the episode. They are found by regression over the episodes of a
 * task (a definition of ours: the published one trains a model), so that a step that only passing episodes have gets more.
 */
export const progress: Signal = {
  name: 'progress',
  about: 'SPA: how much each step contributed to the reward, by regression over the episodes of its task.',
  labels: { contribution: 'step', grounded: 'step', 'no-contrast': 'group' },
  annotate: () => [],
  group: {
    profile: ({ end }, { main, description }): Profile => ({
      descriptions: main.map(description),
      nodes: main.map(({ id }) => id),
      refused: main.map(({ outcome }) => !outcome.applied),
      reward: end.verdict === null ? null : Number(end.verdict.pass),
    }),
    compare: members => compare(members as readonly GroupMember<Profile>[]),
  } satisfies GroupPart,
};

function* compare(members: readonly GroupMember<Profile>[]): Iterable<GroupAnnotation> {
  const verified = members.filter(({ profile }) => profile.reward !== null);
  const rewards = verified.map(({ profile }) => profile.reward as number);
  const passed = rewards.filter(reward => reward > 0).length;
  if (new Set(rewards).size < 2) {
    const { low, high } = wilson(passed, rewards.length);
    const note = `${passed} of ${rewards.length} verified episodes passed (${low.toFixed(2)} to ${high.toFixed(2)}): nothing to compare`;
    yield { episode: null, node: null, label: 'no-contrast', value: rewards.length, note };
    return;
  }
  const found = contributions(
    verified.map(({ profile }) => profile.descriptions),
    rewards,
  );
  for (const [index, { episode, profile }] of verified.entries())
    for (const [step, node] of profile.nodes.entries()) {
      const value = found[index]?.[step] as number;
      yield { episode, node, label: 'contribution', value };
      const ground = profile.refused[step] === true ? 0 : grounding;
      yield { episode, node, label: 'grounded', value: value + ground };
    }
}

/**
 * The contribution of every step of every episode; those of an episode add up to its reward. Ridge regression of the reward on
 * how often each description occurs, in its dual form: a system with one row for each episode, whatever the number of descriptions.
 */
export function contributions(
  episodes: readonly (readonly string[])[],
  rewards: readonly number[],
): readonly (readonly number[])[] {
  const counts = episodes.map(descriptions => {
    const own = new Map<string, number>();
    for (const description of descriptions) own.set(description, (own.get(description) ?? 0) + 1);
    return own;
  });
  const average = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const kernel = counts.map((one, row) =>
    counts.map((other, column) => {
      let product = row === column ? ridge : 0;
      for (const [description, times] of one) product += times * (other.get(description) ?? 0);
      return product;
    }),
  );
  const dual = solve(
    kernel,
    rewards.map(reward => reward - average),
  );
  const weights = new Map<string, number>();
  for (const [index, own] of counts.entries())
    for (const [description, times] of own)
      weights.set(description, (weights.get(description) ?? 0) + times * (dual[index] as number));
  return episodes.map((descriptions, index) => {
    const raw = descriptions.map(description => weights.get(description) as number);
    const rest = (rewards[index] as number) - raw.reduce((sum, value) => sum + value, 0);
    return raw.map(value => value + rest / raw.length);
  });
}
