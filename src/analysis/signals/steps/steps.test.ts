import { describe, expect, it } from 'vitest';
import { mailWorld, scriptedEpisode } from '../../../../test/fixtures/episodes.ts';
import { finish, madeEpisode, storedEpisode } from '../../../../test/fixtures/signals/made-episode.ts';
import { createManualClock } from '../../../core/clock.ts';
import { foldEpisode } from '../../../core/episode/record.ts';
import { createPlanner } from '../../../agents/planner/planner.ts';
import type { AnnotatedEpisode } from '../annotate-episodes.ts';
import { annotateEpisodes } from '../../../../test/fixtures/annotate-episodes.ts';
import { createForkWorld } from '../fork-world.ts';
import { annotate, annotateForks } from '../signal.ts';
import { calibration } from './calibration.ts';
import { dataprm, ternary } from './dataprm.ts';
import { grades } from './grades.ts';
import { solve } from '../../../core/linear-system.ts';
import { monteCarlo } from './monte-carlo.ts';
import { contributions, progress } from './progress.ts';

const planner = createPlanner({ clock: createManualClock(), maxNodes: 400 });
const worldOf = (record: ReturnType<typeof foldEpisode>) =>
  createForkWorld({ record, environment: mailWorld, planner });

describe('step labels', () => {
  it('[SIG-10] dataprm: closer is +1, not closer 0, no way left -1, and a search cut short is undecided', () => {
    const near = { kind: 'reachable', cost: 2 } as const;
    const far = { kind: 'reachable', cost: 3 } as const;
    expect(ternary(1, far, near)).toMatchObject({ label: 'correct', value: 1 });
    expect(ternary(1, near, far)).toMatchObject({ label: 'correctable', value: 0 });
    expect(ternary(1, near, { kind: 'unreachable' })).toMatchObject({ label: 'irrecoverable', value: -1 });
    const undecided = ternary(1, near, { kind: 'unknown' });
    expect(undecided.label).toBe('undecided');
    expect(undecided).not.toHaveProperty('value');
  });

  it('[SIG-10] dataprm: the finish that gives up cannot be taken back, and the steps before it lead on', async () => {
    const record = foldEpisode(await scriptedEpisode({ outcome: 'failed' }));
    const said = await annotateForks(record, [dataprm], worldOf(record));
    const last = record.end.leaf;
    expect(said.find(({ node }) => node === last)).toMatchObject({ label: 'irrecoverable', value: -1 });
    expect(said.filter(({ label }) => label === 'correct').map(({ node }) => node)).toEqual(
      record.tree.path(last - 1).map(({ id }) => id),
    );
    expect(said.at(-1)).toMatchObject({ node: null, label: 'lost', value: last });
  });

  it('[SIG-10] a world that is not the recorded one is refused', async () => {
    const record = madeEpisode({ steps: [{ to: 'A' }, finish] });
    await expect(annotateForks(record, [dataprm], worldOf(record))).rejects.toThrow('Diverged at the initial state');
  });

  it('[SIG-11] monte-carlo: rewards add up to the verdict less the value of the start', async () => {
    const record = foldEpisode(await scriptedEpisode());
    const said = await annotateForks(record, [monteCarlo], worldOf(record));
    const start = said.find(({ label }) => label === 'start')?.value as number;
    const rewards = said.filter(({ label }) => label === 'reward').map(({ value }) => value as number);
    expect(start).toBeGreaterThan(0);
    expect(rewards.reduce((sum, value) => sum + value, start)).toBeCloseTo(1, 10);
    expect(said.find(({ label }) => label === 'start')?.note).toMatch(/of 8 continuations pass \(0\.\d\d to/);
    expect(await annotateForks(record, [monteCarlo], worldOf(record))).toEqual(said);
  });

  it('[SIG-11] monte-carlo: continues eight times from every state, and the finish that gives up costs what was in reach', async () => {
    const record = foldEpisode(await scriptedEpisode({ outcome: 'failed' }));
    const path = record.tree.path(record.end.leaf);
    const world = worldOf(record);
    let continued = 0;
    const counting = { ...world, continueFrom: () => Promise.resolve(continued++ % 4 === 0) };
    const said = await annotateForks(record, [monteCarlo], counting);
    const of = (label: string) => said.filter(one => one.label === label).map(({ value }) => value);
    expect(continued).toBe(8 * path.length);
    expect(of('start')).toEqual([0.25]);
    expect(of('value')).toEqual([...path.slice(1).map(() => 0.25), 0]);
    expect(of('reward')).toEqual([...path.slice(1).map(() => 0), -0.25]);
  });

  it('[SIG-12] progress: contributions add up to the reward, and the key step has the largest', () => {
    const episodes = [
      ['look', 'key', 'end'],
      ['look', 'end'],
      ['key', 'look', 'end'],
      ['look', 'look', 'end'],
    ];
    const rewards = [1, 0, 1, 0];
    const found = contributions(episodes, rewards);
    for (const [index, values] of found.entries())
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(rewards[index] as number, 10);
    expect(Math.max(...(found[0] as number[]))).toBe(found[0]?.[1]);
    expect(Math.max(...(found[2] as number[]))).toBe(found[2]?.[0]);
    const [x, y] = solve(
      [
        [4, 2],
        [2, 3],
      ],
      [10, 9],
    );
    expect(x).toBeCloseTo(1.5, 10);
    expect(y).toBeCloseTo(2, 10);
  });

  it('[SIG-12] progress: groups of one and equal rewards say that there is nothing to compare', async () => {
    const one = storedEpisode({ steps: [{ to: 'A' }, finish], passed: true });
    const all: AnnotatedEpisode[] = [];
    for await (const said of annotateEpisodes({ episodes: [one], signals: [progress] })) all.push(said);
    expect(all.at(-1)).toMatchObject({ episode: null, annotations: [{ label: 'no-contrast', value: 1 }] });
    const other = storedEpisode({ key: 'b', steps: [finish], passed: false });
    const both: AnnotatedEpisode[] = [];
    for await (const said of annotateEpisodes({ episodes: [one, other], signals: [progress] })) both.push(said);
    const sum = both
      .filter(({ episode, group }) => episode === one.head.key && group !== undefined)
      .flatMap(({ annotations }) => annotations)
      .filter(({ label }) => label === 'contribution')
      .reduce((total, { value = 0 }) => total + value, 0);
    expect(sum).toBeCloseTo(1, 10);
    const grounded = both.flatMap(({ annotations }) => annotations).filter(({ label }) => label === 'grounded');
    expect(grounded.reduce((total, { value = 0 }) => total + value, 0)).toBeCloseTo(1 + 3 * 0.5, 10);
  });

  it('[SIG-13] calibration: the share of verified ends below a step that passed', async () => {
    const record = foldEpisode(await scriptedEpisode({ slips: 1, branch: 'failing' }));
    const said = annotate(record, [calibration]);
    const of = (label: string) => said.filter(one => one.label === label).map(({ node }) => node);
    expect(of('distrusted')).toEqual([1]);
    expect(of('trusted')).toEqual(record.tree.path(record.end.leaf).map(({ id }) => id));
    const unverified = madeEpisode({ steps: [{ to: 'A' }], passed: null });
    expect(annotate(unverified, [calibration])).toEqual([{ signal: 'calibration', node: 1, label: 'unverified' }]);
  });

  it('[SIG-14] grades: rejected, refused, idle and returning steps are masked, not deleted', async () => {
    const refused = { applied: false, problem: { code: 'unknown-element', message: 'no' } };
    const record = madeEpisode({
      steps: [{ to: 'A' }, { outcome: refused }, {}, { to: 'start' }, { to: 'B' }, finish],
      passed: true,
    });
    const said = annotate(record, [grades]);
    expect(said.map(({ label, value }) => [label, value])).toEqual([
      ['keep', 0.9],
      ['mask', 0.1],
      ['mask', 0.2],
      ['mask', 0.3],
      ['keep', 0.9],
      ['keep', 0.9],
      ['kept', 0.5],
    ]);
    const corrected = foldEpisode(await scriptedEpisode({ slips: 1 }));
    expect(annotate(corrected, [grades])[0]).toMatchObject({
      label: 'mask',
      value: 0,
      note: 'rejected by the teacher',
    });
  });
});
