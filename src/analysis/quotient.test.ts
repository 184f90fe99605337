import { describe, expect, it } from 'vitest';
import { actionKey } from '../core/action.ts';
import { createTree, type Tree } from '../core/tree.ts';
import { quotient, quotientKeys, type QuotientNode, type QuotientTree } from './quotient.ts';

const actor = { role: 'student', name: 'test' } as const;
const outcome = { applied: true };

/** The steps of a recorded tree. `name` keeps the steps of different trees apart. */
function quotientTree(tree: Tree, name: string): QuotientTree {
  const steps: QuotientNode[] = [];
  for (const open = [...tree.children(0)]; open.length > 0; ) {
    const { id, parent, before, after, action } = open.pop() as (typeof open)[number];
    steps[id - 1] = { parent: parent - 1, before, after, action: actionKey(action), node: `${name} ${id}` };
    open.push(...tree.children(id));
  }
  return steps;
}

/** Two ways from the start: they part after the first step and meet again in state C. */
function forked(): QuotientTree {
  const tree = createTree('A');
  const click = (ref: string) => ({ kind: 'click', ref }) as const;
  const first = tree.append({ parent: 0, actor, action: click('1'), outcome, before: 'A', after: 'B' });
  const left = tree.append({ parent: first.id, actor, action: click('2'), outcome, before: 'B', after: 'C' });
  const right = tree.append({ parent: first.id, actor, action: click('3'), outcome, before: 'B', after: 'C' });
  tree.append({ parent: left.id, actor, action: click('4'), outcome, before: 'C', after: 'D' });
  tree.append({ parent: right.id, actor, action: click('4'), outcome, before: 'C', after: 'D' });
  return quotientTree(tree, 'tree');
}

describe('quotient', () => {
  const tree = forked();
  const classesBy = (key: Parameters<typeof quotient>[1]): number[][] =>
    quotient([tree], key).classes.map(own => [...own]);

  it('[CREDIT-5] merges steps in the same state, and steps with the same states before', () => {
    expect(classesBy(quotientKeys.state)).toEqual([[0, 1, 1, 2, 2]]);
    expect(quotient([tree], quotientKeys.state)).toMatchObject({ keys: ['A', 'B', 'C'], sizes: [1, 2, 2] });
    expect(classesBy(quotientKeys.lastStates(2))).toEqual([[-1, 0, 0, 1, 1]]);
    expect(classesBy(quotientKeys.lastStates(4))).toEqual([[-1, -1, -1, -1, -1]]);
  });

  it('[CREDIT-5] merges equal actions with equal results, and keeps tree nodes apart', () => {
    expect(classesBy(quotientKeys.actionAndNext)).toEqual([[0, 1, 2, 3, 3]]);
    expect(classesBy(quotientKeys.node)).toEqual([[0, 1, 2, 3, 4]]);
    expect(quotient([tree, tree], quotientKeys.node).sizes).toEqual([2, 2, 2, 2, 2]);
  });

  it('[CREDIT-5] merges by intent and by token prefix, and leaves out steps without them', () => {
    const labelled = tree.map((node, place) => ({
      ...node,
      ...(place < 3 ? { intent: place === 0 ? 'look' : 'write', prompt: [1, place === 0 ? 2 : 3] } : {}),
    }));
    expect([...(quotient([labelled], quotientKeys.intent).classes[0] ?? [])]).toEqual([0, 1, 1, -1, -1]);
    expect([...(quotient([labelled], quotientKeys.tokenPrefix).classes[0] ?? [])]).toEqual([0, 1, 1, -1, -1]);
  });
});
