import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { readManifest } from '../../dataset/rows/manifest.ts';
import { openStore } from '../../store/store.ts';
import { createOutput } from '../terminal/output.ts';
import { runPaths } from '../../runs/folder/folder.ts';
import { annotate } from './annotate.ts';
import { exportRows } from './export.ts';

let run = '';
let told = '';
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'espalier-export-verb-'));
  told = '';
});
afterEach(() => rmSync(run, { recursive: true }));

const stream = { write: (text: string) => (told += text) };
const output = createOutput({ results: stream, progress: stream, colours: false });

function store({ head, events, end }: StoredEpisode): void {
  const journal = openStore({ path: runPaths(run).store });
  const log = journal.begin(head);
  for (const event of events) log.append(event);
  log.end(end);
  journal.close();
}

function bytesOf(table: string): number {
  return readManifest(runPaths(run).export).files.find(({ name }) => name === `${table}.jsonl`)?.bytes ?? 0;
}

describe('exporting a run', () => {
  it('[EXP-16] [EXP-17] says how many requests were written, and leaves out old screens when asked', async () => {
    store(await scriptedEpisode({ slips: 2 }));
    expect(await exportRows(output, { run, format: ['jsonl'] })).toBe(0);
    expect(told).toContain('Requests: 0 as models got them, 7 as a model would get them.');
    expect(told).not.toContain('Without tools');
    const whole = bytesOf('next-actions');
    expect(await exportRows(output, { run, format: ['jsonl'], window: 1 })).toBe(0);
    expect(bytesOf('next-actions')).toBeLessThan(whole);
    expect(readManifest(runPaths(run).export).prompt).toMatchObject({ window: 1, withoutTools: [] });
  });

  it('[DATA-29] says of a table that was asked for and stays empty what it takes', async () => {
    store(await scriptedEpisode({ slips: 2 }));
    const table = ['expert-failures', 'world-model'];
    expect(await exportRows(output, { run, format: ['jsonl'], table })).toBe(0);
    expect(told).toContain('expert-failures has no rows: nothing here is what it takes. EEF: the useful beginning of');
    expect(told).not.toContain('world-model has no rows');
  });

  it('[CREDIT-23] says that a group of one was compared with nothing', async () => {
    store(await scriptedEpisode());
    expect(await exportRows(output, { run, format: ['jsonl'], advantage: 'gigpo' })).toBe(0);
    expect(told).toContain('Advantages: gigpo, 1 trajectory in 1 of 1 group.');
    expect(told).toContain('1 group of one trajectory: nothing to compare with. Collect with --trials 8.');
    expect(readManifest(runPaths(run).export).credit).toMatchObject({ credited: 1, alone: 1 });
  });

  it('[SIG-42] counts tries that broke, so that smaller groups are no surprise', async () => {
    const passed = await scriptedEpisode();
    store(passed);
    const { head, events, end, ...rest } = passed;
    const broken = { ...end, outcome: 'errored', boundary: 'policy', message: 'It threw.', verdict: null } as const;
    store({ head: { ...head, key: `${head.key}/again`, index: 1 }, events, end: broken, ...rest });
    expect(await exportRows(output, { run, format: ['jsonl'], advantage: 'gigpo' })).toBe(0);
    expect(told).toContain('1 try without a verdict: broken or given up, and compared with nothing.');
    expect(readManifest(runPaths(run).export).credit).toMatchObject({ trajectories: 1, unverified: 1 });
  });

  it('[EXP-7] names environments whose tools cannot be had any more', async () => {
    const { head, ...rest } = await scriptedEpisode();
    store({ head: { ...head, task: { ...head.task, environment: 'gone' } }, ...rest });
    expect(await exportRows(output, { run, format: ['jsonl'] })).toBe(0);
    expect(told).toContain('Without tools of the environment, as it cannot be opened: gone.');
  });

  it('[RUN-33] without rows names the corrections that nobody may train on', async () => {
    const { head, end, ...rest } = await scriptedEpisode({ slips: 2 });
    const task = { ...head.task, split: 'test' as const };
    store({ head: { ...head, task }, end: { ...end, outcome: 'discarded', verdict: null }, ...rest });
    expect(await exportRows(output, { run, format: ['jsonl'] })).toBe(1);
    expect(told).toContain('There are no training rows: the 2 corrections are of held-out templates');
    expect(told).not.toContain('nothing was corrected');
  });

  it('[EXP-26] [EXP-27] masks steps by signals, and has rows of failures when asked', async () => {
    store(await scriptedEpisode({ call: true }));
    store(await scriptedEpisode({ index: 1, outcome: 'failed' }));
    const rows = (): number =>
      readManifest(runPaths(run).export).files.find(({ table }) => table === 'next-actions')?.rows ?? 0;
    expect(await exportRows(output, { run, format: ['jsonl'] })).toBe(0);
    const passed = rows();
    expect(await exportRows(output, { run, format: ['jsonl'], mask: ['stalls.refused', 'loops'] })).toBe(0);
    expect(rows()).toBe(passed - 1);
    expect(told).toContain('Not learned: 1 step, by stalls.refused and loops.');
    expect(await exportRows(output, { run, format: ['jsonl'], keep: 'verified' })).toBe(0);
    expect(rows()).toBeGreaterThan(passed + 2);
    await expect(exportRows(output, { run, mask: ['dataprm.irrecoverable'] })).rejects.toThrow('annotated without');
    await expect(exportRows(output, { run, mask: ['grades.masked'] })).rejects.toThrow('Expected one of: keep, mask.');
  });

  it('[EXP-26] annotations that are there are told of the signals that were asked for', async () => {
    store(await scriptedEpisode({ call: true }));
    expect(await annotate(output, { run })).toBe(0);
    told = '';
    expect(await annotate(output, { run, signal: ['grades'] })).toBe(0);
    expect(told).toContain('as they were computed before');
    expect(told).toMatch(/^grades +keep/m);
    expect(told).not.toMatch(/^planning /m);
  });

  it('[DATA-13] writes what another student would do in each state', async () => {
    store(await scriptedEpisode());
    expect(await exportRows(output, { run, format: ['jsonl'], weigh: 'untrained' })).toBe(0);
    const rows = readFileSync(join(runPaths(run).export, 'weighed.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as WeighedRow);
    expect(rows.length).toBeGreaterThan(2);
    for (const { likely_logprobs: logprobs, rank, surprisal, likely_actions: actions, action } of rows) {
      expect(logprobs.toSorted((a, b) => b - a)).toEqual(logprobs);
      const sum = logprobs.reduce((all, logprob) => all + Math.exp(logprob), 0);
      expect(sum).toBeLessThanOrEqual(1 + 1e-6);
      const place = actions.indexOf(action);
      expect(rank).toBe(place < 0 ? actions.length + 1 : place + 1);
      expect(surprisal).toBeCloseTo(place < 0 ? -Math.log(Math.max(1 - sum, 1e-6)) : -(logprobs[place] ?? 0), 6);
    }
    const total = (of: (row: WeighedRow) => number): number => rows.reduce((all, row) => all + of(row), 0);
    expect(rows[0]?.rsr).toBeCloseTo(total(({ rank }) => rank) / total(({ surprisal }) => surprisal), 6);
    await expect(exportRows(output, { run, weigh: 'random' })).rejects.toThrow('says of no action how likely it is');
  });
});

interface WeighedRow {
  readonly action: string;
  readonly likely_actions: readonly string[];
  readonly likely_logprobs: readonly number[];
  readonly rank: number;
  readonly surprisal: number;
  readonly rsr: number;
}
