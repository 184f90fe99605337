import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foldEpisode } from '../../core/episode/record.ts';
import { writeReport } from '../../analysis/report/write-report.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { studentContender } from '../jobs/contender.ts';
import { openForkWorlds } from '../annotations/fork-worlds.ts';
import { collectRun } from '../collect.ts';
import { readConfig } from '../config/config.ts';
import { evaluateRun, type EvaluateRunOptions } from '../evaluate.ts';
import { openRun } from '../folder/folder.ts';
import { readReport } from '../report.ts';
import { runRl } from '../rl/rl.ts';

const host = createSystemHost({ workers: 0 });
const folder = mkdtempSync(join(tmpdir(), 'espalier-contracts-'));
const contracts = join(folder, 'rules.mjs');
const noClick = (mediation: string): string => `export const contracts = [
  { id: 'no-click', about: 'Nothing is clicked.', mediation: '${mediation}', holds: ({ action }) => action.kind !== 'click' },
  { id: 'no-wait', about: 'Nobody waits.', mediation: 'log', holds: ({ action }) => action.kind !== 'wait' },
];\n`;
writeFileSync(contracts, noClick('log'));
afterAll(() => rmSync(folder, { recursive: true }));

const learning = {
  temperature: 1,
  rate: 0.3,
  epochs: 1,
  batch: 64,
  longest: 1,
  clipLow: 0.2,
  clipHigh: 0.2,
  kl: 0,
  entropy: 0,
};

const trained = join(folder, 'trained');
const limits = { steps: 4 };

async function train(): Promise<void> {
  const draft = { run: 'rl', environments: ['mail'], templates: ['star-message'], limits, seed: 1, contracts };
  const made = runRl({
    folder: trained,
    draft,
    student: 'untrained',
    estimator: 'gigpo',
    rounds: 1,
    group: 2,
    groups: 'start',
    instances: 1,
    learning,
    evaluateEvery: 1,
    evaluationInstances: 1,
    baselines: false,
    host,
    signal: new AbortController().signal,
  });
  await Array.fromAsync(made);
}

async function evaluateIn(out: string, changes: Partial<EvaluateRunOptions> = {}) {
  return evaluateRun({
    environments: ['mail'],
    folder: out,
    subject: await studentContender('untrained'),
    instances: 1,
    trials: 1,
    tasks: ['mail/star-message/1000001'],
    levels: ['new-instances'],
    baselines: false,
    seed: 1,
    concurrency: 1,
    browser: null,
    host,
    contracts,
    ...changes,
  });
}

const reportOf = (run: string) => readReport({ folder: run, command: '', machine: '', version: '' });

describe('contracts in evaluations and reinforcement learning', () => {
  it('[SIG-32] rl holds contracts while it collects and evaluates, and the report says how they were kept', async () => {
    await train();
    const report = reportOf(trained);
    const found = report.contracts.map(({ phase, round, episodes }) => [phase, round, episodes]);
    expect(found).toContainEqual(['collect', 1, 2]);
    expect(found.map(([phase, round]) => `${phase} ${round}`)).toEqual(
      expect.arrayContaining(['evaluate 0', 'evaluate 1']),
    );
    for (const { episodes, kept, low, high, isEnough, contracts: rules } of report.contracts) {
      expect(kept).toBeLessThanOrEqual(episodes);
      expect(low).toBeLessThanOrEqual(kept / episodes);
      expect(high).toBeGreaterThanOrEqual(kept / episodes);
      expect(isEnough).toBe(low >= 0.95);
      expect(rules.map(({ id }) => id)).toEqual(['no-click', 'no-wait']);
      expect(rules[1]).toMatchObject({ broken: 0, stopped: 0, episodes: 0 });
    }
    const [clicks] = report.contracts.find(({ phase }) => phase === 'collect')?.contracts ?? [];
    expect(clicks?.broken).toBe(countClicks(trained));
    expect(clicks?.stopped).toBe(0);
    expect(writeReport(report)).toContain('no-click');
  });

  it('[SIG-32] forks play an episode again under the contracts that it was held to', async () => {
    const out = join(folder, 'mixed');
    const blocking = join(folder, 'blocking.mjs');
    writeFileSync(blocking, noClick('block'));
    const config = { run: 'mixed', environments: ['mail'], templates: ['star-message'], instances: 1, limits };
    await collectRun({
      config: readConfig({ ...config, strategy: { kind: 'linear' } }, 'The test'),
      folder: out,
      host,
    });
    await evaluateIn(out, { contracts: blocking });
    const worlds = await openForkWorlds({ folder: out, host, forks: true });
    const store = openRun(out);
    try {
      for (const record of [...store.episodes()].map(foldEpisode)) {
        // Clicks changed something while nothing was held, and nothing in the evaluation.
        const world = worlds?.open(record);
        for (const { id } of record.tree.path(record.end.leaf)) expect(() => world?.at(id)).not.toThrow();
      }
    } finally {
      store.close();
      await worlds?.close();
    }
  });

  it('[SIG-32] eval holds contracts, and refuses others in the same folder and a module that was changed', async () => {
    const out = join(folder, 'evaluated');
    await evaluateIn(out);
    expect(reportOf(out).contracts).toMatchObject([{ phase: 'evaluate', student: 'untrained', episodes: 1 }]);
    await expect(evaluateIn(out, { contracts: null })).rejects.toThrow(/evaluated with .*rules\.mjs, .* now without/);
    writeFileSync(contracts, noClick('block'));
    await expect(evaluateIn(out)).rejects.toThrow(/rules\.mjs has changed/);
    const plain = join(folder, 'plain');
    await evaluateIn(plain, { contracts: null });
    expect(reportOf(plain).contracts).toEqual([]);
    await expect(evaluateIn(plain)).rejects.toThrow(/evaluated without contracts/);
  });
});

function countClicks(run: string): number {
  const store = openRun(run);
  try {
    const steps = [...store.episodes({ phase: 'collect' })].flatMap(({ events }) =>
      events.filter(event => event.kind === 'step'),
    );
    return steps.filter(({ node }) => node.action.kind === 'click').length;
  } finally {
    store.close();
  }
}
