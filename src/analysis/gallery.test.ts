import { describe, expect, it } from 'vitest';
import {
  sketchCorrection,
  sketchLeaf,
  sketchRecord,
  sketchReview,
  type RecordSketch,
} from '../../test/fixtures/analysis-episodes.ts';
import { chooseGallery, drawEpisode, storyOf } from './gallery.ts';
import { judgeReviewer } from './reviewer.ts';

/** 1 and 5 are kept; 2 was rejected, 3 follows it, and 4 is the end of the rejected branch; 5 is the correction. */
const corrected: RecordSketch = {
  outcome: 'passed',
  steps: [
    [1, 0, 'click link "Inbox"'],
    [2, 1, 'click button "Delete"'],
    [3, 2, 'click button "Undo"'],
    [4, 3, 'finish'],
    [5, 1, 'click button "Star"', 'teacher'],
    [6, 5, 'finish'],
  ],
  events: [
    sketchReview([1, 2, 3], [2, 'touches the wrong message']),
    sketchLeaf(4, 2, false),
    sketchCorrection(5, 2, 'touches the wrong message'),
    sketchReview([6]),
  ],
};

const wronged: RecordSketch = {
  ...corrected,
  events: [
    sketchReview([1, 2, 3], [2, 'looks wrong']),
    sketchLeaf(4, 2, true),
    sketchCorrection(5, 2, 'looks wrong'),
    sketchReview([6]),
  ],
};

describe('reviewer quality', () => {
  it('[EST-14] measures wrong rejections on the branches that lived on', () => {
    const unverified = { ...corrected, events: [sketchReview([1, 2], [2, 'no']), sketchLeaf(4, 2, null)] };
    const failed = { ...corrected, outcome: 'failed' as const };
    const quality = judgeReviewer([corrected, wronged, unverified, failed].map(sketchRecord));
    expect(quality).toMatchObject({ reviews: 7, rejected: 4, lived: 3, passed: 1, unverified: 1, retries: 0 });
    expect(quality.accepted).toEqual({ passed: 2, notPassed: 1, errored: 0 });
    expect(quality.wrong).toBeCloseTo(1 / 3, 12);
    expect(quality.interval.low).toBeCloseTo(0.0615, 4);
  });

  it('[EST-14] says nothing of wrong rejections when no branch lived on', () => {
    expect(judgeReviewer([])).toMatchObject({ reviews: 0, wrong: null, interval: { low: 0, high: 1 } });
  });
});

describe('gallery', () => {
  it('[REP-1] shows what was kept, rolled back and corrected, why, and the verdict at each end', () => {
    const tree = drawEpisode(sketchRecord(corrected));
    expect(tree.nodes.map(node => [node.id, node.status, node.rejection, node.verdict?.pass ?? null])).toEqual([
      [1, 'kept', null, null],
      [2, 'rolled-back', 'touches the wrong message', null],
      [3, 'rolled-back', null, null],
      [4, 'rolled-back', null, false],
      [5, 'correction', null, null],
      [6, 'kept', null, true],
    ]);
    expect(tree.nodes[4]).toMatchObject({ actor: { role: 'teacher' }, replaces: 2, text: 'click button "Star"' });
    expect(tree.nodes[3]?.verdict?.unmet).toEqual(['the message is starred']);
  });

  it('[REP-2] picks different stories in different apps', () => {
    const alone: RecordSketch = { outcome: 'passed', steps: [[1, 0, 'finish']] };
    const sketches = [alone, alone, corrected, wronged, { ...corrected, outcome: 'discarded' as const }];
    const records = ['mail', 'shop'].flatMap(app => sketches.map(sketch => sketchRecord({ ...sketch, app })));
    const chosen = chooseGallery(records, 4);
    expect(chosen.map(storyOf)).toEqual([
      'A rejected branch that would have passed',
      'Corrected, and passed',
      'Given up',
      'Passed alone',
    ]);
    expect(new Set(chosen.map(tree => tree.app)).size).toBe(2);
    expect(chooseGallery(records, 99)).toHaveLength(8);
    expect(chooseGallery([], 4)).toEqual([]);
  });
});
