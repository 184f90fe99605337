import { estimateText } from '../../analysis/estimate.ts';
import { environments as builtIn } from '../../catalog.ts';
import { defined } from '../../core/json.ts';
import { count } from '../../core/text.ts';
import { type ExitCode, type Output } from '../terminal/output.ts';
import { runNameOf } from '../../runs/folder/folder.ts';
import { withFleet, type FleetFlags } from '../fleet/with-fleet.ts';
import { createProgress, durationText } from '../terminal/progress.ts';
import { stoppable } from '../terminal/stop.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { runLoop, studentPath, type LoopOptions, type LoopRound } from '../../runs/loop.ts';
import { strategyOf, type LoopChoices } from '../../runs/loop-choices.ts';
import { studentNamed, teacherNamed } from '../../runs/config/named-agents.ts';
import { requireEffect } from '../flags/strategy-flags.ts';
import { settingsGiven, settingsInFile, type SettingFlags } from '../settings/given-settings.ts';
import { assign } from '../settings/setting.ts';
import { settingsOf } from '../settings/verb-settings.ts';
import { requireModel } from './flags.ts';

export interface LoopRequest extends SettingFlags, FleetFlags, Pick<LoopChoices, 'imitate' | 'keep'> {
  readonly environments: readonly string[];
  readonly out: string;
  readonly rounds: number;
  readonly instances: readonly number[];
  readonly evaluationInstances: number;
  readonly student?: string;
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
  const { keep = 'all', baselines, students, unseen = [], start } = request;
  const host = withFleet(createSystemHost(request), request, output);
  const meters = new Map<string, ReturnType<typeof createProgress>>();
  const meterOf = (what: string): ReturnType<typeof createProgress> => {
    const known = meters.get(what) ?? createProgress(output, host.clock, what);
    meters.set(what, known);
    return known;
  };
  const named = environments.length === 0 ? builtIn.map(({ id }) => id) : environments;
  const agents = readAgents(request, named, output.note);
  let done = 0;
  await stoppable(output, async controller => {
    const made = runLoop({
      folder: out,
      ...agents,
      rounds,
      instances,
      imitate,
      keep,
      students,
      start,
      ...(unseen.length === 0 ? {} : { unseen }),
      evaluationInstances,
      baselines,
      host,
      signal: controller.signal,
      onProgress: (what, meter) => meterOf(what)(meter),
      onAdapting: rows => output.progress(`adapting small: ${count(rows, 'row')} read`),
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
    const prefix = agents.student?.kind === 'small' ? 'small:' : '';
    output.line(output.paint.dim(`The student is ${prefix}${studentPath(out, rounds)}. Next: espalier report ${out}`));
  }
  return 0;
}

type LoopAgents = Pick<LoopOptions, 'draft' | 'student' | 'misses' | 'bins' | 'focus'>;

/** The config that all rounds share, who acts in them, and how the loop trains. */
function readAgents(request: LoopRequest, environments: readonly string[], note: (text: string) => void): LoopAgents {
  const { out, seed, imitate = false } = request;
  const student = request.student === undefined ? undefined : studentNamed(request.student);
  const teacher = teacherNamed(request.teacher ?? 'planner');
  const models = [
    ...(student?.['kind'] === 'model' ? (['student'] as const) : []),
    ...(teacher['kind'] === 'model' ? (['teacher'] as const) : []),
  ];
  const given = [...settingsInFile(request.config), ...settingsGiven('loop', request, { models, note })];
  const draft = {
    strategy: { kind: imitate ? 'linear' : 'speculative-rollback' },
    teacher: imitate ? { kind: 'none' } : teacher,
    student,
    spending: {},
    loop: {},
  };
  const told = assign(draft, given, settingsOf('loop')) as typeof draft;
  requireEffect(told.strategy, given);
  requireModel(given, models);
  const run = { run: runNameOf(out), environments: [...environments], seed };
  const { errors, strict } = told.teacher as { errors?: number; strict?: boolean };
  const chosen = strategyOf({
    imitate,
    ...told.strategy,
    ...defined({ teacherErrors: errors, teacherStrict: strict }),
  });
  return {
    draft: {
      ...run,
      ...chosen,
      ...(imitate || teacher['kind'] === 'planner' ? {} : { teacher: told.teacher as { kind: 'planner' } }),
      ...(Object.keys(told.spending).length === 0 ? {} : { spending: told.spending }),
    },
    ...(told.student === undefined ? {} : { student: told.student as { kind: 'untrained' } }),
    ...told.loop,
  };
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
  /** Where the student failed in the round before, and the tasks that this round had there; left out without a focus. */
  readonly focus?: LoopRound['focus'];
  readonly rows: number;
  readonly fit: number;
  readonly seconds: number;
}

function lineOf({ round, collected, focus, trained, evaluation, seconds }: LoopRound, imitate: boolean): LoopLine {
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
    ...(focus === null ? {} : { focus }),
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
  const most = (line.focus ?? []).filter(({ failed }) => failed > 0).slice(0, 3);
  if (most.length > 0)
    output.line(
      output.paint.dim(
        `  after failures at ${most.map(({ template, failed, of, cause, tasks }) => `${template} (${failed} of ${of}, ${cause}: ${count(tasks, 'task')})`).join(', ')}`,
      ),
    );
}
