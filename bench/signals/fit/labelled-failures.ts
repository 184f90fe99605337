import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { featuresOf } from '../../../src/analysis/signals/diagnosis/step-features.ts';
import { signsOf } from '../../../src/analysis/signals/diagnosis/signs.ts';
import { createForkWorld } from '../../../src/analysis/signals/fork-world.ts';
import { localise } from '../../../src/analysis/signals/localise.ts';
import { createTrace } from '../../../src/analysis/signals/trace.ts';
import { environments } from '../../../src/catalog.ts';
import type { StateEnvironment } from '../../../src/core/contracts.ts';
import { foldEpisode, type EpisodeRecord } from '../../../src/core/episode/record.ts';
import { createRandom } from '../../../src/core/random.ts';
import { collectRun } from '../../../src/runs/collect.ts';
import { readConfig } from '../../../src/runs/config/config.ts';
import { exportRun } from '../../../src/runs/export.ts';
import { openRun } from '../../../src/runs/folder/folder.ts';
import { trainFromExport } from '../../../src/runs/train.ts';
import { createSystemHost } from '../../../src/system/workers/host.ts';
import { injectErrors } from '../inject.ts';
import { createBenchPlanner, passingRuns } from '../passing-runs.ts';
import { expertRuns, fittedWorlds } from '../planted/experts.ts';
import { plantErrors } from '../planted/plant.ts';
import type { LabelledFailure } from './fit-hazard.ts';

type News = (text: string) => void;

/** Planted errors: the modes of AEGIS in the built-in apps, and the kinds of the planted bench in worlds and tasks that it does not use. */
export async function plantedFailures(progress: News): Promise<readonly LabelledFailure[]> {
  const failures: LabelledFailure[] = [];
  for await (const run of passingRuns(progress)) {
    if (run.source !== 'own') break;
    if (run.task.seed !== 700) continue;
    // A refused step that is tried again is wrong the first time, too.
    for (const { stored, step, mode } of injectErrors(run, createRandom(run.task.id)))
      if (mode !== 'FM-2.5')
        failures.push(labelled(foldEpisode(stored), { kind: 'planted', error: mode, truth: step - 1 }));
  }
  for await (const run of expertRuns(fittedWorlds)) {
    progress(`planting errors: ${run.source} ${run.task.template} …`);
    for (const { stored, step, kind } of plantErrors(run, createRandom(`${run.task.id}${run.source}`)))
      failures.push(labelled(foldEpisode(stored), { kind: 'planted', error: kind, truth: step - 1 }));
  }
  return failures;
}

/** Failures of two learned students in training templates. Forks tell the first wrong step of each. */
export async function studentFailures(progress: News): Promise<readonly LabelledFailure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-fit-'));
  try {
    const worlds = new Map<string, StateEnvironment>();
    for (const { id, load } of environments) worlds.set(id, await load());
    const names = [...worlds].flatMap(([app, { templates }]) =>
      templates.filter(({ split }) => split === 'train').map(({ id }) => `${app}/${id}`),
    );
    const failures: LabelledFailure[] = [];
    // One has seen every template, the other every second one.
    for (const [seed, shown] of [names, names.filter((_, index) => index % 2 === 0)].entries()) {
      progress(`collecting failures of student ${seed + 1} of 2 …`);
      const out = join(folder, String(seed));
      const student = await trainStudent(`${out}-shown`, shown);
      await collect(out, { templates: names, student: { kind: 'learned', file: student, temperature: 1 } });
      failures.push(...judgedByForks(out, worlds, progress));
    }
    return failures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function trainStudent(out: string, templates: readonly string[]): Promise<string> {
  await collect(out, { templates, student: { kind: 'planner' } });
  const host = createSystemHost();
  await exportRun({ folder: out, host, formats: ['jsonl'], keep: 'all' });
  const file = join(out, 'student.json');
  trainFromExport({ folders: [out], seed: 1, host, out: file });
  return file;
}

async function collect(out: string, choices: object): Promise<void> {
  const draft = { run: 'fit', environments: environments.map(({ id }) => id), instances: 1, ...choices };
  const config = readConfig({ ...draft, strategy: { kind: 'linear' } }, 'The fit');
  await collectRun({ config, folder: out, host: createSystemHost() });
}

function judgedByForks(
  out: string,
  worlds: ReadonlyMap<string, StateEnvironment>,
  progress: News,
): readonly LabelledFailure[] {
  const source = openRun(out);
  try {
    const failed = [...source.episodes({ phase: 'collect', outcome: 'failed' })].map(foldEpisode);
    return failed.flatMap((record, index) => {
      progress(`finding first wrong steps by forks: ${index + 1} of ${failed.length} …`);
      const environment = worlds.get(record.head.task.environment) as StateEnvironment;
      const found = localise(record, createForkWorld({ record, environment, planner: createBenchPlanner() }));
      // A guess from the record, where forks find nothing, is no truth.
      if (found === null || found.node === null || found.by !== 'forks') return [];
      const place = createTrace(record).main.findIndex(({ id }) => id === found.node);
      return place < 0 ? [] : [labelled(record, { kind: 'student', error: 'student', truth: place })];
    });
  } finally {
    source.close();
  }
}

function labelled(record: EpisodeRecord, label: Pick<LabelledFailure, 'kind' | 'error' | 'truth'>): LabelledFailure {
  const { environment, template } = record.head.task;
  const trace = createTrace(record);
  const rows = featuresOf({ episode: record, trace, signs: signsOf(record, trace) });
  return { ...label, template: `${environment}/${template}`, rows };
}
