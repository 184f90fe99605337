import { describe, expect, it } from 'vitest';
import { walk, type Graph, type Walker } from '../../../../test/fixtures/graph-world.ts';
import type { OrdinaryTeacher } from '../../../core/episode/agents.ts';
import { strategies } from '../../../runs/registry/strategies.ts';

type Walking = Parameters<typeof walk>[1];
const walkWith = (name: string, options: object, given: Omit<Walking, 'limits'> & { limits?: Walking['limits'] }) =>
  walk(strategies.need(name).create({ ...options }), { limits: { taken: 20, queries: 40 }, ...given });

/** Ten places in a row, which both moves go along; a student that goes left. */
const names = [...'ABCDEFGHIJ'];
const row: Graph = {
  places: Object.fromEntries(
    names.map((name, at) => [name, { left: names[at + 1] ?? 'J', right: names[at + 1] ?? 'J' }]),
  ),
};
const left: Walker = { weighs: Object.fromEntries(names.map(name => [name, [['left', 1]] as const])) };
const rolesIn = ({ record }: Awaited<ReturnType<typeof walk>>): string =>
  record.tree
    .record()
    .nodes.map(({ actor }) => actor.role[0])
    .join('');

const teacherThat = (accepts: (branch: number) => boolean): OrdinaryTeacher => {
  let reviews = 0;
  return {
    name: 'right',
    review: () => (accepts(reviews++) ? { accept: true } : { accept: false, at: 0, reason: 'wrong way' }),
    correct: () => ({ action: { kind: 'call', tool: 'right', input: {} } }),
  };
};

describe('cascade', () => {
  it('[SRC-60] gives the handover to the teacher after three identical actions, and then goes on', async () => {
    const taken = { taken: 12 };
    const teacher = teacherThat(() => true);
    const given = { graph: row, walker: left, teacher, limits: taken };
    expect(rolesIn(await walkWith('cascade', { milestones: false }, given))).toBe('ssstttsssttt');
    expect(rolesIn(await walkWith('cascade', { milestones: false, handover: 1 }, given))).toBe('ssstssstssst');
  });

  it('[SRC-60] lets the teacher look at the steps up to a new heading, and corrects what it rejects', async () => {
    const given = { graph: row, walker: left, limits: { taken: 3 } };
    const fine = await walkWith('cascade', {}, { ...given, teacher: teacherThat(() => true) });
    expect(fine.record.reviews.map(({ nodes }) => nodes)).toEqual([[1], [2], [3]]);
    const { steps, record } = await walkWith('cascade', {}, { ...given, teacher: teacherThat(review => review > 0) });
    expect(steps).toEqual(['A left', 'A right', 'B left']);
    expect(record.corrections).toMatchObject([{ replaces: 1, reason: 'wrong way' }]);
  });
});

it('[SRC-62] sage-plan takes the step of its plan where another is likelier', async () => {
  const graph: Graph = { places: { A: { left: 'B', right: 'C' }, B: {}, C: {} } };
  const weighs: Walker['weighs'] = {
    A: [
      [['left', 1]],
      [
        ['right', 0.9],
        ['left', 0.1],
      ],
    ],
  };
  expect((await walkWith('sage-plan', {}, { graph, walker: { weighs } })).steps).toEqual([
    'A left',
    'B finish',
    'A left',
    'B finish',
  ]);
  // What the student does not weigh is not taken.
  const other: Walker['weighs'] = { A: [[['left', 1]], [['right', 1]]] };
  expect((await walkWith('sage-plan', {}, { graph, walker: { weighs: other } })).steps[2]).toBe('A right');
});

describe('pipeline', () => {
  const graph: Graph = { places: { A: { left: 'B', right: 'C' }, B: { on: 'D' }, C: { on: 'E' }, D: {}, E: {} } };
  const pipe = (stages: readonly object[], weighs: Walker['weighs']) =>
    walkWith('pipeline', { variants: [{ name: 'one', stages }] }, { graph, walker: { weighs } });

  it('[SRC-64] keeps what most attempts of the pool agree on', async () => {
    const weighs: Walker['weighs'] = { A: [[['right', 0.9]], [['left', 0.5]], [['left', 0.5]]] };
    const { end } = await pipe([{ stage: 'attempt', count: 3 }, { stage: 'keep' }], weighs);
    expect(end).toBe('B');
  });

  it('[SRC-64] branches only from what it kept, where the student was least sure', async () => {
    const weighs: Walker['weighs'] = {
      A: [[['right', 0.9]], [['left', 0.5]]],
      B: [
        ['finish', 0.4],
        ['on', 0.3],
      ],
      C: [
        ['on', 0.6],
        ['finish', 0.4],
      ],
    };
    const stages = [{ stage: 'attempt', count: 2 }, { stage: 'keep' }, { stage: 'branch', count: 2 }];
    const { steps, record } = await pipe(stages, weighs);
    // Means of confidence: (.9 + .6 + 1) / 3 = .83 for E, (.5 + .4) / 2 = .45 for B. In C it was least sure, then in A.
    expect(steps.slice(0, 5)).toEqual(['A right', 'C on', 'E finish', 'A left', 'B finish']);
    expect(steps.slice(5)).toEqual(['C finish', 'A left', 'B finish']);
    expect(record.leaves.map(({ role }) => role)).toEqual(['one', 'one', 'one', 'one']);
  });
});
