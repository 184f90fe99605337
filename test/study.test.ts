import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foldEpisode, leavesOf } from '../src/core/episode/record.ts';
import { standingCorrections } from '../src/dataset/rows/proven.ts';
import { readExamples } from '../src/dataset/read-rows.ts';
import { allConfigs, openRun, runPaths } from '../src/runs/folder/folder.ts';
import { runLoop, type LoopRound } from '../src/runs/loop.ts';
import { strategyOf, type LoopChoices } from '../src/runs/loop-choices.ts';
import { trainFromExport } from '../src/runs/train.ts';
import { createSystemHost } from '../src/system/workers/host.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-study-'));

afterAll(() => rmSync(folder, { recursive: true }));

async function loopOf(
  name: string,
  choices: LoopChoices,
  more: { rounds?: number; students?: number; unseen?: string[] } = {},
) {
  const { keep, bins, misses, imitate = false } = choices;
  const rounds: LoopRound[] = [];
  const made = runLoop({
    folder: join(folder, name),
    draft: {
      run: name,
      environments: ['mail'],
      templates: ['star-message', 'contact-phone'],
      ...strategyOf(choices),
    },
    rounds: 1,
    instances: [6],
    imitate,
    ...(keep === undefined ? {} : { keep }),
    bins,
    misses,
    evaluationInstances: 1,
    baselines: false,
    host: createSystemHost({ workers: 0 }),
    signal: new AbortController().signal,
    ...more,
  });
  for await (const round of made) rounds.push(round);
  return rounds;
}

/** Steps on the way to ends that passed, and corrections that stand: what the queries of an arm bought. */
function rowsPaidFor(name: string): number {
  const store = openRun(join(folder, name));
  const steps = new Set<string>();
  for (const stored of store.episodes({ phase: 'collect' })) {
    const record = foldEpisode(stored);
    const passed = leavesOf(record).filter(({ verdict }) => verdict?.pass === true);
    for (const { id } of passed.flatMap(({ node }) => record.tree.path(node))) steps.add(`${record.head.key} ${id}`);
    for (const { node } of standingCorrections(record)) steps.add(`${record.head.key} ${node}`);
  }
  store.close();
  return steps.size;
}

describe('arms of a study', () => {
  const skipping = { teacherStrict: true, skipSure: 0.3, misses: 0.05 } as const;
  const arms: readonly { readonly id: string; readonly choices: LoopChoices }[] = [
    { id: 'adaptive', choices: { speculate: 'adaptive', goOn: 0.3, ...skipping } },
    { id: 'src-3', choices: { speculate: 3, ...skipping } },
    { id: 'k-1', choices: { speculate: 1, ...skipping } },
    { id: 'k-inf', choices: { speculate: 'inf', ...skipping } },
    { id: 'errors', choices: { speculate: 'adaptive', goOn: 0.3, ...skipping, teacherErrors: 0.1 } },
    { id: 'imitation', choices: { imitate: true } },
  ];

  it.each(arms)(
    '[DEMO-6] $id trains on everything that it paid for',
    async ({ id, choices }) => {
      const [round] = await loopOf(id, choices);
      expect(round?.trained.rows).toBe(rowsPaidFor(id));
    },
    60_000,
  );

  it('[DEMO-6] a loop that keeps the archive trains on what its bound leaves', async () => {
    const [round] = await loopOf('archive', { imitate: true, keep: 'archive', bins: 'template' });
    expect(round?.trained.rows).toBeLessThan(rowsPaidFor('archive'));
  });

  it('[RUN-44] training on some tasks reads their rows alone', async () => {
    await loopOf('some', { imitate: true });
    const rows = [...readExamples(runPaths(join(folder, 'some')).export)];
    const tasks = [...new Set(rows.flatMap(({ task }) => task ?? []))].slice(0, 2);
    const own = rows.filter(({ task }) => tasks.includes(task ?? ''));
    const train = (ids: readonly string[]) =>
      trainFromExport({ folders: [join(folder, 'some')], tasks: ids, seed: 1, host: createSystemHost() });
    expect(train(tasks).rows).toBe(new Set(own.map(({ episode, node }) => `${episode} ${node}`)).size);
    expect(() => train(['mail/star-message/999999'])).toThrow('nothing to learn from of the 1 task given');
  }, 60_000);

  it('[RUN-45] evaluates on environments that are never collected on, as a level of their own', async () => {
    const [round] = await loopOf('unseen', { imitate: true }, { unseen: ['synth:900001'] });
    const { newInstances, heldOut, unseenApps, trials } = round?.evaluation ?? {};
    const apps = new Set(trials?.filter(({ level }) => level === 'unseen-app').map(({ app }) => app));
    expect(apps).toEqual(new Set(['synth-900001']));
    expect(unseenApps?.overall.n).toBeGreaterThan(5);
    const known = (newInstances?.overall.n ?? 0) + (heldOut?.overall.n ?? 0);
    expect(known + (unseenApps?.overall.n ?? 0)).toBe(trials?.length);
    expect(newInstances?.apps.map(({ app }) => app)).toEqual(['mail']);
  }, 60_000);

  it('[DEMO-7] evaluates students of several training seeds after the last round, and sets thresholds by round', async () => {
    const choices: LoopChoices = { speculate: 'adaptive', skipSure: 0, misses: 0 };
    const rounds = await loopOf('seeds', choices, { rounds: 2, students: 2 });
    const trials = rounds.map(({ evaluation }) => evaluation.trials.map(({ seed }) => seed));
    expect(new Set(trials[0])).toEqual(new Set(['1']));
    expect(new Set(trials[1])).toEqual(new Set(['1', '2']));
    expect(trials[1]?.length).toBe(2 * (trials[0]?.length ?? 0));
    const thresholds = allConfigs(join(folder, 'seeds')).map(
      ({ strategy }) => 'skipSure' in strategy && strategy.skipSure,
    );
    expect(thresholds).toHaveLength(2);
    expect(thresholds.every(threshold => typeof threshold === 'number')).toBe(true);
  }, 60_000);
});
