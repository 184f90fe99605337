import { EspalierError } from '../../../core/errors.ts';
import type { GroupAnnotation, GroupMember, GroupPart, Signal } from '../signal.ts';

export interface TokenSurprise {
  /** 1 for the token that the student thinks likeliest. */
  readonly rank: number;
  /** Negative log likelihood of the token. */
  readonly nll: number;
}

/** Ranks above this say no more. */
const highestRank = 100;

/** RSR of one trajectory: the ranks of its tokens over their surprise. Lower is better for the student that gave them. */
export function rankSurprisalRatio(tokens: readonly TokenSurprise[]): number {
  const surprise = tokens.reduce((sum, { nll }) => sum + nll, 0);
  if (!(surprise > 0))
    throw new EspalierError({
      boundary: 'input',
      code: 'out-of-range',
      message: `The ${tokens.length} tokens have a surprise of ${surprise} in all.`,
      expected: 'Expected log likelihoods of a student for at least one token, not all of them certain.',
    });
  return tokens.reduce((sum, { rank }) => sum + Math.min(rank, highestRank), 0) / surprise;
}

interface Profile {
  readonly descriptions: readonly string[];
  readonly passed: boolean;
}

/**
 * RSR of passing episodes for a reference student that knows only which description follows which in the other episodes of the task. It
 * stands in where no model gave ranks: `rankSurprisalRatio` takes those of any model.
 */
export const rankSurprisal: Signal = {
  name: 'rank-surprisal',
  about:
    'RSR: ranks over surprise of the steps of passing runs, for a reference student of step pairs; lower is better.',
  labels: { rsr: 'episode' },
  annotate: () => [],
  group: {
    profile: (_episode, { main, description, passed }): Profile => ({
      descriptions: main.map(description),
      passed: passed === true,
    }),
    compare: members => compare(members as readonly GroupMember<Profile>[]),
  } satisfies GroupPart,
};

function* compare(members: readonly GroupMember<Profile>[]): Iterable<GroupAnnotation> {
  if (members.length < 2) return;
  for (const member of members) {
    const { episode, profile } = member;
    if (!profile.passed || profile.descriptions.length === 0) continue;
    const student = createPairStudent(
      members.filter(other => other !== member).map(other => other.profile.descriptions),
    );
    yield { episode, node: null, label: 'rsr', value: rankSurprisalRatio(student(profile.descriptions)) };
  }
}

/** Counts which description follows which; every description that it knows, and one that it does not, counts half at least. */
export function createPairStudent(
  texts: readonly (readonly string[])[],
): (descriptions: readonly string[]) => TokenSurprise[] {
  const pairs = new Map<string, Map<string, number>>();
  const known = new Set(texts.flat());
  for (const descriptions of texts)
    for (const [index, description] of descriptions.entries()) {
      const before = descriptions[index - 1] ?? '';
      const after = pairs.get(before) ?? new Map<string, number>();
      after.set(description, (after.get(description) ?? 0) + 1);
      pairs.set(before, after);
    }
  return descriptions =>
    descriptions.map((description, index) => {
      const after = pairs.get(descriptions[index - 1] ?? '') ?? new Map<string, number>();
      const total = [...after.values()].reduce((sum, times) => sum + times, 0) + (known.size + 1) / 2;
      const own = after.get(description) ?? 0;
      const rank = 1 + [...after.values()].filter(times => times > own).length;
      return { rank, nll: -Math.log((own + 0.5) / total) };
    });
}
