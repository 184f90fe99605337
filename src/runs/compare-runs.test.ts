import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../test/fixtures/episodes.ts';
import { writeRun } from '../../test/fixtures/studio/open-studio.ts';
import type { StoredEpisode } from '../core/episode/journal.ts';
import { writeComparedRuns } from './write-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-compared-'));
afterAll(() => rmSync(folder, { recursive: true }));

const episodes = [
  await scriptedEpisode({ index: 0, round: 1, seed: 1 }),
  await scriptedEpisode({ index: 1, round: 1, seed: 2 }),
  await scriptedEpisode({ index: 2, round: 1, seed: 3 }),
];
const failed = (episode: StoredEpisode): StoredEpisode => ({ ...episode, end: { ...episode.end, outcome: 'failed' } });
const evaluated = (episode: StoredEpisode, student: string): StoredEpisode => {
  const { head } = episode;
  const key = `evaluate/1/${head.task.id}/0/${student}`;
  return { ...episode, head: { ...head, phase: 'evaluate', student, key, index: head.index + 10 } };
};

describe('a report on several runs', () => {
  it('[REP-16] has every run as an arm, and each against the first, pair by pair', () => {
    const [one, two, three] = episodes as [StoredEpisode, StoredEpisode, StoredEpisode];
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    writeRun(first, [one, failed(two), three, ...episodes.map(episode => evaluated(episode, 'a'))]);
    writeRun(second, [one, two, ...episodes.map(episode => evaluated(failed(episode), 'b'))]);
    const compare = (...folders: string[]) => writeComparedRuns({ folders, machine: '', version: '' });
    const { data, written } = compare(first, second);
    expect(data.arms.map(({ id, label }) => [id, label])).toEqual([
      ['run', expect.stringContaining('first')],
      ['run-2', expect.stringContaining('second')],
    ]);
    const told = (data.runDifferences ?? []).map(
      ({ measured, difference: { mean, pairs, unpaired, wins, losses } }) => [
        measured,
        { mean, pairs, unpaired, wins, losses },
      ],
    );
    expect(told).toEqual([
      ['new instances', { mean: -1, pairs: 3, unpaired: 0, wins: 0, losses: 3 }],
      ['new instances, collected', { mean: 0.5, pairs: 2, unpaired: 1, wins: 1, losses: 0 }],
    ]);
    expect(written).toEqual([join(first, 'comparison.html'), join(first, 'comparison.json')]);
    expect(readFileSync(written[0] as string, 'utf8')).toContain('Runs compared');
    expect(() => compare(first, first)).toThrow('A run is named twice');
  });
});
