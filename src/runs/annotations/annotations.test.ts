import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { openStore } from '../../store/store.ts';
import { createSystemHost } from '../../system/host.ts';
import { openRun, runPaths } from '../folder/folder.ts';
import { annotateRun, annotationsPath } from './annotate.ts';
import { readAnnotations } from './annotations-file.ts';
import { selectEpisodes } from './select.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-annotate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const host = createSystemHost();
const episodes = [
  await scriptedEpisode({ index: 0 }),
  await scriptedEpisode({ index: 1, slips: 2 }),
  await scriptedEpisode({ index: 2, outcome: 'failed' }),
];

function write(...stored: readonly StoredEpisode[]): void {
  const store = openStore({ path: runPaths(folder).store });
  for (const { head, events, end } of stored) {
    const log = store.begin(head);
    for (const event of events) log.append(event);
    log.end(end);
  }
  store.close();
}

async function select(where: string, signals?: readonly string[]) {
  const store = openRun(folder);
  try {
    const found = await selectEpisodes(store, { folder, where, host, signals });
    return { ...found, keys: [...found.source.summaries()].map(({ head }) => head.key) };
  } finally {
    store.close();
  }
}

describe('annotations of a run', () => {
  it('[SIG-5] are kept beside the store, the same each time, and used again', async () => {
    write(...episodes);
    const before = readFileSync(runPaths(folder).store);
    const first = await annotateRun({ folder, host });
    const text = readFileSync(first.file, 'utf8');
    expect(first).toMatchObject({ episodes: 3, isCached: false, renewed: null });
    expect(first.signals).toContain('loops@1');
    expect(await annotateRun({ folder, host })).toMatchObject({ isCached: true });
    rmSync(first.file);
    await annotateRun({ folder, host });
    expect(readFileSync(first.file, 'utf8')).toBe(text);
    expect(readFileSync(runPaths(folder).store)).toEqual(before);
  });

  it('[SIG-5] of an older version, or of fewer episodes, are computed again, and it is said why', async () => {
    write(...episodes.slice(0, 2));
    const { file } = await annotateRun({ folder, host });
    write(episodes[2] as StoredEpisode);
    expect(await annotateRun({ folder, host })).toMatchObject({ renewed: 'the run has other episodes now' });
    writeFileSync(file, readFileSync(file, 'utf8').replace('loops@1', 'loops@0'));
    expect(await annotateRun({ folder, host })).toMatchObject({ renewed: 'they are of loops@0, now it is loops@1' });
    expect(await annotateRun({ folder, host })).toMatchObject({ isCached: true });
  });

  it('[SIG-5] that were cut short are refused', async () => {
    write(...episodes);
    const { file } = await annotateRun({ folder, host });
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, text.lastIndexOf('{"end"')));
    expect(() => [...readAnnotations(annotationsPath(folder))]).toThrow('it ends too early');
    appendFileSync(file, 'x\n');
    expect(() => [...readAnnotations(annotationsPath(folder))]).toThrow('a line is no JSON');
  });

  it('[SIG-6] select episodes by signals, fields, and modules of users', async () => {
    write(...episodes);
    const keys = episodes.map(({ head }) => head.key);
    expect((await select('outcome = "failed"')).keys).toEqual([keys[2]]);
    expect((await select('signal.first-rejected > 0')).keys).toEqual([keys[1]]);
    expect((await select('signal.rejected = 0 and passed')).keys).toEqual([keys[0]]);
    const module = join(folder, 'mine.ts');
    writeFileSync(
      module,
      `export const signal = { name: 'mine', annotate: ({ end }) => (end.outcome === 'failed' ? [] : [{ node: null, label: 'x', value: end.counts.taken }]) };`,
    );
    const found = await select('signal.mine.x > 0', [module]);
    expect(found).toMatchObject({ keys: keys.slice(0, 2), undecided: 1, selected: 2, total: 3 });
    await expect(select('signal.nothing > 0')).rejects.toThrow('there is no "signal.nothing"');
  });

  it('[SIG-8] signals that need forks say so when they are asked without', async () => {
    write(...episodes);
    await expect(annotateRun({ folder, host, signals: ['dataprm'] })).rejects.toThrow('--forks is not given');
    await expect(select('signal.irrecoverable > 0')).rejects.toThrow('--forks first');
  });
});
