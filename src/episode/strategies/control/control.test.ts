import { describe, expect, it } from 'vitest';
import { readScreen } from '../../../core/episode/screen-text.ts';
import type { TreeNode } from '../../../core/tree.ts';
import { actionOf, wavesOf, type GuideStep } from './guide.ts';
import { loopTier, stuckAt } from './monitors.ts';
import { planLines } from './sage-plan.ts';
import { leavesOf, variantFor, type Stage, type Variant } from './pipeline.ts';

/** A path of steps: each has the name of its action and the state after it; the first begins in A. */
function pathOf(steps: readonly string[]): TreeNode[] {
  let before = 'A';
  return steps.map((text, at) => {
    const [ref = '', after = ''] = text.split('>');
    const node: TreeNode = {
      id: at + 1,
      parent: at,
      actor: { role: 'student', name: 's' },
      action: { kind: 'click', ref },
      outcome: { applied: true },
      before,
      after,
    };
    before = after;
    return node;
  });
}

const rule = { same: 3, returns: 2, idle: 4 };
const stuck = (steps: readonly string[]): string | null => stuckAt(pathOf(steps), 'A', rule);

describe('the cascade', () => {
  it('[SRC-60] is stuck by three identical actions, a state for the third time, or four steps without a new state', () => {
    expect(stuck(['e1>B', 'e1>C'])).toBeNull();
    expect(stuck(['e1>B', 'e1>C', 'e1>D'])).toBe('the same action 3 times');
    expect(stuck(['e1>B', 'e2>A', 'e3>B', 'e4>A'])).toBe('the same state 3 times');
    expect(stuck(['e1>B', 'e2>C', 'e3>D', 'e4>B', 'e5>C', 'e6>D'])).toBeNull();
    expect(stuck(['e1>B', 'e2>C', 'e3>D', 'e4>E', 'e5>B', 'e6>C', 'e7>D', 'e8>E'])).toBe('no new state in 4 steps');
  });
});

describe('the loop breaker', () => {
  it('[SRC-61] has its tiers at exactly two idle actions, three idle steps and a third visit', () => {
    const tier = (steps: readonly string[]): number => loopTier(pathOf(steps), 'A');
    expect([tier([]), tier(['e1>A'])]).toEqual([0, 0]);
    expect(tier(['e1>A', 'e1>A'])).toBe(1);
    expect(tier(['e1>A', 'e2>A'])).toBe(0);
    expect(tier(['e1>A', 'e2>A', 'e3>A'])).toBe(2);
    expect(tier(['e1>B', 'e2>A', 'e3>B', 'e4>A'])).toBe(3);
    expect(tier(['e1>B', 'e2>C', 'e3>B'])).toBe(0);
  });
});

it('[SRC-62] sage-plan: of six steps, two led back and one is the finish, so that the plan has three', () => {
  const path = pathOf(['e1>B', 'e2>C', 'e3>B', 'e4>D', 'e5>E', 'e6>E']);
  const last = {
    ...(path[5] as TreeNode),
    action: { kind: 'finish' } as const,
    outcome: { applied: true, end: 'terminated' } as const,
  };
  const lines = ['one', 'two', 'three', 'four', 'five', 'six'];
  expect(planLines([...path.slice(0, 5), last], lines)).toEqual(['one', 'four', 'five']);
});

describe('guides', () => {
  const step = (id: string, needs: string[] = [], rest: Partial<GuideStep> = {}): GuideStep => ({
    id,
    needs,
    do: 'click',
    on: id,
    text: '',
    input: {},
    ...rest,
  });

  it('[SRC-63] run in waves: what needs nothing first, what may come in any order together', () => {
    const waves = wavesOf([step('d', ['b', 'c']), step('b', ['a']), step('c', ['a']), step('a')]);
    expect(waves.map(wave => wave.map(({ id }) => id))).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('[SRC-63] refuse a circle and a need that is no step', () => {
    expect(() => wavesOf([step('a', ['b']), step('b', ['a'])])).toThrow(/a, b of the guide need each other/);
    expect(() => wavesOf([step('a', ['z'])])).toThrow(/needs "z", which is no step/);
  });

  it('[SRC-63] fill parameters and results of tools into steps, and wait where one is not known', () => {
    const screen = readScreen('[e1] textbox "Name": (empty)\n[e2] button "Save"');
    const fill = step('name', [], { do: 'fill', on: 'Name', text: '{{who}}' });
    expect(actionOf(fill, screen, new Map([['who', 'Ada']]))).toEqual({ kind: 'fill', ref: 'e1', text: 'Ada' });
    expect(actionOf(fill, screen, new Map())).toBeNull();
    expect(actionOf(step('Send'), screen, new Map())).toBeNull();
    const call = step('open', [], { do: 'call', on: 'open_item', input: { id: '{{find.result.items.0.id}}', n: 2 } });
    const values = new Map([['find.result', { items: [{ id: 7 }] }]]);
    expect(actionOf(call, screen, values)).toEqual({ kind: 'call', tool: 'open_item', input: { id: 7, n: 2 } });
  });
});

describe('pipelines', () => {
  const stages: Stage[] = [
    { stage: 'attempt', count: 3, told: false },
    {
      stage: 'repeat',
      times: 2,
      stages: [
        { stage: 'branch', count: 2, told: true },
        { stage: 'keep', count: 1 },
      ],
    },
  ];

  it('[SRC-64] count their attempts: 3 + 2·2', () => {
    expect(leavesOf(stages)).toBe(7);
  });

  it('[SRC-64] give each task one variant, the same every time, and spread tasks over all', () => {
    const variants: Variant[] = ['A', 'B'].map(name => ({ name, stages }));
    const drawn = Array.from({ length: 400 }, (_, at) => variantFor(variants, `root ${at}`).name);
    expect(drawn).toEqual(Array.from({ length: 400 }, (_, at) => variantFor(variants, `root ${at}`).name));
    const share = drawn.filter(name => name === 'A').length / 400;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
  });
});
