import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../terminal/output.ts';
import { planTask, type PlanRequest } from './plan.ts';

async function said(request: Omit<PlanRequest, 'seed'>): Promise<string> {
  let told = '';
  const stream = { write: (text: string) => (told += text) };
  const output = createOutput({ results: stream, progress: stream, colours: false });
  expect(await planTask(output, { seed: 1, ...request })).toBe(1);
  return told;
}

describe('plan', () => {
  it('[CLI-10] says what was exhausted, and advises more nodes only where they can help', async () => {
    const stuck = await said({ environment: resolve('test/fixtures/apps/stuck.ts') });
    expect(stuck).toContain('no reachable state meets the goal');
    expect(stuck).toContain('all 2 states that can be reached were tried');
    expect(stuck).not.toContain('larger --nodes');
    const cut = await said({ environment: resolve('examples/library/library.ts'), nodes: 1 });
    expect(cut).toContain('try a larger --nodes or --seconds');
  });
});
