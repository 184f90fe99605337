import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clicks, sketched, sketchedTask as task } from '../../test/fixtures/archive/sketched-candidate.ts';
import type { Action } from '../core/action.ts';
import { dominantAction } from './archive/archive-rules.ts';
import { createArchive } from './archive/archive.ts';
import type { Candidate } from './rows/candidate.ts';

const anyCandidates = fc
  .array(
    fc.record({
      steps: fc.integer({ min: 1, max: 70 }),
      interventions: fc.integer({ min: 0, max: 8 }),
      template: fc.constantFrom('a', 'b'),
      pass: fc.boolean(),
    }),
    { maxLength: 40, size: 'max' },
  )
  .map(sketches =>
    sketches.map((sketch, index) =>
      sketched({
        ...sketch,
        index,
        interventions: Math.min(sketch.interventions, sketch.steps),
        outcome: sketch.pass ? 'passed' : 'failed',
      }),
    ),
  );

describe('figures of an archive', () => {
  it('[ARC-8] counts every offer once, and the bins that are filled out of all there are', () => {
    fc.assert(
      fc.property(anyCandidates, candidates => {
        const archive = createArchive();
        for (const candidate of candidates) archive.offer(candidate);
        const { offered, gates, outranked, entries, coverage, filled: full, bins } = archive.figures();
        const turnedAway = gates.reduce((sum, { rejected }) => sum + rejected, 0);
        expect(offered).toBe(candidates.length);
        expect(turnedAway + outranked + entries).toBe(offered);
        expect(outranked).toBeGreaterThanOrEqual(0);
        expect(bins).toBeGreaterThanOrEqual(full);
        expect(coverage).toBe(bins === 0 ? 0 : full / bins);
      }),
      { numRuns: 40 },
    );
    // What the budget of the task leaves room for.
    const lengths = [0, 5, 12, 25].filter(least => least < task.budget.steps);
    const archive = createArchive();
    for (const interventions of [0, 1, 1]) archive.offer(sketched({ index: interventions, interventions }));
    archive.offer(sketched({ index: 7, template: 'other', steps: 6 }));
    expect(archive.figures()).toMatchObject({
      entries: 3,
      scopes: 2,
      filled: 3,
      bins: lengths.length * 4,
      meanQuality: 1,
      descriptors: [
        { name: 'length', labels: { '≤5': 2, '≤12': 1 }, coverage: 2 / lengths.length },
        { name: 'action', labels: { click: 3 }, coverage: 1 },
        { name: 'interventions', labels: { '0': 2, '1': 1 }, coverage: 0.5 },
      ],
    });
    expect(createArchive().figures().meanQuality).toBeNull();
  });

  it('[ARC-8] counts no bin that cannot be reached', () => {
    const finish: Action = { kind: 'finish' };
    const figures = (candidate: Candidate) => {
      const archive = createArchive();
      archive.offer(candidate);
      return archive.figures();
    };
    // A finish alone is one step, corrected at most once.
    expect(figures(sketched({ steps: 1, action: () => finish }))).toMatchObject({ filled: 1, bins: 2, coverage: 0.5 });
    const alone = sketched({ steps: 3 });
    const teacherless = { ...alone.record.head, teacher: null };
    const record = { ...alone.record, head: teacherless };
    const lengths = figures(sketched({ steps: 3 })).bins / 4;
    expect(figures({ ...alone, record }).bins).toBe(lengths);
    const brief = { ...task, budget: { ...task.budget, steps: 12 } };
    expect(figures({ ...alone, record: { ...record, head: { ...teacherless, task: brief } } }).bins).toBe(2);
  });

  it('[PIC-7] has a label for every kind that only a browser can do, which counts once an entry has it', () => {
    const dragging: Action = { kind: 'drag', from: { x: 1, y: 2 }, to: { x: 3, y: 4 } };
    const typing: Action = { kind: 'type', text: 'lamp' };
    const browserKinds = ['click-at', 'hover-at', 'drag', 'scroll', 'type', 'press', 'wait', 'back'];
    expect(dominantAction.besides).toEqual(browserKinds);
    const kinds = (list: readonly Action[]): Candidate =>
      sketched({ index: list.length, steps: list.length, action: step => list[step] as Action });
    const dragged = kinds([dragging, dragging, clicks(0)]);
    const typed = kinds([typing, typing, dragging, { kind: 'finish' }]);
    const tied = kinds([typing, clicks(0)]);
    expect([dragged, typed, tied].map(dominantAction.of)).toEqual(['drag', 'type', 'click']);
    const archive = createArchive();
    for (const candidate of [dragged, typed, tied]) archive.offer(candidate);
    const { coverage, bins, descriptors } = archive.figures();
    expect(coverage).toBe(3 / bins);
    expect(descriptors[1]).toEqual({ name: 'action', labels: { click: 1, drag: 1, type: 1 }, coverage: 1 });
  });
});
