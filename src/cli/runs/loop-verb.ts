import { estimateText } from '../../analysis/estimate.ts';
import { environments as builtIn } from '../../catalog.ts';
import { count } from '../../core/text.ts';
import { type ExitCode, type Output } from '../terminal/output.ts';
import { runNameOf } from '../../runs/folder/folder.ts';
import { createProgress, durationText } from '../terminal/progress.ts';
import { stoppable } from '../terminal/stop.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { runLoop, studentPath, type LoopOptions, type LoopRound } from '../../runs/loop.ts';
import { strategyOf, type LoopChoices } from '../../runs/loop-choices.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { modelFlagsOf, type ModelFlags } from '../flags/model-flags.ts';
import { changesOf } from './flags.ts';
import { said } from '../terminal/verb.ts';

export interface LoopRequest extends LoopChoices, ModelFlags {
  readonly environments: readonly string[];
  readonly out: string;
  readonly rounds: number;
  readonly instances: readonly number[];
  readonly evaluationInstances: number;
  readonly student?: string;
  readonly temperature?: number;
  readonly teacher?: string;
  readonly seed: number;
  /** Exported rows that all students learn from as well. */
  readonly start?: string;
  /** Environments to evaluate on as well. */
  readonly unseen?: readonly string[];
  readonly baselines: boolean;
  /** Students trained after the last round, each with a seed of its own. */
  readonly students: number;
  readonly workers?: number;
  readonly json?: boolean;
}

/** Collects, exports, trains and evaluates, round after round. */
export async function loop(output: Output, request: LoopRequest): Promise<ExitCode> {
  const { environments, out, rounds, instances, evaluationInstances, imitate = false, json = false } = request;
  const { keep = 'all', bins, misses, baselines, students, unseen = [], start } = request;
  const host = createSystemHost(request);
  const meters = new Map<string, ReturnType<typeof createProgress>>();
  const meterOf = (what: string): ReturnType<typeof createProgress> => {
    const known = meters.get(what) ?? createProgress(output, host.clock, what);
    meters.set(what, known);
    return known;
  };
  let done = 0;
  await stoppable(output, async controller => {
    const made = runLoop({
      folder: out,
      ...readAgents(request, environments.length === 0 ? builtIn.map(({ id }) => id) : environments),
      rounds,
      instances,
      imitate,
      keep,
      bins,
      misses,
      students,
      start,
      ...(unseen.length === 0 ? {} : { unseen }),
      evaluationInstances,
      baselines,
      host,
      signal: controller.signal,
      onProgress: (what, meter) => meterOf(what)(meter),
      onExhausted: output.note,
    });
    for await (const round of made) {
      done++;
      output.progress('');
      const line = lineOf(round, imitate);
      if (json) output.json(line);
      else tell(output, line);
    }
  });
  output.progress('');
  if (done < rounds) {
    output.note(`stopped after ${count(done, 'round')} of ${rounds}; the same command goes on.`);
    return 1;
  }
  if (!json) {
    output.line();
    output.line(output.paint.dim(`The student is ${studentPath(out, rounds)}. Next: espalier report ${out}`));
  }
  return 0;
}

/** The config that all rounds share, and who acts in them. */
function readAgents(request: LoopRequest, environments: readonly string[]): Pick<LoopOptions, 'draft' | 'student'> {
  const { out, seed, imitate = false, student, teacher, temperature } = request;
  const changes = changesOf(null, { ...said({ student, teacher, temperature }), ...modelFlagsOf(request) });
  const run = { run: runNameOf(out), environments: [...environments], seed };
  const { spending } = changes;
  const bounded = Object.keys(spending as object).length === 0 ? {} : { spending: spending as object };
  const chosen = strategyOf(request);
  if (imitate) return { draft: { ...run, ...chosen } };
  if (request.goOn !== undefined && request.speculate !== 'adaptive') throw noGoOn();
  const isPlanner = teacher === undefined || teacher === 'planner';
  if (!isPlanner && (request.teacherErrors !== undefined || request.teacherStrict === true)) throw noErrors(teacher);
  return {
    draft: { ...run, ...chosen, ...(isPlanner ? {} : { teacher: changes.teacher as { kind: 'planner' } }), ...bounded },
    ...(student === undefined ? {} : { student: changes.student as { kind: 'untrained' } }),
  };
}

function noGoOn(): EspalierError {
  return invalidOption(
    '--go-on has no effect without --speculate adaptive.',
    'Expected --speculate adaptive beside it, or leave --go-on out.',
  );
}

function noErrors(teacher: string): EspalierError {
  return invalidOption(
    `--teacher-errors and --teacher-strict are settings of the planner, and the teacher is ${teacher}.`,
    'Leave them out, or choose --teacher planner.',
  );
}

/** A round as JSON. */
export interface LoopLine {
  readonly round: number;
  readonly newInstances: string;
  readonly heldOut: string;
  /** Of environments that were never collected on. */
  readonly unseenApps: string;
  /** Questions to the teacher in this round: reviews, corrections and demonstrated steps. */
  readonly queries: number;
  readonly corrections: number;
  /** Steps that the teacher was shown or took itself, and reviews that were left out. */
  readonly shown: number;
  readonly skipped: number;
  readonly rows: number;
  readonly fit: number;
  readonly seconds: number;
}

function lineOf({ round, collected, trained, evaluation, seconds }: LoopRound, imitate: boolean): LoopLine {
  const { newInstances, heldOut, unseenApps } = evaluation;
  const rate = (level: typeof newInstances): string => (level === null ? '–' : estimateText(level.overall));
  const sum = (pick: (totals: LoopRound['collected']['environments'][number]) => number): number =>
    collected.environments.reduce((total, totals) => total + pick(totals), 0);
  return {
    round,
    newInstances: rate(newInstances),
    heldOut: rate(heldOut),
    unseenApps: rate(unseenApps),
    queries: sum(({ reviews, corrections, steps }) => (imitate ? steps : reviews + corrections)),
    corrections: sum(({ corrections }) => corrections),
    shown: sum(({ shown, steps }) => (imitate ? steps : shown)),
    skipped: sum(({ skipped }) => skipped),
    rows: trained.rows,
    fit: trained.fit,
    seconds,
  };
}

function tell(output: Output, line: LoopLine): void {
  const { round, newInstances, heldOut, unseenApps, queries, corrections, shown, rows, seconds } = line;
  const asked = `${count(queries, 'query', 'queries')} to the teacher`;
  const parts = [
    `round ${round}`,
    `new instances ${newInstances}`,
    `held-out templates ${heldOut}`,
    ...(unseenApps === '–' ? [] : [`unseen apps ${unseenApps}`]),
    `${asked}, ${count(corrections, 'correction')}, ${count(shown, 'step')} shown`,
    count(rows, 'row'),
    durationText(seconds),
  ];
  output.line(parts.join(' · '));
}
