import { describe, expect, it } from 'vitest';
import type { TreeNode } from '../../../core/tree.ts';
import type { Proposal } from '../proposals.ts';
import { createValueScale } from '../proposals.ts';
import { gather, piecesOf } from './argus.ts';
import { branchable, isSame, similarity } from './latr.ts';
import { levinCost } from './levin.ts';
import { backUp, edgeOf, mostVisited, puctScore, qualityOf, type Edge, type Mixing } from './tree-policy.ts';
import { classOf } from './web-operator.ts';

const proposal = (ref: string, prior: number): Proposal => ({ action: { kind: 'click', ref }, prior });

describe('Levin tree search', () => {
  it('[SRC-40] orders by depth over probability: 1/.5 = 2 before 2/.8 = 2.5 before 1/.3 = 3.33', () => {
    const nodes = [
      { depth: 1, logprob: Math.log(0.3) },
      { depth: 2, logprob: Math.log(0.8) },
      { depth: 1, logprob: Math.log(0.5) },
    ];
    expect(nodes.map(node => Math.exp(levinCost(node)))).toEqual([
      expect.closeTo(10 / 3, 9),
      expect.closeTo(2.5, 9),
      expect.closeTo(2, 9),
    ]);
  });
});

describe('Monte Carlo tree search', () => {
  const mixing = (alpha: number): Mixing => {
    const scale = createValueScale();
    for (const value of [-10, 0]) scale.see(value);
    return { alpha, scale };
  };

  it('[SRC-41] scores an action by Q + c·P·√N/(1+n): .6 + 1·.5·3/3 = 1.1', () => {
    const edge: Edge = { ...edgeOf(proposal('e1', 0.5)), visits: 2, critic: -8, critics: 2 };
    expect(puctScore(edge, 9, { ...mixing(0), explore: 1 })).toBeCloseTo(1.1, 9);
  });

  it('[SRC-42] mixes verdicts and values: .5·(1/4) + .5·.6 = .425; one alone where the other is not known', () => {
    const edge: Edge = { ...edgeOf(proposal('e1', 0.5)), reward: 1, rewards: 4, critic: -4, critics: 1 };
    expect(qualityOf(edge, mixing(0.5))).toBeCloseTo(0.425, 9);
    expect(qualityOf({ ...edge, critics: 0 }, mixing(0.5))).toBe(0.25);
    expect(qualityOf({ ...edge, rewards: 0 }, mixing(0.5))).toBeCloseTo(0.6, 9);
  });

  it('[SRC-41] finds the better of two arms, against a prior of .1 to .9', () => {
    const arms = [edgeOf(proposal('good', 0.1)), edgeOf(proposal('bad', 0.9))];
    for (let visits = 1; visits <= 200; visits++) {
      const scored = arms.map(arm => puctScore(arm, visits, { ...mixing(1), explore: 1.25 }));
      const chosen = arms[(scored[0] as number) >= (scored[1] as number) ? 0 : 1] as Edge;
      chosen.node = 1;
      backUp([chosen], { reward: chosen === arms[0] ? 0.9 : 0.2, value: null });
    }
    expect(mostVisited(arms, mixing(1))).toBe(arms[0]);
  });
});

describe('LATR', () => {
  it('[SRC-43] branches to what is above .15 and within .25 of the likeliest, at most twice', () => {
    const others = [proposal('e2', 0.3), proposal('e3', 0.16), proposal('e4', 0.14), proposal('e5', 0.2)];
    const rule = { least: 0.15, within: 0.25, branches: 2 };
    expect(branchable({ prior: 0.4 }, others, rule).map(({ prior }) => prior)).toEqual([0.3, 0.16]);
    expect(branchable({ prior: 0.9 }, others, rule)).toEqual([]);
  });

  it('[SRC-43] compares ways by edit distance: abcd and axd share 1 − 2/4', () => {
    expect(similarity([...'abcd'], [...'axd'])).toBe(0.5);
    expect([similarity([...'ab'], [...'ab']), similarity([], [])]).toEqual([1, 1]);
  });
});

it('[SRC-43] LATR prunes what came to a state of its sibling, or shares more than .6 of its actions; no end is compared', () => {
  const way = (steps: readonly string[]): TreeNode[] =>
    steps.map((text, at) => {
      const [ref = '', after = ''] = text.split('>');
      const outcome = ref === 'finish' ? ({ applied: true, end: 'terminated' } as const) : { applied: true };
      const action = ref === 'finish' ? ({ kind: 'finish' } as const) : ({ kind: 'click', ref } as const);
      return { id: at, parent: at - 1, actor: { role: 'student', name: 's' }, action, outcome, before: '', after };
    });
  const same = (one: readonly string[], other: readonly string[]): boolean => isSame(way(one), way(other), 0.6);
  expect(same(['a>A', 'b>B'], ['c>B', 'd>D'])).toBe(true);
  // Two of three actions are .67; one of two is .5.
  expect(same(['a>A', 'b>B', 'c>C'], ['x>X', 'b>Y', 'c>Z'])).toBe(true);
  expect(same(['a>A', 'b>B'], ['x>X', 'b>Y'])).toBe(false);
  expect(same(['a>A', 'b>B', 'finish>B'], ['x>X', 'b>Y', 'finish>Y'])).toBe(false);
});

describe('WebOperator', () => {
  const screen = [
    'heading "Inbox"',
    '[e1] button "Delete"',
    '[e2] link "Settings"',
    '[e3] textbox "Delete what": (empty)',
  ].join('\n');

  it('[SRC-44] knows destructive actions by their words, and only where something is done', () => {
    const kinds = ['e1', 'e2'].map(ref => classOf({ kind: 'click', ref }, screen));
    expect(kinds).toEqual(['destructive', 'normal']);
    expect(classOf({ kind: 'fill', ref: 'e3', text: 'x' }, screen)).toBe('normal');
    expect(classOf({ kind: 'call', tool: 'send_mail', input: {} }, screen)).toBe('destructive');
    expect(classOf({ kind: 'finish' }, screen)).toBe('terminating');
  });
});

describe('Argus', () => {
  it('[SRC-46] asks for what the task names, and keeps the first source of each', () => {
    const pieces = piecesOf('Star the message "Trip to Oslo" from Ada Byron.');
    expect(pieces.map(({ text }) => text)).toEqual(['Trip to Oslo']);
    gather(pieces, 'link "Trip to Oslo"', 4);
    gather(pieces, 'link "Trip to Oslo"', 7);
    expect(pieces[0]?.source).toBe(4);
    expect(piecesOf('Set the phone of Ada Byron to 555-0101').map(({ text }) => text)).toEqual([
      'Ada Byron',
      '555-0101',
    ]);
  });
});
