import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFormat4 } from '../../../test/fixtures/certify/old-store.ts';
import { createManualClock } from '../../core/clock.ts';
import type { EpisodeSummary } from '../../core/episode/journal.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { certifyRun, type Replayed } from './certify.ts';
import { collectRun, type Collected, type CollectOptions } from '../collect.ts';
import { readConfig } from '../config/config.ts';
import { exportRun } from '../export.ts';
import { openRun, openRunForWriting } from '../folder/folder.ts';
import { readReport } from '../report.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/certify');
const host = { ...createSystemHost({ workers: 0 }), clock: createManualClock() };
const workerHost = { ...createSystemHost({ workers: 1 }), clock: host.clock };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-certify-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Changes = Partial<Pick<CollectOptions, 'certifies' | 'signal' | 'host'>>;

function collect(name: string, options: Changes = {}) {
  const file = join(fixtures, name);
  const agent = { kind: 'module', file } as const;
  const strategy = { kind: 'speculative-rollback', speculate: 1 } as const;
  const draft = { run: 'lamp', environments: [file], instances: 3, student: agent, teacher: agent, strategy };
  return collectRun({ config: readConfig(draft, 'The test'), folder, host, ...options });
}

function certify(options: { readonly all?: boolean } = {}): Promise<Replayed> {
  return certifyRun({ folder, environments: [], concurrency: 2, host, ...options });
}

function summaries(): EpisodeSummary[] {
  const store = openRun(folder);
  try {
    return [...store.summaries()];
  } finally {
    store.close();
  }
}

const results = (): string[][] => summaries().map(({ certificates }) => certificates.map(({ result }) => result));
/** Rows of an export, but those that list the episodes. */
async function rowsOf(): Promise<number> {
  const { manifest } = await exportRun({ folder, host, formats: ['jsonl'] });
  return manifest.files.filter(({ table }) => table !== 'episodes').reduce((sum, { rows }) => sum + rows, 0);
}

const totals = ({ environments, uncertified }: Collected): unknown => [
  environments.map(({ outcomes, certified }) => [outcomes.passed, certified]),
  uncertified,
];

describe('certification of runs', () => {
  it('[CERT-7] a run certifies what passed, and says so', async () => {
    const found = await collect('lamp.ts', { host: workerHost });
    expect(totals(found)).toEqual([[[3, 3]], null]);
    expect(results()).toEqual([['agreed'], ['agreed'], ['agreed']]);
    expect(await certify()).toEqual({ agreed: 0, diverged: 0, broken: 0, unopened: 0 });
  });

  it('[CERT-7] what a run has left without a certificate is certified by the next start, once', async () => {
    const left = await collect('lamp.ts', { certifies: false });
    expect(totals(left)).toMatchObject([[[3, 0]], { count: 3, reason: 'its path was not replayed yet' }]);
    expect(results()).toEqual([[], [], []]);
    const resumed = await collect('lamp.ts');
    expect(resumed).toMatchObject({ ended: 0, skipped: 3, stopped: false });
    expect(totals(resumed)).toEqual([[[3, 3]], null]);
    await collect('lamp.ts');
    expect(results()).toEqual([['agreed'], ['agreed'], ['agreed']]);
  });

  it('[CERT-9] a run without certificates exports nothing until espalier certify has replayed it', async () => {
    await collect('lamp.ts', { certifies: false });
    expect(await rowsOf()).toBe(0);
    expect(await certify()).toMatchObject({ agreed: 3 });
    expect(await rowsOf()).toBeGreaterThan(0);
  });

  it('[CERT-10] an older run of an environment that is not built in exports nothing until espalier certify has replayed it', async () => {
    await collect('lamp.ts');
    makeFormat4(join(folder, 'store.db'));
    openRunForWriting(folder).close();
    expect(summaries().map(({ end }) => end.certification)).toEqual(['by-replay', 'by-replay', 'by-replay']);
    expect(await rowsOf()).toBe(0);
    expect(await certify()).toMatchObject({ agreed: 3 });
    expect(await rowsOf()).toBeGreaterThan(0);
  });

  it('[CERT-9] what does not agree is told in totals and reports, apart from what passed', async () => {
    const found = await collect('lying-lamp.ts');
    const [passed] = found.environments.map(({ outcomes }) => outcomes.passed);
    expect(passed).toBeGreaterThan(0);
    expect(totals(found)).toMatchObject([
      [[passed, 0]],
      { count: passed, reason: expect.stringContaining('its replay differs at step 2: verdict') },
    ]);
    const report = readReport({ folder, command: 'test', machine: 'test', version: 'test' });
    expect(report.arms[0]?.rounds[0]?.episodes).toMatchObject({ passed: 0, uncertified: passed });
    expect(report.faults).toContainEqual(
      expect.objectContaining({ outcome: 'uncertified', reason: 'its replay differs: verdict', count: passed }),
    );
    expect(report.arms[0]?.rounds[0]?.archive?.entries).toBe(0);
  });

  it('[CERT-6] a resumed run remembers whose snapshots are not to be trusted', async () => {
    await collect('lying-lamp.ts');
    const before = summaries().length;
    const file = join(fixtures, 'lying-lamp.ts');
    const agent = { kind: 'module', file } as const;
    const strategy = { kind: 'speculative-rollback', speculate: 1 } as const;
    const draft = { run: 'lamp', environments: [file], instances: 3, student: agent, teacher: agent, strategy };
    await collectRun({ config: readConfig({ ...draft, round: 2 }, 'The test'), folder, host });
    const store = openRun(folder);
    const later = [...store.episodes()].slice(before).flatMap(({ events }) => events);
    store.close();
    const methods = later.flatMap(event => (event.kind === 'rollback' ? [event.method] : []));
    expect(methods.length).toBeGreaterThan(0);
    expect(new Set(methods)).toEqual(new Set(['replay']));
  });
});
