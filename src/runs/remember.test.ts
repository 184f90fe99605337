import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSystemHost } from '../system/workers/host.ts';
import { remembering } from './agents/students/remembering.ts';
import { collectRun } from './collect.ts';
import { readConfig } from './config/config.ts';
import { memories } from './registry/memories.ts';
import { rememberRuns } from './remember.ts';

it('[MEM-10] a run is written into a memory twice without a second copy, and a student is named with it', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'espalier-remember-'));
  const [folder, out] = [join(parent, 'run'), join(parent, 'memory.json')];
  const draft = {
    run: 'r',
    environments: ['mail'],
    templates: ['star-message'],
    instances: 3,
    student: { kind: 'planner' },
  };
  const config = readConfig({ ...draft, strategy: { kind: 'linear' } }, 'The test');
  await collectRun({ config, folder, host: createSystemHost({ workers: 0 }) });
  const first = rememberRuns({ folders: [folder], writers: memories.names, out });
  expect(first).toMatchObject({ episodes: 3, leftOut: 0, refused: 0 });
  expect(first.added).toBeGreaterThan(0);
  expect(rememberRuns({ folders: [folder], writers: memories.names, out })).toMatchObject({
    added: 0,
    memory: { version: 2 },
  });
  expect(() => rememberRuns({ folders: [folder], writers: ['skils'], out })).toThrow(/Did you mean "skills"/);
  expect(remembering.read(`remembering:${out},small`)).toEqual({ kind: 'remembering', memory: out, student: 'small' });
  expect(() => remembering.read('remembering:a.json')).toThrow(/names no memory or no student/);
  const config2 = remembering.config.parse({ kind: 'remembering', memory: out, student: 'small' });
  const settled = await remembering.settle?.(config2);
  expect(settled?.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(() => remembering.settle?.({ ...config2, sha256: 'other' })).toThrow(/is not the one that the run began with/);
  rmSync(parent, { recursive: true });
});
