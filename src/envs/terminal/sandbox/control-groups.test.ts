import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openControlGroups } from './control-groups.ts';
import { createLayeredSandboxes } from './layered-sandboxes.ts';

const name = (pid: number): string => `espalier-terminal-${pid}-test`;
const tried = openControlGroups({ name: name(process.pid) });
tried?.remove();

describe.skipIf(tried === null)('control groups of sandboxes', () => {
  it('[TERM-13] are removed when sandboxes are closed, and those of a process that is gone at the next start', async () => {
    const { pid } = spawnSync('true');
    const [place] = (tried?.folders ?? []).map(folder => dirname(folder)) as [string];
    const left = join(place, name(pid));
    mkdirSync(join(left, '1-0'), { recursive: true });
    const sandboxes = await createLayeredSandboxes();
    expect(existsSync(left)).toBe(false);
    await sandboxes.close();
    const found = spawnSync('find', [place, '-name', `espalier-terminal-${process.pid}-*`], { encoding: 'utf8' });
    expect(found.stdout).toBe('');
  });

  it('[TERM-13] have the limits of the command, and are used again by the next one of a world', async () => {
    const sandboxes = await createLayeredSandboxes();
    const pool = await sandboxes.openPool();
    const run = (memoryBytes: number, processes: number) =>
      pool.run([], {
        command: { kind: 'run', command: 'true' },
        place: { folder: '/', exports: '' },
        environment: {},
        limits: {
          wallSeconds: 5,
          cpuSeconds: 5,
          memoryBytes,
          processes,
          openFiles: 64,
          fileBytes: 1000,
          outputBytes: 1000,
        },
      });
    const limits = (): string => {
      const options = [...(tried?.folders.map(folder => dirname(folder)) ?? []), '-path', `*-${process.pid}-*`];
      const files = ['-name', 'memory.max', '-o', '-name', 'memory.limit_in_bytes', '-o', '-name', 'pids.max'];
      return spawnSync('find', [...options, '-path', '*/1-*', '(', ...files, ')'], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter(file => file !== '')
        .map(file => readFileSync(file, 'utf8').trim())
        .join(' ');
    };
    const disk = 256 * 2 ** 20;
    for (const [memory, processes] of [
      [2 ** 30, 100],
      [2 ** 29, 50],
      [2 ** 31, 50],
    ] as const) {
      expect((await run(memory, processes)).ended).toBe('itself');
      expect(limits()).toBe(`${memory + disk} ${processes + 16}`);
    }
    await pool.close();
    expect(limits()).toBe('');
    await sandboxes.close();
  });
});
