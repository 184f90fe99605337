import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptedEpisode } from '../../../test/fixtures/episodes.ts';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { openStore } from '../../store/store.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { openRun, runPaths } from '../folder/folder.ts';
import { annotateRun, annotationsPath } from './annotate.ts';
import { readAnnotations, readHeader } from './annotations-file.ts';
import { exportRun } from '../export.ts';
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

async function exportSignals(signals?: readonly string[]) {
  const out = join(folder, 'rows');
  const { withoutForks } = await exportRun({ folder, host, out, formats: ['jsonl'], tables: ['signals'], signals });
  const lines = readFileSync(join(out, 'signals.jsonl'), 'utf8').split('\n').filter(Boolean);
  return { withoutForks, rows: lines.map(line => JSON.parse(line) as Record<string, unknown>) };
}

describe('the table of signals', () => {
  it('[SIG-3] has what signals say by comparing episodes, all that annotate says', async () => {
    write(...episodes);
    const { rows, withoutForks } = await exportSignals();
    expect(withoutForks).toEqual(['dataprm', 'monte-carlo']);
    const said = (found: Iterable<unknown>): string[] => [...found].map(one => JSON.stringify(one)).toSorted();
    const kept = [...readAnnotations(annotationsPath(folder))].flatMap(({ episode, annotations }) =>
      annotations.map(({ signal, node, label }) => [episode, signal, node, label]),
    );
    expect(said(rows.map(({ episode, signal, node, label }) => [episode, signal, node, label]))).toEqual(said(kept));
    const names = new Set(rows.map(({ signal }) => signal));
    for (const name of ['reward-hack', 'agent-lens', 'topo-curate', 'trajeval']) expect(names).toContain(name);
    expect(rows.find(({ episode }) => episode === null)).toMatchObject({ node: null, outcome: null, student: null });
  });

  it('[SIG-3] has only the signals that were named', async () => {
    write(...episodes);
    const { rows, withoutForks } = await exportSignals(['reward-hack']);
    expect(withoutForks).toBeUndefined();
    expect(new Set(rows.map(({ signal }) => signal))).toEqual(new Set(['reward-hack']));
    expect(rows.filter(({ label }) => label === 'audit')).toHaveLength(3);
  });

  it('[SIG-3] [SIG-8] refuses a signal that needs forks when there are none', async () => {
    write(...episodes);
    await expect(exportSignals(['dataprm'])).rejects.toThrow('annotate');
  });
});

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

  it('[SIG-59] of other signals stay when one is named', async () => {
    write(...episodes);
    await annotateRun({ folder, host, signals: ['loops', 'stalls'] });
    const { file, signals, renewed } = await annotateRun({ folder, host, signals: ['grades'] });
    expect([signals, renewed]).toEqual([['grades@1'], 'they lack grades@1']);
    expect(readHeader(file)?.signals).toEqual(['grades@1', 'loops@1', 'stalls@1']);
    expect(await annotateRun({ folder, host, signals: ['stalls', 'loops'] })).toMatchObject({ isCached: true });
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

  it('[SIG-44] of another format are refused with what to do', async () => {
    write(...episodes);
    const { file } = await annotateRun({ folder, host });
    const text = readFileSync(file, 'utf8');
    const advice = 'Delete the file and run espalier annotate again';
    writeFileSync(file, text.replace('"format":1', '"format":2'));
    await expect(annotateRun({ folder, host })).rejects.toThrow(/its header is not as this version writes it/);
    await expect(annotateRun({ folder, host })).rejects.toThrow(advice);
    writeFileSync(file, text.replace('"annotations":', '"notes":'));
    expect(() => [...readAnnotations(file)]).toThrow(/line 2 is not as this version writes it/);
    expect(() => [...readAnnotations(file)]).toThrow(advice);
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

describe('annotations of many episodes', () => {
  const many = Array.from({ length: 520 }, (_, index): StoredEpisode => {
    const { head, ...rest } = episodes[index % 3] as StoredEpisode;
    const task = { ...head.task, seal: `${head.task.seal} ${Math.floor(index / 4)}` };
    return { ...rest, head: { ...head, index, key: `${head.key}/${index}`, task } };
  });

  it('[SIG-31] are counted one by one, and are the same bytes each time', async () => {
    write(...many);
    const texts: string[] = [];
    for (let time = 0; time < 2; time++) {
      const counted: number[] = [];
      const onProgress = (progress: { readonly episodes: number }) => counted.push(progress.episodes);
      const { file } = await annotateRun({ folder, host, onProgress });
      texts.push(readFileSync(file, 'utf8'));
      expect(counted).toEqual(many.map((_, index) => index + 1));
      rmSync(file);
    }
    expect(texts[0]?.split('\n').length).toBeGreaterThan(many.length + 100);
    expect(texts[1]).toBe(texts[0]);
  });

  it('[SIG-31] fail with the error of the first episode that a signal breaks on, and leave no file', async () => {
    write(...many);
    const module = join(folder, 'breaks.ts');
    writeFileSync(
      module,
      `export const signal = { name: 'breaks', annotate({ head }) { if (head.index >= 300) throw new Error('index ' + head.index); return []; } };`,
    );
    await expect(annotateRun({ folder, host, signals: [module] })).rejects.toThrow('threw: index 300');
    expect(readdirSync(folder).filter(name => name.startsWith('annotations'))).toEqual([]);
  });
});
