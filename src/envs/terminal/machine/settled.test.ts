import { describe, expect, it } from 'vitest';
import { emptyTree } from '../world/tree.ts';
import { settled, type Seen } from './settled.ts';

const seen = (processes: string, isRunning = false): Seen => ({
  tree: emptyTree,
  processes: processes === '' ? [] : [processes],
  isRunning,
});

async function after(...looks: readonly Seen[]) {
  let at = 0;
  const look = () => Promise.resolve(looks[++at] ?? (looks.at(-1) as Seen));
  const found = await settled(looks[0] as Seen, { look, digest: ({ processes }) => JSON.stringify(processes) });
  return [found.processes.join(), found.movesStill, at + 1];
}

describe('what a command leaves behind', () => {
  it('[TERM-22] is looked at until two looks agree and nothing runs, and not at all when nothing lives', async () => {
    expect(await after(seen(''))).toEqual(['', false, 1]);
    expect(await after(seen('perl'))).toEqual(['perl', false, 2]);
    expect(await after(seen('bash'), seen('perl'), seen('perl'))).toEqual(['perl', false, 3]);
    expect(await after(seen('bash', true), seen('bash', true), seen('perl'))).toEqual(['perl', false, 4]);
    expect(await after(seen('bash'), seen(''))).toEqual(['', false, 2]);
  });

  it('[TERM-22] that goes on moving is said to', async () => {
    expect(await after(seen('loop', true))).toEqual(['loop', true, 6]);
    expect(await after(...'abcdefgh'.split('').map(name => seen(name)))).toEqual(['f', true, 6]);
  });
});
