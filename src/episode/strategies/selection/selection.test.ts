import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../core/random.ts';
import type { TreeNode } from '../../../core/tree.ts';
import type { Attempt, Summary } from '../attempts.ts';
import { best, ranked, votesFor, winnerOf } from '../judging.ts';
import { judgeTried } from './gta1.ts';
import { crossing, withoutDetours } from './se-agent.ts';
import { createExperienceBank } from './tmas.ts';

const plain: Summary = {
  lines: [],
  steps: 4,
  finished: true,
  refused: 0,
  returns: 0,
  confidence: 0.5,
  value: null,
  ending: 'a',
};
const attempt = (given: Partial<Summary>, leaf = 1): Attempt => ({
  leaf,
  stopped: null,
  summary: { ...plain, ...given },
});

const step = (
  id: number,
  way: `${string}>${string}`,
  given: { applied?: boolean; end?: 'terminated' } = {},
): TreeNode => ({
  id,
  parent: id - 1,
  actor: { role: 'student', name: 's' },
  action: { kind: 'click', ref: `e${id}` },
  outcome: { applied: given.applied ?? true, ...(given.end === undefined ? {} : { end: given.end }) },
  before: way.split('>')[0] as string,
  after: way.split('>')[1] as string,
});

describe('judges', () => {
  it('[SRC-50] put what finished first, then agreement, refused and repeated steps, confidence, the shorter, the earlier', () => {
    const cut = attempt({ finished: false, ending: 'x' });
    const lone = attempt({ ending: 'b', confidence: 0.9 });
    const [one, other] = [attempt({ refused: 1 }), attempt({})];
    expect(best([cut, lone, one, other])).toBe(other);
    expect(best([one, lone])).toBe(lone);
    expect(best([attempt({}, 1), attempt({}, 2)]).leaf).toBe(1);
    const [returned, shorter] = [attempt({ returns: 1, confidence: 0.9 }), attempt({ steps: 3, confidence: 0.4 })];
    expect(best([returned, shorter, other])).toBe(other);
    expect(ranked([cut, lone, one, other])).toEqual([other, one, lone, cut]);
  });

  it('[SRC-51] give half a vote where a criterion sees no difference: 5 of 8 for a finish that is shorter', () => {
    const [a, b] = [
      { ...plain, steps: 3 },
      { ...plain, finished: false },
    ];
    expect(votesFor(a, b, { all: [a, b], votes: 8 })).toBe(5);
    expect(votesFor(a, a, { all: [a], votes: 8 })).toBe(4);
  });

  it('[SRC-51] win a match as often as the binomial says: .9294 for eight votes that are right in .75', () => {
    const [votes, q] = [8, 0.75];
    expect(matchWinProbability(votes, q)).toBeCloseTo(0.92943, 4);
    expect([matchWinProbability(1, 0.7), matchWinProbability(2, 0.7)]).toEqual([
      expect.closeTo(0.7, 9),
      expect.closeTo(0.7, 9),
    ]);
    const random = createRandom('votes');
    let won = 0;
    for (let match = 0; match < 20_000; match++) {
      let right = 0;
      for (let vote = 0; vote < votes; vote++) right += Number(random.chance(q));
      won += right * 2 > votes ? 1 : right * 2 === votes ? 0.5 : 0;
    }
    expect(won / 20_000).toBeCloseTo(matchWinProbability(votes, q), 2);
  });

  it('[SRC-51] leave the best of five by matches of two', () => {
    const pool = [0.2, 0.4, 0.9, 0.1, 0.3].map((confidence, at) => attempt({ confidence }, at));
    expect(winnerOf(pool, { group: 2, votes: 8 }).leaf).toBe(2);
    // Each beats the next in two of three views: a beats b, b beats c, c beats a. Pairs leave a, threes leave c.
    const views = [
      { confidence: 0.9, refused: 2, returns: 1 },
      { confidence: 0.1, refused: 4, returns: 4 },
      { confidence: 0.8, refused: 0, returns: 2 },
      { confidence: 0.7, refused: 1, returns: 0 },
    ];
    const circle = views.map((view, leaf) => attempt(view, leaf));
    expect([2, 3].map(group => winnerOf(circle, { group, votes: 6 }).leaf)).toEqual([0, 3]);
  });
});

it('[SRC-52] GTA1 takes ln .5 over ln .3 over a refused .5: −.69, −1.20, −4.69', () => {
  const tried = [
    { prior: 0.5, applied: true, isNew: true },
    { prior: 0.3, applied: true, isNew: true },
    { prior: 0.5, applied: false, isNew: true },
    { prior: 0.5, applied: true, isNew: false },
  ];
  expect(tried.map(judgeTried)).toEqual([Math.log(0.5), Math.log(0.3), Math.log(0.5) - 4, Math.log(0.5) - 2]);
});

describe('SE-Agent', () => {
  it('[SRC-53] refines a path by leaving out what was refused or led back', () => {
    const path = [
      step(1, 'A>B'),
      step(2, 'B>B', { applied: false }),
      step(3, 'B>C'),
      step(4, 'C>B'),
      step(5, 'B>D'),
      step(6, 'D>D', { end: 'terminated' }),
    ];
    expect(withoutDetours(path).map(({ id }) => id)).toEqual([1, 5, 6]);
  });

  it('[SRC-53] recombines where two attempts cross: the shorter beginning, the other end', () => {
    const long = [step(1, 'A>B'), step(2, 'B>C'), step(3, 'C>G', { end: 'terminated' })];
    const short = [step(4, 'A>C'), step(5, 'C>H', { end: 'terminated' })];
    const found = crossing(long, short);
    expect([found?.from, found?.rest.map(({ id }) => id)]).toEqual([4, [3]]);
    expect(crossing(short, long)).toEqual(found);
    expect(crossing(long, [step(9, 'A>X')])).toBeNull();
  });
});

it('[SRC-54] TMAS keeps what was refused or led back as bad in its state, and counts the rest', () => {
  const bank = createExperienceBank();
  bank.learn([step(1, 'A>B'), step(2, 'B>A'), step(3, 'A>A', { applied: false })]);
  expect([bank.isBad('A', 'click e1'), bank.isBad('B', 'click e2'), bank.isBad('A', 'click e3')]).toEqual([
    false,
    true,
    true,
  ]);
  expect([bank.times('A', 'click e1'), bank.times('C', 'click e1')]).toEqual([1, 0]);
});

/**
 * How likely the better of two wins a match of so many votes, each right with probability q: the votes for it are more than
 * half, and half of the ties.
 */
function matchWinProbability(votes: number, q: number): number {
  let probability = 0;
  for (let won = 0; won <= votes; won++) {
    const weight = won * 2 > votes ? 1 : won * 2 === votes ? 0.5 : 0;
    probability += weight * binomial(votes, won) * q ** won * (1 - q) ** (votes - won);
  }
  return probability;
}

function binomial(n: number, k: number): number {
  let result = 1;
  for (let at = 1; at <= k; at++) result = (result * (n - k + at)) / at;
  return result;
}
