import { describe, expect, it } from 'vitest';
import { walk, type Graph, type Walker } from '../../../../test/fixtures/graph-world.ts';
import { strategies } from '../../../runs/registry/strategies.ts';

const places = { A: { left: 'B', right: 'C' }, B: { left: 'D', right: 'E' }, C: { left: 'F' }, D: {}, E: {}, F: {} };
const walkWith = (
  name: string,
  options: object,
  given: { graph?: Graph; walker: Walker; limits?: Parameters<typeof walk>[1]['limits'] },
) =>
  walk(strategies.need(name).create({ ...options }), {
    limits: { taken: 20, queries: 40 },
    graph: { places },
    ...given,
  });

const bothWays: Walker = {
  weighs: {
    A: [
      ['left', 0.6],
      ['right', 0.4],
    ],
  },
};

it('[SRC-52] GTA1 tries each proposal and takes .3 over a refused .5', async () => {
  const weighs = {
    A: [
      ['up', 0.5],
      ['right', 0.3],
    ],
  } as const;
  const { steps, end } = await walkWith('gta1', {}, { walker: { weighs } });
  expect([steps, end]).toEqual([['A up', 'A right', 'C finish'], 'C']);
});

it('[SRC-54] TMAS halves what was taken: .6 to .4, then .3 to .4, .3 to .2, .15 to .2', async () => {
  const { steps } = await walkWith('tmas', { attempts: 4 }, { walker: bothWays });
  expect(steps.filter(step => step.startsWith('A'))).toEqual(['A left', 'A right', 'A left', 'A right']);
});

it('[SRC-54] TMAS takes no action again that led back, however likely it is', async () => {
  const graph: Graph = { places: { A: { idle: 'A', left: 'B' }, B: {} } };
  const weighs = {
    A: [
      ['idle', 0.95],
      ['left', 0.05],
    ],
  } as const;
  const { steps } = await walkWith('tmas', { attempts: 2 }, { graph, walker: { weighs }, limits: { steps: 2 } });
  expect(steps).toEqual(['A idle', 'A idle', 'A left', 'B finish']);
});

describe('tournaments', () => {
  const varied: Walker = {
    weighs: {
      A: [[['left', 0.4]], [['right', 0.6]], [['left', 0.4]]],
    },
  };

  it('[SRC-51] PDR tells the second round what the first one did, RTV tells nothing', async () => {
    const pdr = await walkWith('pdr', { attempts: 2, rounds: 2 }, { walker: varied });
    const isTold = pdr.told.map(text => text.includes('Attempt 2 finished'));
    expect(isTold).toEqual([false, false, false, false, true, true, true, true]);
    const rtv = await walkWith('rtv', { attempts: 4 }, { walker: varied });
    expect(rtv.told.some(text => text.includes('Attempt'))).toBe(false);
  });

  it('[SRC-50] [SRC-51] judges take the way that more attempts agree on', async () => {
    for (const name of ['rtv', 'judged'])
      expect((await walkWith(name, { attempts: 3 }, { walker: varied })).end, name).toBe('B');
  });
});

describe('SE-Agent', () => {
  it('[SRC-53] revises the attempt that looks worst where it was least sure', async () => {
    // The second attempt is refused once, in C, where it was least sure.
    const graph: Graph = { places: { A: { left: 'B', on: 'C' }, B: {}, C: { left: 'D', right: 'E' }, D: {}, E: {} } };
    const weighs: Walker['weighs'] = {
      A: [[['left', 0.9]], [['on', 0.9]]],
      C: [[['up', 0.5]], [['left', 0.6]], [['right', 0.9]]],
    };
    const { steps, record } = await walkWith('se-agent', { attempts: 2, iterations: 1 }, { graph, walker: { weighs } });
    expect(steps.slice(0, 8)).toEqual([
      'A left',
      'B finish',
      'A on',
      'C up',
      'C left',
      'D finish',
      'C right',
      'E finish',
    ]);
    expect(record.leaves.map(({ role }) => role).slice(0, 3)).toEqual(['sample', 'sample', 'revision']);
  });

  it('[SRC-53] repeats the best attempt without its detour', async () => {
    const graph: Graph = { places: { A: { left: 'B', right: 'C' }, B: { back: 'A', on: 'D' }, C: {}, D: {} } };
    const weighs: Walker['weighs'] = {
      A: [[['left', 0.9]], [['right', 0.9]]],
      B: [[['back', 0.8]], [['on', 0.5]]],
      D: [['up', 1]],
    };
    const { steps, record, end } = await walkWith(
      'se-agent',
      { attempts: 1, iterations: 1 },
      { graph, walker: { weighs }, limits: { steps: 4 } },
    );
    expect(steps).toEqual(['A left', 'B back', 'A right', 'C finish', 'B on', 'D up', 'D up', 'A right', 'C finish']);
    expect([record.leaves.at(-1)?.role, end]).toEqual(['refinement', 'C']);
  });
});
