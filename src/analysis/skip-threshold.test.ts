import { describe, expect, it } from 'vitest';
import { sketched } from '../../test/fixtures/archive/sketched-candidate.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import { skipThreshold } from './skip-threshold.ts';

const by = { role: 'teacher', name: 't' } as const;
const base = sketched({ steps: 2 }).record;
const options = { current: 0.3, audit: 0.1, misses: 0.05 };

/** Episodes whose finish passed and was reviewed, so sure of their least probable step. */
function reviewed(times: number, least: number, review: { accept: boolean; audit?: true }): EpisodeRecord[] {
  const { tree, ...rest } = base;
  const node = (id: number) => ({ ...tree.node(id), confidence: id === 1 ? least : 1 });
  const event = { kind: 'review', nodes: [1, 2], by, at: null, reason: null, retries: 0, ...review } as const;
  return Array.from({ length: times }, () => ({ ...rest, tree: { ...tree, node }, reviews: [event] }));
}

describe('how sure a student must be for a review to be skipped', () => {
  it('[SRC-13] is the least threshold with few enough misses above it', () => {
    const records = [
      ...reviewed(10, 0.12, { accept: false }),
      ...reviewed(10, 0.12, { accept: true }),
      ...reviewed(20, 0.42, { accept: true }),
    ];
    expect(skipThreshold(records, options)).toBe(0.15);
    expect(skipThreshold(records, { ...options, misses: 0.25 })).toBe(0);
    expect(skipThreshold(reviewed(30, 0.12, { accept: true }), options)).toBe(0);
  });

  it('[SRC-13] weighs an audited review for those that were skipped beside it', () => {
    const accepted = reviewed(60, 0.2, { accept: true });
    const missed = reviewed(1, 0.8, { accept: false, audit: true });
    const found = reviewed(9, 0.8, { accept: true, audit: true });
    // 10 of 160 are more than one in twenty, and so are 10 of 100 above.
    expect(skipThreshold([...accepted, ...missed, ...found], options)).toBe(1);
    expect(skipThreshold([...accepted, ...missed, ...found], { ...options, misses: 0.0625 })).toBe(0);
  });

  it('[SRC-13] stays where too little is known, and never skips where every threshold misses too much', () => {
    expect(skipThreshold([], options)).toBe(0.3);
    expect(skipThreshold(reviewed(9, 0.9, { accept: false }), options)).toBe(0.3);
    expect(skipThreshold(reviewed(10, 0.9, { accept: false }), options)).toBe(1);
    const [failed] = reviewed(1, 0.9, { accept: true }) as [EpisodeRecord];
    const unpassed = Array.from({ length: 20 }, () => ({ ...failed, end: { ...failed.end, verdict: null } }));
    expect(skipThreshold(unpassed, options)).toBe(0.3);
  });
});
