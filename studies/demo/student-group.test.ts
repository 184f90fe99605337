import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { studentContender } from '../../src/runs/jobs/contender.ts';
import { evaluateRun } from '../../src/runs/evaluate.ts';
import { evaluationSeed } from '../../src/runs/settings/seeds.ts';
import { readGroup, studentFolder, type StudentGroup } from './student-group.ts';
import { tasksWithin } from './teachers.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-group-'));

afterAll(() => rmSync(folder, { recursive: true }));

async function evaluateMember(group: StudentGroup, seed: number): Promise<void> {
  await evaluateRun({
    environments: ['synth:1'],
    folder: studentFolder(group, seed),
    subject: await studentContender('untrained'),
    round: 1,
    tasks: [`synth-1/add-dogs/${evaluationSeed(1, 0)}`],
    instances: 1,
    trials: 1,
    levels: ['new-instances', 'held-out'],
    baselines: false,
    seed: 1,
    concurrency: 1,
    browser: null,
    host: createSystemHost({ workers: 0 }),
  });
}

describe('students that learned from the same rows', () => {
  it('[DEMO-7] are read as one, each with its training seed; apps that were not taught are a level of their own', async () => {
    const group: StudentGroup = { folder, id: 'taught', students: 2 };
    for (const seed of [1, 2]) await evaluateMember(group, seed);
    const taught = readGroup(group, { trainedApps: new Set(['synth-1']) });
    expect(taught.trials.map(({ seed }) => seed)).toEqual(['1', '2']);
    expect(taught.newInstances?.overall.n).toBe(2);
    const other = readGroup(group, { trainedApps: new Set(['synth-2']) });
    expect([other.newInstances, other.unseenApps?.overall.n]).toEqual([null, 2]);
  });

  it('[DEMO-3] learn from the first tasks that a price pays for', () => {
    const shown = [
      ['a', 4],
      ['b', 5],
      ['c', 1],
    ] as const;
    expect(tasksWithin(9, shown)).toEqual(['a', 'b']);
    expect(tasksWithin(8, shown)).toEqual(['a']);
    expect(tasksWithin(3, shown)).toEqual([]);
  });
});
