import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningThread } from '../../runs/jobs/threads.ts';
import { startThread } from './thread.ts';

let folder = '';
let thread: RunningThread | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-thread-'));
});
afterEach(async () => {
  await thread?.close();
  rmSync(folder, { recursive: true });
});

function start(body: string, data: unknown = null): RunningThread {
  const file = join(folder, 'work.mjs');
  writeFileSync(file, `export async function* run(data) { ${body} }`);
  thread = startThread({ module: pathToFileURL(file).href, data });
  return thread;
}

describe('a thread', () => {
  it('[WORK-8] gives the values of its work in order, then null', async () => {
    const { next } = start('for (let n = 0; n < data; n++) yield n;', 200);
    const values: unknown[] = [];
    for (let value = await next(); value !== null; value = await next()) values.push(value);
    expect(values).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(await next()).toBeNull();
  });

  it('[WORK-8] waits when nobody takes its values', async () => {
    const made = new Int32Array(new SharedArrayBuffer(4));
    const { next } = start('for (;;) yield Atomics.add(data, 0, 1);', made);
    expect(await next()).toBe(0);
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(Atomics.load(made, 0)).toBeLessThan(100);
    for (let n = 1; n < 300; n++) expect(await next()).toBe(n);
  });

  it('[WORK-8] says what broke it, after the values before', async () => {
    const { next } = start("yield 1; throw new Error('no more');");
    expect(await next()).toBe(1);
    await expect(next()).rejects.toThrow('no more');
  });

  it('[WORK-8] that its code ends is an error, and one that loops can be ended', async () => {
    await expect(start('yield process.exit(3);').next()).rejects.toThrow(/exit|3/);
    const looping = start('yield 1; for (;;);');
    expect(await looping.next()).toBe(1);
    await looping.close();
    await expect(looping.next()).rejects.toThrow('exited');
  });
});
