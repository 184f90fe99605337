import { describe, expect, it } from 'vitest';
import { walk, type Graph, type Walker } from '../../../../test/fixtures/graph-world.ts';
import { strategies } from '../../../runs/registry/strategies.ts';

/** Two ways in A, two in B, one in C; a student that goes left. */
const graph: Graph = {
  places: { A: { left: 'B', right: 'C' }, B: { left: 'D', right: 'E' }, C: { left: 'F' }, D: {}, E: {}, F: {} },
};
const walker: Walker = {
  weighs: {
    A: [
      ['left', 0.6],
      ['right', 0.4],
    ],
    B: [
      ['left', 0.5],
      ['right', 0.5],
    ],
    C: [['left', 1]],
  },
};
const limits = { taken: 20, queries: 40 };
const walkWith = (name: string, options: object, given: Partial<Parameters<typeof walk>[1]> = {}) =>
  walk(strategies.need(name).create({ ...options }), { graph, walker, limits, ...given });

describe('in a world of six places', () => {
  it('[SRC-30] lookahead goes on where the way is likeliest: .6, .4, .4, and the finish of .4', async () => {
    expect((await walkWith('lookahead', {})).steps).toEqual(['A left', 'A right', 'C left', 'F finish']);
  });

  it('[SRC-40] levin tries 1/.6, 1/.4, 2/.4, twice 2/.3 = 6.67 before the finish in F of 3/.4 = 7.5', async () => {
    const { steps } = await walkWith('levin', {});
    expect(steps).toEqual(['A left', 'A right', 'C left', 'B left', 'B right', 'F finish']);
  });

  it('[SRC-41] puct goes the way that was tried most, which need not be the likeliest', async () => {
    // Q of left is 0 and of right 1: right at .4 is tried again and again.
    const values = { A: -5, B: -9, C: -1, F: -1 };
    const { end, steps } = await walkWith('puct', { simulations: 6 }, { walker: { ...walker, values } });
    expect([end, steps.slice(0, 3)]).toEqual(['F', ['A left', 'A right', 'C left']]);
  });

  it('[SRC-42] agent-q plays each simulation to its end; an end that passed counts, whatever the student expects', async () => {
    const passing = { ...graph, goals: ['F'] };
    const values = { A: -5, B: -1, C: -9 };
    const told = { graph: passing, walker: { ...walker, values } };
    const two = await walkWith('agent-q', { simulations: 2, alpha: 0, explore: 5 }, told);
    expect(two.steps).toEqual(['A left', 'B left', 'D finish', 'A right', 'C left', 'F finish']);
    expect([two.end, two.record.end.outcome]).toEqual(['F', 'passed']);
    // With verdicts alone left is worth 0 and right 1: right is played again before anything is tried in B.
    const three = await walkWith('agent-q', { simulations: 3, alpha: 1 }, told);
    expect(three.steps.slice(6)).toEqual(['C left', 'F finish']);
  });
});

describe('LATR', () => {
  const latr = (places: Graph['places']) =>
    walkWith('latr', { lookahead: 1 }, { graph: { places }, walker: { weighs: { A: walker.weighs['A'] as never } } });

  it('[SRC-43] prunes the branch that comes where its sibling came, and ends the others', async () => {
    expect((await latr({ A: { left: 'B', right: 'B' }, B: {} })).steps).toEqual(['A left', 'B finish', 'A right']);
    expect((await latr({ A: { left: 'B', right: 'C' }, B: {}, C: {} })).steps).toEqual([
      'A left',
      'B finish',
      'A right',
      'C finish',
    ]);
  });
});

describe('WebOperator', () => {
  const places = { A: { delete_it: 'B', look: 'C' }, B: {}, C: { look: 'D' }, D: {} };
  const weighs = (prior: number): Walker => ({
    weighs: {
      A: [
        ['delete_it', prior],
        ['look', 0.1],
      ],
      C: [['look', 1]],
      D: [['look', 1]],
    },
  });

  it('[SRC-44] delays a destructive action while others wait, unless the student holds it for more likely than not', async () => {
    const late = await walkWith('web-operator', {}, { graph: { places }, walker: weighs(0.4) });
    expect(late.steps).toEqual(['A look', 'C look', 'D look', 'A delete_it', 'B finish']);
    const sure = await walkWith('web-operator', {}, { graph: { places }, walker: weighs(0.6) });
    expect(sure.steps).toEqual(['A delete_it', 'B finish']);
  });
});

describe('SimpleTES', () => {
  it('[SRC-45] tries where the student was least sure, .5 in B before .6 in A, and goes on from the best', async () => {
    const { steps, end } = await walkWith('simple-tes', { chains: 1, refinements: 2 });
    // Means of confidence: .7 for D and E, .8 for F. In A nothing is left to try.
    expect(steps).toEqual(['A left', 'B left', 'D finish', 'B right', 'E finish', 'A right', 'C left', 'F finish']);
    expect(end).toBe('F');
  });
});

describe('Argus', () => {
  it('[SRC-46] searches until a screen shows what the task names, and then no more', async () => {
    const named = { ...graph, instruction: 'Find "Zed".', texts: { C: 'Zed' } };
    const { steps } = await walkWith('argus', {}, { graph: named });
    expect(steps).toEqual(['A left', 'A right', 'A left', 'B left', 'D finish']);
    expect((await walkWith('argus', {}, { graph: { ...named, texts: { A: 'Zed' } } })).steps).toHaveLength(3);
  });

  it('[SRC-46] answers only with what a screen showed, while there is another way', async () => {
    const answering: Walker = {
      weighs: {
        A: [
          ['finish:Ghost', 0.9],
          ['left', 0.1],
        ],
        B: [['finish:Zed', 1]],
      },
    };
    const asked = { ...graph, instruction: 'Who is it?', texts: { A: 'Zed' } };
    const { steps } = await walkWith('argus', {}, { graph: asked, walker: answering });
    expect(steps).toEqual(['A left', 'B finish']);
  });
});
