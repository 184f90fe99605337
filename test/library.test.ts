import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { app } from '../examples/library/library.ts';
import { certifyRun, collect, createLinear, createRandomPolicy, createWorld, openStore } from '../src/index.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'espalier-library-'));

afterAll(() => rmSync(folder, { recursive: true }));

function headsIn(run: string) {
  const store = openStore({ path: join(run, 'store.db'), readOnly: true });
  const heads = Array.from(store.summaries(), ({ head }) => head);
  store.close();
  return heads;
}

const environments = [createWorld(app)];
const byObjects = { environments, templates: ['lend-to-reader'], instances: 2 };

describe('runs from a program', () => {
  it('[LIB-2] take objects in the place of names, and say so when they are continued without them', async () => {
    const run = join(folder, 'objects');
    const strategy = { ...createLinear(), name: 'my-strategy' };
    const student = { ...createRandomPolicy(), name: 'my-policy' };
    const { ended } = await collect({ folder: run, ...byObjects, student, strategy });
    expect(ended).toBe(2);
    expect(headsIn(run)[0]).toMatchObject({ student: 'my-policy', strategy: 'my-strategy', teacher: null });
    expect(JSON.parse(readFileSync(join(run, 'config.json'), 'utf8'))).toMatchObject({
      environments: ['object:library'],
      student: { kind: 'object', name: 'my-policy' },
      strategy: { kind: 'object', name: 'my-strategy' },
    });
    await expect(certifyRun({ folder: run })).rejects.toThrow(
      'The environment "library" was given as an object by the program that began this run, and is not given now.',
    );
  });

  it('[LIB-2] refuse a name that nothing has, with the nearest one', async () => {
    const wrong = collect({ folder: join(folder, 'wrong'), environments, strategy: 'best-of' });
    await expect(wrong).rejects.toThrow('There is no strategy "best-of". Did you mean "best-of-n"?');
  });

  it('[LIB-3] stop at a signal, and go on with the same call', async () => {
    const run = join(folder, 'stopped');
    const options = { folder: run, ...byObjects, instances: 12, student: 'random', strategy: 'linear', concurrency: 1 };
    const controller = new AbortController();
    const stop = ({ ended }: { readonly ended: number }): void => {
      if (ended === 3) controller.abort();
    };
    const first = await collect({ ...options, signal: controller.signal, onProgress: stop });
    expect(first.stopped).toBe(true);
    expect(first.ended).toBeLessThan(12);
    const second = await collect(options);
    expect(second).toMatchObject({ stopped: false, skipped: first.ended, ended: 12 - first.ended });
    expect(new Set(headsIn(run).map(({ key }) => key)).size).toBe(12);
  });

  it('[LIB-4] load the engine when they are called, not when the package is imported', async () => {
    const script = `import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { collect } = await import('espalier');
      console.log(JSON.stringify({ kind: typeof collect, runs: loaded.filter(url => url.includes('/src/runs/')) }));`;
    const node = join(root, 'node_modules', '.bin', 'node');
    const args = ['--conditions=espalier-source', '--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(node, args, { cwd: root });
    expect(JSON.parse(stdout)).toEqual({ kind: 'function', runs: [] });
  });
});
