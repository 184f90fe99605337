import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { storedEpisode, finish } from '../../../test/fixtures/signals/made-episode.ts';
import { openStore } from '../../store/store.ts';
import { openRun, runPaths } from '../folder/folder.ts';
import { annotationsPath } from './annotate.ts';
import { storeKey, writeAnnotations } from './annotations-file.ts';
import { readTriedPlaces } from './tried-places.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-tried-'));
afterAll(() => rmSync(folder, { recursive: true }));

const stored = storedEpisode({ steps: [{ to: 'A' }, { to: 'B' }, finish] });
const { run, key } = stored.head;
const said = (node: number, value: number | undefined, note: string) => ({
  signal: 'agent-debug',
  node,
  label: 'critical',
  note,
  ...(value === undefined ? {} : { value }),
});

async function annotated(header: { readonly forks: boolean; readonly store?: string }) {
  const source = openRun(folder);
  const annotations = [
    said(3, undefined, 'a guess from the record (40 %): …'),
    said(2, 1, 'tried by forks: Step 2: why.'),
  ];
  async function* lines() {
    yield `${JSON.stringify({ run, episode: key, annotations })}\n`;
  }
  const whole = { format: 1 as const, store: storeKey(source), signals: ['agent-debug@3'], ...header };
  await writeAnnotations(annotationsPath(folder), whole, lines());
  const found = readTriedPlaces(folder, source)(stored);
  source.close();
  return found;
}

describe('steps that forks found', () => {
  it('[SIG-52] are read from annotations with forks of the same episodes, and from no others', async () => {
    const store = openStore({ path: runPaths(folder).store });
    const log = store.begin(stored.head);
    for (const event of stored.events) log.append(event);
    log.end(stored.end);
    store.close();
    expect(await annotated({ forks: true })).toEqual({ node: 2, reason: 'Step 2: why.' });
    expect(await annotated({ forks: false })).toBeUndefined();
    expect(await annotated({ forks: true, store: 'of other episodes' })).toBeUndefined();
  });
});
