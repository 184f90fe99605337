import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contents } from '../../../test/fixtures/episode-setup.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { trainFromExport } from '../train.ts';
import { collectRun } from '../collect.ts';
import { readConfig } from '../config/config.ts';
import { exportRun } from '../export.ts';
import { openRun } from '../folder/folder.ts';
import { studentPath } from '../loop.ts';
import type { RlOptions } from './options.ts';
import { runRl, type RlRound } from './rl.ts';

const host = createSystemHost({ workers: 0 });
const templates = ['star-message', 'contact-phone'];
let folder = '';
let student = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-rl-'));
  const demo = join(folder, 'demo');
  const config = { run: 'demo', environments: ['mail'], templates, instances: 1, student: { kind: 'planner' } };
  await collectRun({
    config: readConfig({ ...config, strategy: { kind: 'linear' } }, 'The test'),
    folder: demo,
    host,
  });
  await exportRun({ folder: demo, host, formats: ['jsonl'], keep: 'all' });
  student = join(folder, 'student.json');
  trainFromExport({ folders: [demo], seed: 1, host, out: student });
});
afterAll(() => rmSync(folder, { recursive: true }));

function optionsIn(out: string, changes: Partial<RlOptions> = {}): RlOptions {
  return {
    folder: join(folder, out),
    draft: { run: 'rl', environments: ['mail'], templates, seed: 1 },
    student,
    estimator: 'grpo',
    rounds: 2,
    group: 4,
    groups: 'start',
    instances: 2,
    learning: {
      temperature: 1.5,
      rate: 0.3,
      epochs: 1,
      batch: 64,
      longest: 1,
      clipLow: 0.2,
      clipHigh: 0.2,
      kl: 0.01,
      entropy: 0,
    },
    evaluateEvery: 0,
    evaluationInstances: 1,
    baselines: false,
    host,
    signal: new AbortController().signal,
    ...changes,
  };
}

async function run(options: RlOptions): Promise<RlRound[]> {
  return Array.fromAsync(runRl(options));
}

/** Everything that a run leaves behind, but for times. */
function left(out: string) {
  const store = openRun(join(folder, out));
  const names = readdirSync(join(folder, out)).filter(name => /^(student|config|rl)/.test(name));
  const texts = names.map(name => {
    const text = readFileSync(join(folder, out, name), 'utf8').replaceAll(join(folder, out), '');
    return [name, text.replaceAll(/"(collect|update)Seconds":[\d.e-]+/g, '')];
  });
  try {
    return { files: Object.fromEntries(texts), episodes: contents([...store.episodes()]) };
  } finally {
    store.close();
  }
}

describe('reinforcement learning', () => {
  it('[RL-4] improves the student in every round, and keeps the run like all others', async () => {
    const rounds = await run(optionsIn('whole'));
    expect(rounds.map(({ round }) => round)).toEqual([0, 1, 2]);
    for (const { update } of rounds.slice(1)) {
      expect(update).toMatchObject({ groups: 4, attempts: 16, unverified: 0, unmatched: 0, sharedSteps: 0 });
      expect(update?.updated).toBe(true);
      // The policy that is trained is the one that sampled: recorded and recomputed log probabilities agree.
      expect(update?.drift).toBeLessThan(1e-9);
      expect((update?.credited ?? 0) + Object.values(update?.leftOut ?? {}).reduce((a, b) => a + b, 0)).toBe(4);
    }
    const students = [0, 1, 2].map(round => readFileSync(studentPath(join(folder, 'whole'), round), 'utf8'));
    expect(new Set(students).size).toBe(3);
    const exported = await exportRun({ folder: join(folder, 'whole'), host, formats: ['jsonl'], keep: 'all' });
    expect(exported).toBeDefined();
  });

  it('[RL-5] a run that was stopped in any place goes on to the same students and episodes', async () => {
    for (const after of [1, 9, 17, 30]) {
      const stop = new AbortController();
      let ended = 0;
      const onProgress = (): void => void (++ended === after && stop.abort());
      await run(optionsIn('stopped', { signal: stop.signal, onProgress }));
      expect(ended).toBeLessThan(33);
    }
    const rounds = await run(optionsIn('stopped'));
    expect(rounds).toHaveLength(3);
    expect(left('stopped')).toEqual(left('whole'));
  });

  it('[RL-5] refuses other options, and a first student whose file was changed', async () => {
    await expect(run(optionsIn('whole', { group: 5 }))).rejects.toThrow(/group was 4, is 5/);
    const copy = join(folder, 'copy.json');
    writeFileSync(copy, readFileSync(studentPath(join(folder, 'whole'), 1)));
    await expect(run(optionsIn('whole', { student: copy }))).rejects.toThrow(/not the one that the run began with/);
    await expect(run(optionsIn('demo'))).rejects.toThrow(/holds a run that is no run of espalier rl/);
  });

  it('[RL-4] groups by fork share prefixes, and a shared step counts once', async () => {
    const [, first] = await run(optionsIn('forks', { groups: 'fork', estimator: 'gigpo', rounds: 1 }));
    const update = first?.update;
    expect(update).toMatchObject({ groups: 4, attempts: 16, updated: true, unmatched: 0 });
    expect(update?.sharedSteps).toBeGreaterThan(4);
    expect(update?.experiences).toBeLessThanOrEqual(update?.steps ?? 0);
  });

  it('[RL-6] without any advantage the student stays as it was, and the round says why', async () => {
    // The untrained student never finds the way in two steps.
    const draft = { ...optionsIn('').draft, limits: { steps: 1 } };
    const [, first] = await run(optionsIn('equal', { student: 'untrained', draft, rounds: 1 }));
    expect(first?.update).toMatchObject({ credited: 0, updated: false, leftOut: { 'equal-rewards': 4 }, kl: null });
    const [before, after] = [0, 1].map(round => readFileSync(studentPath(join(folder, 'equal'), round), 'utf8'));
    expect(after).toBe(before);
  });

  it.each([
    [{ group: 1 }, /group of 1/],
    [{ draft: { ...optionsIn('').draft, templates: ['forward-message'] } }, /forward-message is held out \(test\)/],
    [{ student: 'planner' }, /planner: espalier rl cannot train it/],
    [{ student: 'openai:m@http://127.0.0.1:1/v1' }, /model: espalier rl cannot train it/],
    [{ student: './nowhere.json' }, /nowhere\.json cannot be read/],
    [{ estimator: 'gipgo' }, /gipgo/],
    [{ estimator: 'skill-r1' }, /compares rounds of one task/],
  ] as const)('[RL-6] refuses %j', async (changes, message) => {
    await expect(run(optionsIn(`refused-${Object.values(changes).join().length}`, changes))).rejects.toThrow(message);
  });
});
