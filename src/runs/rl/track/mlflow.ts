import { hash } from 'node:crypto';
import type { TrackedRound } from './round-metrics.ts';

export interface MlflowRun {
  /** Name of the run. */
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  readonly rounds: readonly TrackedRound[];
  /** The drawing of the curves: MLflow takes no run without a folder of artifacts. */
  readonly curves: string;
}

const experiment = '1';

/** The files of MLflow's file store, by their paths below `mlruns`. Times are milliseconds of training. */
export function mlflowFiles({ name, params, rounds, curves }: MlflowRun): ReadonlyMap<string, string> {
  const run = hash('sha256', name).slice(0, 32);
  const folder = `${experiment}/${run}`;
  const end = Math.round(1000 * (rounds.at(-1)?.seconds ?? 0));
  const names = [...new Set(rounds.flatMap(({ metrics }) => Object.keys(metrics)))];
  return new Map([
    [`${experiment}/meta.yaml`, yaml({ ...experimentMeta, experiment_id: `'${experiment}'`, name: 'espalier rl' })],
    [`${folder}/meta.yaml`, yaml(runMeta(run, name, end))],
    [`${folder}/tags/mlflow.runName`, name],
    [`${folder}/artifacts/curves.svg`, curves],
    ...Object.entries(params).map(([param, value]) => [`${folder}/params/${param}`, value] as const),
    ...names.map(metric => [`${folder}/metrics/${metric}`, metricLines(metric, rounds)] as const),
  ]);
}

const experimentMeta = { artifact_location: '', creation_time: 0, last_update_time: 0, lifecycle_stage: 'active' };

function runMeta(run: string, name: string, end: number): Readonly<Record<string, string | number>> {
  return {
    artifact_uri: '',
    end_time: end,
    entry_point_name: "''",
    experiment_id: `'${experiment}'`,
    lifecycle_stage: 'active',
    run_id: run,
    run_name: JSON.stringify(name),
    run_uuid: run,
    source_name: "''",
    source_type: 4,
    source_version: "''",
    start_time: 0,
    status: 3,
    tags: '[]',
    user_id: "''",
  };
}

/** `milliseconds value step`, a line a round. */
function metricLines(metric: string, rounds: readonly TrackedRound[]): string {
  return rounds
    .flatMap(({ round, seconds, metrics }) => {
      const value = metrics[metric];
      return value === undefined ? [] : [`${Math.round(1000 * seconds)} ${value} ${round}\n`];
    })
    .join('');
}

function yaml(members: Readonly<Record<string, string | number>>): string {
  return Object.entries(members)
    .map(([key, value]) => `${key}: ${value === '' ? "''" : value}\n`)
    .join('');
}
