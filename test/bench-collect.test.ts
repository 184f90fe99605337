import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryGrowth } from '../bench/collect.ts';
import { openStore } from '../src/store/store.ts';

it('[BEN-10] measures memory on episodes that all pass', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-collect-'));
  try {
    expect(await memoryGrowth(folder, { settled: 4, last: 12 })).toMatchObject({
      name: 'collect.memory-growth',
      runs: 1,
    });
    const store = openStore({ path: join(folder, 'memory.db'), readOnly: true });
    expect([...store.summaries()].map(({ end }) => end.outcome)).toEqual(Array(12).fill('passed'));
    store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
