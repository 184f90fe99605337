import { join } from 'node:path';
import { estimateText } from '../../analysis/estimate.ts';
import type { Evaluation } from '../../analysis/evaluate.ts';
import { count } from '../../core/text.ts';
import { absoluteName } from '../../runs/environments/names.ts';
import { runNameOf } from '../../runs/folder/folder.ts';
import { studentPath } from '../../runs/loop.ts';
import type { RlOptions } from '../../runs/rl/options.ts';
import { runRl, type RlRound } from '../../runs/rl/rl.ts';
import { readTrackers, trackRounds } from '../../runs/rl/track/track.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { readNamedValues } from '../flags/named-values.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import type { SettingFlags } from '../settings/given-settings.ts';
import { learningOf } from '../settings/learning-flags.ts';
import { rlSettings } from './learning-settings.ts';
import { withFleet, type FleetFlags } from '../fleet/with-fleet.ts';
import { createProgress } from '../terminal/progress.ts';
import { stoppable } from '../terminal/stop.ts';

export interface RlRequest extends SettingFlags, FleetFlags {
  readonly environments: readonly string[];
  readonly student: string;
  readonly out: string;
  readonly estimator: string;
  readonly estimatorOption?: readonly string[];
  readonly rounds: number;
  readonly steps?: number;
  readonly group: number;
  readonly groups: 'start' | 'fork';
  readonly instances: number;
  readonly templates?: readonly string[];
  readonly evalEvery: number;
  readonly evalInstances: number;
  readonly unseen?: readonly string[];
  readonly baselines: boolean;
  readonly seed: number;
  readonly workers?: number;
  /** Trackers of others that the curves are written for. */
  readonly track?: readonly string[];
  readonly json?: boolean;
}

/** Improves a student round after round. */
export async function rl(output: Output, request: RlRequest): Promise<ExitCode> {
  const { json = false } = request;
  const host = withFleet(createSystemHost(request), request, output);
  const options = optionsOf(request, output.note);
  const meters = new Map<string, ReturnType<typeof createProgress>>();
  const track = {
    folder: request.out,
    name: runNameOf(request.out),
    params: paramsOf(request),
    trackers: readTrackers(request.track ?? []),
  };
  const rounds: RlRound[] = [];
  await stoppable(output, async ({ signal }) => {
    const made = runRl({
      ...options,
      host,
      signal,
      onProgress(what, meter) {
        const known = meters.get(what) ?? createProgress(output, host.clock, what);
        meters.set(what, known);
        known(meter);
      },
    });
    for await (const round of made) {
      rounds.push(round);
      trackRounds({ ...track, rounds });
      output.progress('');
      if (json) output.json(lineOf(round));
      else tell(output, round);
    }
  });
  output.progress('');
  return conclude(output, request, rounds.at(-1) ?? null);
}

function paramsOf({
  environments,
  estimator,
  groups,
  group,
  instances,
  seed,
  student,
}: RlRequest): Readonly<Record<string, string>> {
  const told = { environments: environments.join(' '), estimator, groups, group, instances, seed, student };
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, String(value)]));
}

function conclude(
  output: Output,
  { out, rounds, steps = Infinity, json = false }: RlRequest,
  last: RlRound | null,
): ExitCode {
  const done = last?.round ?? 0;
  if (last === null || (done < rounds && last.totalSteps < steps)) {
    output.note(`stopped after ${count(done, 'round')} of ${rounds}; the same command goes on.`);
    return 1;
  }
  if (json) return 0;
  output.line();
  output.line(
    output.paint.dim(
      `The student is ${studentPath(out, done)}, the curves are ${join(out, 'curves.svg')}. Next: espalier report ${out}`,
    ),
  );
  return 0;
}

function optionsOf(request: RlRequest, note: (text: string) => void): Omit<RlOptions, 'host' | 'signal'> {
  const { out, environments, templates, student, estimator, rounds, steps, group, groups, instances, seed } = request;
  const { unseen = [], baselines } = request;
  const { contracts, ...learning } = rlSettings(request, note);
  return {
    folder: out,
    draft: {
      run: runNameOf(out),
      environments: environments.map(absoluteName),
      ...(templates === undefined ? {} : { templates: [...templates] }),
      ...(contracts === undefined ? {} : { contracts: absoluteName(contracts) }),
      seed,
    },
    student,
    estimator,
    estimatorOptions: readNamedValues(request.estimatorOption ?? [], 'an estimator'),
    rounds,
    steps,
    group,
    groups,
    instances,
    learning: learningOf(learning),
    evaluateEvery: request.evalEvery,
    evaluationInstances: request.evalInstances,
    ...(unseen.length === 0 ? {} : { unseen: unseen.map(absoluteName) }),
    baselines,
  };
}

const rate = (level: Evaluation['newInstances']): string | null =>
  level === null ? null : estimateText(level.overall);

function lineOf({ round, update, totalSteps, totalAttempts, evaluation }: RlRound): object {
  return {
    round,
    ...update,
    totalSteps,
    totalAttempts,
    newInstances: evaluation === null ? null : rate(evaluation.newInstances),
    heldOut: evaluation === null ? null : rate(evaluation.heldOut),
    unseenApps: evaluation === null ? null : rate(evaluation.unseenApps),
  };
}

function tell(output: Output, { round, update, evaluation }: RlRound): void {
  const parts = [`round ${round}`];
  if (update !== null) {
    const { passed, attempts, unverified, groups, credited, kl, entropy, steps, collectSeconds } = update;
    parts.push(
      `${Math.round((100 * passed) / Math.max(1, attempts))} % of ${count(attempts, 'attempt')} passed`,
      ...(unverified === 0 ? [] : [`${count(unverified, 'attempt')} without a verdict`]),
      `${credited} of ${count(groups, 'group')} credited`,
      ...(update.updated ? [] : [`no update: ${reasonsOf(update.leftOut)}`]),
      ...(kl === null ? [] : [`KL ${kl.toFixed(3)}`]),
      ...(entropy === null ? [] : [`entropy ${entropy.toFixed(2)}`]),
      `${count(steps, 'step')}, ${Math.round(steps / Math.max(collectSeconds, 1e-3)).toLocaleString('en')} a second`,
    );
  }
  const levels = [
    ['new instances', evaluation?.newInstances],
    ['held-out templates', evaluation?.heldOut],
    ['unseen apps', evaluation?.unseenApps],
  ] as const;
  for (const [name, level] of levels) if (level !== undefined && level !== null) parts.push(`${name} ${rate(level)}`);
  output.line(parts.join(' · '));
}

/** `12 groups with equal-rewards`. */
function reasonsOf(leftOut: Readonly<Record<string, number>>): string {
  const told = Object.entries(leftOut).map(([reason, number]) => `${count(number, 'group')} with ${reason}`);
  return told.length === 0 ? 'no groups' : told.join(', ');
}
