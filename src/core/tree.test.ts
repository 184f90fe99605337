import { describe, expect, it } from 'vitest';
import { EspalierError } from './errors.ts';
import { createTree, readTree, type NewNode } from './tree.ts';

function step(parent: number, before: string, after: string): NewNode {
  const actor = { role: 'student', name: 'scripted' } as const;
  return { parent, actor, action: { kind: 'finish' }, outcome: { applied: true }, before, after };
}

describe('tree', () => {
  it('[TREE-1] appends where the parent ended, and keeps every branch', () => {
    const tree = createTree('s0');
    const first = tree.append(step(0, 's0', 's1'));
    const wrong = tree.append(step(first.id, 's1', 's2'));
    const right = tree.append(step(first.id, 's1', 's3'));
    expect(tree.path(right.id).map(node => node.after)).toEqual(['s1', 's3']);
    expect(tree.leaves()).toEqual([wrong, right]);
    expect(tree.children(first.id)).toEqual([wrong, right]);
    expect(tree.digest(0)).toBe('s0');
    expect(() => tree.append(step(first.id, 's0', 's1'))).toThrow('Expected a step that starts where its parent ends');
    expect(() => tree.append(step(9, 's0', 's1'))).toThrow('There is no node 9');
    expect(tree.record().nodes).toHaveLength(3);
    const given = step(right.id, 's3', 's4');
    tree.append(given);
    given.outcome.applied = false;
    expect(tree.node(4).outcome.applied).toBe(true);
  });

  it('[TREE-3] reads back its own record and refuses a damaged one', () => {
    const tree = createTree('s0');
    tree.append(step(0, 's0', 's1'));
    tree.append(step(1, 's1', 's2'));
    const record = JSON.parse(JSON.stringify(tree.record())) as ReturnType<typeof tree.record>;
    expect(readTree(record).record()).toEqual(tree.record());
    const [first, second] = record.nodes;
    const damaged = [
      { ...record, nodes: [second] },
      { ...record, nodes: [first] },
      { ...record, nodes: [{ ...first, action: { kind: 'finish', answer: 'other' } }, second] },
      { ...record, nodes: [first, { ...second, before: 's9' }] },
      { ...record, nodes: [{ ...first, id: 5 }] },
      { ...record, nodes: [{ ...first, actor: undefined }] },
      { ...record, version: 2 },
      null,
    ];
    for (const value of damaged) expect(() => readTree(value)).toThrow(EspalierError);
  });
});
