import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoardTrial, Grid } from './board.ts';
import { makeBoard } from './make-board.ts';
import { dominates, paretoFront } from './pareto.ts';
import { entrantPage } from './site/entrant-page.ts';
import { frontPage } from './site/front-page.ts';
import { trialsCsv } from './trials-csv.ts';

interface Made {
  readonly passed: readonly (0 | 1 | null)[];
  readonly questions: number;
  readonly gamed?: readonly number[];
}

/** Ten tasks of five templates in one app. */
function trialsOf(environment: string, { passed, questions, gamed = [] }: Made): BoardTrial[] {
  return passed.map((pass, index) => ({
    level: 'held-out',
    kind: null,
    app: environment,
    template: `t${index % 5}`,
    task: `${environment}/t${index % 5}/${index}`,
    trial: 0,
    seed: '1',
    passed: pass === null ? null : pass === 1,
    uncertified: false,
    steps: 3,
    environment,
    episode: `key ${index}`,
    costs: { dollars: 0, tokens: 0, seconds: 0.5, questions, steps: 3 },
    gamed: gamed.includes(index) ? 'no-op-pass' : null,
    suspect: null,
    broke: pass === null ? 'policy' : null,
    ...(pass === null && { error: 'the server was <gone>' }),
  }));
}

const made: Readonly<Record<string, Made>> = {
  // 8 of 10 verified, 3 of them gamed: 5 of 10.
  cheat: { passed: [1, 1, 1, 1, 1, 1, 1, 1, 0, 0], questions: 2, gamed: [0, 1, 2] },
  // 6 of 10 for as much: ahead of it.
  steady: { passed: [1, 1, 1, 1, 1, 0, 1, 0, 0, 0], questions: 2 },
  // Half of what ended passed: the two that broke are in no rate.
  broken: { passed: [1, 1, 1, 1, 0, 0, 0, 0, null, null], questions: 4 },
  cheap: { passed: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], questions: 1 },
};

const grid: Grid = {
  title: 'A <small> board',
  entrants: Object.keys(made).map(student => ({ id: `${student}.alone`, student, harness: 'alone' })),
  environments: ['one'],
  cells: Object.entries(made).map(([student, how]) => ({
    entrant: `${student}.alone`,
    environment: 'one',
    folder: `cells/${student}`,
    planned: 10,
    trials: trialsOf('one', how),
  })),
  baselines: [],
};
const board = makeBoard(grid);
const of = (student: string) =>
  board.entrants.find(entrant => entrant.student === student) as (typeof board.entrants)[number];

describe('a board', () => {
  it('[BOARD-1] counts gamed passes as failures, and shows what the verifier said beside them', () => {
    expect(of('cheat')).toMatchObject({ gamed: 3, honest: { rate: 0.5 }, verified: { rate: 0.8 } });
    expect(board.entrants.map(({ student, rank }) => [student, rank])).toEqual([
      ['steady', 1],
      ['cheat', 2],
      ['broken', 2],
      ['cheap', 4],
    ]);
    expect(board.flags).toHaveLength(3);
    const { text } = frontPage(board, { title: board.title, version: '1', pages: [] }, null);
    expect(text).toContain('80\u00A0% with 3 gamed');
    expect(text).toContain('espalier studio cells/cheat --episode key 0');
    expect(text).not.toContain('<small> board');
  });

  it('[BOARD-2] keeps episodes that broke apart from every rate, by the side that broke', () => {
    // Templates weigh alike: three have 1 of 2, and one trial each is left of the others, 1 of 1 and 0 of 1.
    expect(of('broken').honest).toMatchObject({ rate: 0.5, passed: 4, n: 8, errored: 2, raw: 0.4 });
    expect(of('broken').broken).toEqual({ policy: 2 });
    const { text } = entrantPage(of('broken'), { board, grid }, { title: 'b', version: '1', pages: [] });
    expect(text).toContain('the server was &lt;gone&gt;');
  });

  it('[BOARD-3] has a front that nobody dominates, and says who dominates the others on the same tasks', () => {
    expect(board.cost).toBe('questions');
    expect(board.entrants.filter(({ dominated }) => dominated === null).map(({ student }) => student)).toEqual([
      'steady',
      'cheap',
    ]);
    expect(of('cheat').dominated).toMatchObject({ by: 'steady.alone', difference: { mean: expect.closeTo(0.1, 9) } });
    const points = fc.array(fc.record({ rate: fc.integer({ min: 0, max: 9 }), cost: fc.integer({ min: 0, max: 9 }) }));
    fc.assert(
      fc.property(points, all => {
        const front = paretoFront(all);
        for (const one of all) {
          const isOn = front.includes(one);
          expect(all.some(other => dominates(other, one))).toBe(!isOn);
        }
      }),
    );
  });

  it('[BOARD-3] has one rank for equal rates, whatever the last digits of their sums', () => {
    // Three of 25 tasks: 1/5 and 2/5 of two templates, or 3/5 of one.
    const passes: Readonly<Record<string, readonly number[]>> = { spread: [0, 1, 6], dense: [0, 5, 10] };
    const entrants = Object.keys(passes).map(id => ({ id, student: id, harness: 'alone' }));
    const cells = entrants.map(({ id }) => {
      const passed = Array.from({ length: 25 }, (_, index) => (passes[id]?.includes(index) ? 1 : 0));
      return {
        entrant: id,
        environment: 'one',
        folder: id,
        planned: 25,
        trials: trialsOf('one', { passed, questions: 1 }),
      };
    });
    const equal = makeBoard({ ...grid, entrants, cells });
    expect(equal.entrants.map(({ rank, dominated }) => [rank, dominated])).toEqual([
      [1, null],
      [1, null],
    ]);
  });

  it('[BOARD-4] gives every rank the range that draws of the same tasks for all leave', () => {
    for (const { rank, ranks } of board.entrants) {
      expect(ranks.low).toBeLessThanOrEqual(rank);
      expect(ranks.high).toBeGreaterThanOrEqual(rank);
    }
    expect(of('cheap').ranks.low).toBeGreaterThanOrEqual(3);
    expect(of('steady').ranks.low).toBe(1);
    expect(makeBoard(grid)).toEqual(board);
    // Two that are alike in every trial share both places in every draw.
    const twins = ['cheap', 'twin'].map(id => ({ id, student: id, harness: 'alone' }));
    const cells = twins.map(({ id }) => ({ ...(grid.cells[3] as Grid['cells'][number]), entrant: id }));
    const alike = makeBoard({ ...grid, entrants: twins, cells });
    expect(alike.entrants.map(({ rank, ranks }) => [rank, ranks.low, ranks.high])).toEqual([
      [1, 1, 2],
      [1, 1, 2],
    ]);
  });

  it('[BOARD-5] writes every trial as a line of CSV', () => {
    const lines = trialsCsv(grid).trim().split('\n');
    expect(lines).toHaveLength(41);
    expect(lines[1]).toBe('cheat.alone,one,one,t0,one/t0/0,0,held-out,1,no-op-pass,,,0,0,0.5,2,3,key 0');
  });
});
