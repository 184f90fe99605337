import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DrawnNode, DrawnTree } from '../../gallery.ts';
import { drawChart, ticksTo } from './chart.ts';
import { placeLabels } from './labels.ts';
import { layLanes } from './lanes.ts';

/** A tree of which the path to one node was kept. */
function treeOf(parents: readonly number[], end: number): DrawnTree {
  const kept = new Set<number>();
  for (let at = end; at > 0; at = parents[at - 1] as number) kept.add(at);
  const nodes = parents.map((parent, index): DrawnNode => {
    const id = index + 1;
    return {
      id,
      parent,
      text: 'finish',
      thought: null,
      actor: { role: 'student', name: 'ranker' },
      status: kept.has(id) ? 'kept' : 'rolled-back',
      rejection: null,
      replaces: null,
      digest: '',
      verdict: null,
    };
  });
  const head = { key: 'k', app: 'mail', template: 'star', instruction: 'Star it.', root: '' };
  return { ...head, outcome: 'passed', reason: null, nodes };
}

const trees = fc
  .integer({ min: 1, max: 24 })
  .chain(size =>
    fc
      .tuple(...Array.from({ length: size }, (_, index) => fc.nat(index)))
      .chain(parents => fc.integer({ min: 1, max: size }).map(end => treeOf(parents, end))),
  );

describe('layout', () => {
  it('[REP-9] keeps the kept path straight, and lets no branch run through another', () => {
    fc.assert(
      fc.property(trees, tree => {
        const spots = layLanes(tree);
        const rowOf = new Map(spots.map(({ node }, row) => [node.id, row]));
        const taken = new Set<string>();
        for (const [row, { node, lane }] of spots.entries()) {
          expect(lane === 0).toBe(node.status === 'kept');
          for (let at = (rowOf.get(node.parent) ?? -1) + 1; at <= row; at++) {
            expect(taken).not.toContain(`${lane}/${at}`);
            taken.add(`${lane}/${at}`);
          }
        }
      }),
    );
  });

  it('[REP-9] gives names at the ends of lines room of their own, in the order of the lines', () => {
    const labels = [0.93, 0.935, 1, 0.02, 0].map((rate, index) => ({
      text: `arm ${index}`,
      x: 300,
      y: 250 - rate * 240,
    }));
    const room = { top: 10, bottom: 250, right: 480, lines: [] };
    const heights = placeLabels(labels, room).map(({ markup }) => Number(/<text[^>]* y="([\d.]+)"/.exec(markup)?.[1]));
    const sorted = heights.toSorted((a, b) => a - b);
    for (const [index, height] of sorted.slice(1).entries())
      expect(height - (sorted[index] as number)).toBeGreaterThan(15);
    expect([2, 1, 0, 3, 4].map(index => heights[index])).toEqual(sorted);
  });

  it('[REP-9] puts the names of many lines in a column beside the plot, each tied to its end', () => {
    const point = (x: number, rate: number) => ({
      x,
      at: `${x}`,
      estimate: { rate, low: rate, high: rate, passed: 1, n: 2, errored: 0, uncertified: 0, raw: rate },
    });
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        label: `arm ${index}`,
        index,
        points: [point(1, 0.5), point(2, 0.5)],
      }));
    const columnsOf = (count: number) => {
      const { markup } = drawChart({ title: 't', axis: 'a', ticks: [0, 4], series: lines(count), rules: [] });
      return {
        across: new Set(Array.from(markup.matchAll(/<text class="name" x="([\d.]+)"/g), ([, x]) => Number(x))),
        ties: [...markup.matchAll(/class="tie"/g)].length,
      };
    };
    // A plot of this width ends at 362.
    expect(columnsOf(7)).toEqual({ across: new Set([372]), ties: 7 });
    expect(Math.max(...columnsOf(3).across)).toBeLessThan(362);
  });

  it('[REP-9] cuts a name that is too long for its place', () => {
    const [label] = placeLabels([{ text: 'a very long name of an arm', x: 400, y: 100 }], {
      top: 0,
      bottom: 200,
      right: 480,
      lines: [],
    });
    expect(label?.markup).toContain('>a very lo…<');
  });

  it('[REP-8] marks the axis in round numbers up to the last point', () => {
    expect(ticksTo(3700)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(ticksTo(1)).toEqual([0, 1]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), most => {
        const ticks = ticksTo(most);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });
});
