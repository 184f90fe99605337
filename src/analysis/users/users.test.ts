import { describe, expect, it } from 'vitest';
import { storedEpisode } from '../../../test/fixtures/signals/made-episode.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { sealTask, type StepOutcome } from '../../core/records.ts';
import { countUsers } from './count-users.ts';

type Incidents = readonly (readonly [string, string])[];

/** An episode whose steps had these incidents; the user left out a title and a reader. */
function episode(steps: readonly Incidents[], passed: boolean): StoredEpisode {
  const made = storedEpisode({
    steps: steps.map(incidents => ({
      outcome: { applied: true, incidents: incidents.map(([kind, detail]) => ({ kind, detail })) } as StepOutcome,
    })),
    instruction: 'Lend it.',
    parameters: { persona: 'careless' },
    passed,
    student: 'a',
  });
  const value = { facts: [{ name: 'title' }, { name: 'reader' }] };
  const task = sealTask({ ...made.head.task, patch: [{ op: 'replace', path: '/ui/user', before: null, value }] });
  return { ...made, head: { ...made.head, task } };
}

const good: readonly Incidents[] = [[['user-asked', 'title, reader']], [['user-judged', 'accepted']]];
const slipped: readonly Incidents[] = [
  [
    ['user-asked', 'title'],
    ['user-error', 'told a wrong title'],
  ],
  [['user-asked', '']],
  [
    ['user-judged', 'accepted'],
    ['user-error', 'wrongly accepted'],
  ],
];
const lost: readonly Incidents[] = [
  [['user-asked', '']],
  [
    ['user-judged', 'refused'],
    ['user-left', 'out of patience'],
  ],
];

describe('users in numbers', () => {
  it('[USER-8] a rubric of four items stands beside the verifier, with Cohen’s kappa', () => {
    const { users, agreement } = countUsers([
      episode(good, true),
      episode(good, true),
      episode(slipped, false),
      episode(lost, false),
    ]);
    // By hand: 1, 1, 0.5 + 0.2 / 2 + 0.15 / 2 + 0.15 = 0.825, and 0.
    expect(users).toHaveLength(1);
    expect(users[0]?.score).toBeCloseTo((1 + 1 + 0.825 + 0) / 4, 12);
    expect(users[0]?.rubric).toEqual({ accepted: 0.75, asked: 0.625, brief: 0.625, kept: 0.75 });
    expect(users[0]).toMatchObject({ questions: 6 / 4 - 0.25, rounds: 1, passed: { rate: 0.5, n: 4 } });
    // Three of four alike; by chance 3/4 · 2/4 + 1/4 · 2/4 = 1/2.
    expect(agreement).toMatchObject([{ n: 4, both: 2, neither: 1, rubricOnly: 1, verifierOnly: 0 }]);
    expect(agreement[0]?.kappa).toBeCloseTo(0.5, 12);
  });

  it('[USER-8] errors of the user are counted by message and kind, and what passed despite them', () => {
    const { users } = countUsers([episode(good, true), episode(slipped, false)]);
    // Two of five messages were wrong.
    expect(users[0]?.errors).toMatchObject({
      rate: 2 / 5,
      n: 5,
      kinds: { 'told a wrong value': 1, 'wrongly accepted': 1 },
    });
    expect(users[0]?.passedDespite).toMatchObject({ rate: 0, n: 1 });
    expect(users[0]?.passedWithout).toMatchObject({ rate: 1, n: 1 });
  });

  it('[USER-8] episodes without a user, or without a verdict, count nowhere', () => {
    const plain = storedEpisode({ steps: [], instruction: 'Lend it.', parameters: {}, passed: true });
    const unverified = episode(good, true);
    const end = { ...unverified.end, verdict: null };
    expect(countUsers([plain, { ...unverified, end }])).toEqual({ users: [], agreement: [] });
  });
});
