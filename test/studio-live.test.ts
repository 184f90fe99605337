import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEpisode } from '../src/core/episode/journal.ts';
import { collectRun } from '../src/runs/collect.ts';
import { readConfig } from '../src/runs/config/config.ts';
import { createStudioSource } from '../src/studio/data/studio-source.ts';
import type { RunSummary, StudioSource } from '../src/studio/api/api.ts';
import { openStore } from '../src/store/store.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { studioEpisodes, writeRun } from './fixtures/studio/open-studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-live-'));
const host = createSystemHost({ workers: 0 });
let episodes: StoredEpisode[];

beforeAll(async () => {
  episodes = await studioEpisodes();
});

afterAll(() => rmSync(folder, { recursive: true }));

function sourceOf(name: string): StudioSource {
  return createStudioSource({ folder: join(folder, name), host, machine: '', version: '', createId: () => 'id' });
}

function only(source: StudioSource): RunSummary {
  const [run] = source.runs();
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

describe('a run that is being written', () => {
  it('[STUDIO-22] says how far it is, how fast, and what it may spend; after a stop, where it stands', async () => {
    const config = readConfig(
      {
        run: 'slow',
        environments: ['mail'],
        templates: ['star-message'],
        instances: 12,
        student: { kind: 'random' },
        teacher: { kind: 'none' },
        strategy: { kind: 'linear' },
        concurrency: 1,
        limits: { steps: 5 },
        spending: { dollars: 3 },
      },
      'The test',
    );
    const stop = new AbortController();
    const seen: RunSummary[] = [];
    let source: StudioSource | null = null;
    const run = { config, folder: join(folder, 'slow/run'), host, signal: stop.signal };
    await collectRun({
      ...run,
      onProgress({ ended }) {
        source ??= sourceOf('slow');
        source.refresh();
        seen.push(only(source));
        if (ended === 6) stop.abort();
      },
    });
    if (source === null) throw new Error('No episode ended.');
    const watched: StudioSource = source;
    expect(seen.at(-1)).toMatchObject({
      isLive: true,
      budget: 3,
      progress: { phase: 'collect', round: 1, planned: 12 },
    });
    watched.refresh();
    expect(only(watched).progress).toMatchObject({ planned: 12, done: 6 });
    await collectRun(run.signal.aborted ? { ...run, signal: undefined } : run);
    watched.refresh();
    expect(only(watched).progress).toBeNull();
    expect(JSON.parse(readFileSync(join(folder, 'slow/run/progress.json'), 'utf8'))).toMatchObject({
      skipped: 6,
      ended: 6,
      isOver: true,
    });
    writeFileSync(join(folder, 'slow/run/progress.json'), '{"planned":');
    watched.refresh();
    expect(only(watched)).toMatchObject({ problem: null, progress: null });
    await watched.close();
  });

  it('[STUDIO-22] is live while an episode takes steps, before any has ended', async () => {
    const [first] = episodes as [StoredEpisode];
    writeRun(join(folder, 'open/run'), [first]);
    const source = sourceOf('open');
    source.refresh();
    expect(only(source)).toMatchObject({ isLive: false, unfinished: 0 });
    const store = openStore({ path: join(folder, 'open/run/store.db') });
    const log = store.begin({ ...first.head, key: `${first.head.key}9`, index: 9, trial: 9 });
    for (const event of first.events.slice(0, 3)) log.append(event);
    store.save();
    expect(source.refresh()).toBe(true);
    expect(source.refresh()).toBe(false);
    for (const event of first.events.slice(3)) log.append(event);
    await new Promise(resolve => setTimeout(resolve, 20));
    store.save();
    expect(source.refresh()).toBe(true);
    expect(only(source)).toMatchObject({ isLive: true, unfinished: 1, version: 1 });
    expect(only(source).rates.steps).toBeGreaterThan(0);
    store.close();
    await source.close();
  });

  it('[STUDIO-9] is opened anew when another store lies in its place, and survives that its folder goes away', async () => {
    writeRun(join(folder, 'swapped/run'), episodes);
    writeRun(join(folder, 'other/run'), episodes.slice(0, 1));
    const source = sourceOf('swapped');
    source.refresh();
    const before = only(source);
    renameSync(join(folder, 'swapped/run'), join(folder, 'swapped-away'));
    source.refresh();
    expect(only(source).problem).toContain('was deleted while it was open');
    renameSync(join(folder, 'other/run'), join(folder, 'swapped/run'));
    source.refresh();
    const after = only(source);
    expect(after.problem).toBeNull();
    expect(after.outcomes.passed).toBe(1);
    expect(after.version).toBeGreaterThan(before.version);
    rmSync(join(folder, 'swapped'), { recursive: true });
    source.refresh();
    expect(only(source).problem).toContain('was deleted while it was open');
    await source.close();
  });
});
