import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { percentText } from '../../analysis/estimate.ts';
import { mean } from '../../analysis/stats.ts';
import type { ReportData } from '../../analysis/report/data.ts';
import { writeReport } from '../../analysis/report/write-report.ts';
import { environments as builtIn } from '../../catalog.ts';
import { count } from '../../core/text.ts';
import { columns, wrap, type ExitCode, type Output } from '../output.ts';
import { describeMachine, packageVersion } from '../../system/about.ts';
import { openRun, writeWhole } from '../../runs/folder/folder.ts';
import { durationText } from '../runs/progress.ts';
import { stoppable } from '../runs/stop.ts';
import { createSystemClock } from '../../system/clock.ts';
import { arms, type Arm } from '../../runs/study/arms.ts';
import { flagsOf } from '../../runs/study/loop-choices.ts';
import { runLoopProcess } from './children.ts';
import { adaptiveBranches, aheadClaim, queryClaim, rejectionClaim, targetClaims } from '../../runs/study/claims.ts';
import { compareArms, gatherStudy } from '../../runs/study/gather.ts';
import type { LoopLine } from './loop-verb.ts';

export interface DemoRequest {
  /** All built-in ones when empty. */
  readonly environments: readonly string[];
  readonly out?: string;
  readonly rounds: number;
  /** Of each template, for each round; the last holds on. */
  readonly instances: readonly number[];
  readonly evalInstances: number;
  /** Of each arm after the last round, with other training seeds. */
  readonly students: number;
  readonly seed: number;
}

/** Arms at once: one for each core that the demo counts on. */
const atOnce = 2;

/** Teaches a student in several ways, and compares them. */
export async function demo(output: Output, request: DemoRequest): Promise<ExitCode> {
  const { paint, line } = output;
  const folder = request.out ?? freeFolder();
  const clock = createSystemClock();
  const started = clock.now();
  introduce(output, request);
  const done = await stoppable(output, async controller => {
    await runArms(folder, request, { signal: controller.signal, tell: rowTeller(output) });
    return !controller.signal.aborted;
  });
  if (!done) {
    output.note(`stopped; what was collected is in ${folder}.`);
    return 1;
  }
  const data = conclude(folder, request);
  const [report, table] = [join(folder, 'report.html'), join(folder, 'demo.json')];
  writeWhole(table, `${JSON.stringify(data, null, 2)}\n`);
  writeWhole(report, writeReport(data));
  tellClaims(output, data);
  line();
  line(`${paint.dim('Took')} ${durationText((clock.now() - started) / 1000)}. ${paint.dim('Table:')} ${table}`);
  line(`${paint.bold('Report:')} ${report}`);
  return 0;
}

/** Earlier demos stay where they are. */
function freeFolder(): string {
  for (let number = 1; ; number++) {
    const folder = join('runs', number === 1 ? 'demo' : `demo-${number}`);
    if (!existsSync(folder)) return folder;
  }
}

function introduce({ paint, line, width }: Output, request: DemoRequest): void {
  const { rounds, instances } = request;
  const names = request.environments.length === 0 ? builtIn.map(({ id }) => id) : request.environments;
  line(paint.bold('Speculative rollback correction, end to end'));
  line(
    wrap(
      `A student that knows nothing does tasks in ${names.join(', ')}; a teacher reviews its branches, rolls back to the first harmful step and corrects it. ${count(rounds, 'round')} of collect, export, train and evaluate, on ${listText(instances, rounds)} of each training template. It is evaluated alone: on new instances of those templates, and on held-out templates that it never saw.`,
      width,
      '',
    ),
  );
  line();
}

/** `1, 3, 3 instances`: one number for each round. */
function listText(instances: readonly number[], rounds: number): string {
  const each = Array.from({ length: rounds }, (_, index) => instances[Math.min(index, instances.length - 1)] ?? 1);
  return rounds === 1 ? count(each[0] ?? 1, 'instance') : `${each.join(', ')} instances`;
}

interface Running {
  readonly signal: AbortSignal;
  tell(arm: Arm, line: LoopLine, asked: number): void;
}

/** Runs two arms at a time, in order. An arm that depends on another waits for it. */
async function runArms(folder: string, request: DemoRequest, { signal: asked, tell }: Running): Promise<void> {
  const own = new AbortController();
  const signal = AbortSignal.any([asked, own.signal]);
  // When one arm fails, the others are stopped first; then the failure is thrown.
  const stopAll = (cause: unknown): never => {
    own.abort();
    throw cause;
  };
  const queries = new Map<string, number[]>();
  const ready = new Map<string, Promise<void>>();
  const slots: Promise<void>[] = Array.from({ length: atOnce }, () => Promise.resolve());
  for (const arm of arms) {
    const slot = await Promise.race(slots.map((busy, index) => busy.then(() => index)));
    await (arm.follows === undefined ? null : ready.get(arm.follows));
    if (signal.aborted) return;
    const spent: number[] = [];
    queries.set(arm.id, spent);
    const leader = arm.follows === undefined ? undefined : queries.get(arm.follows);
    const instances =
      leader === undefined ? request.instances : demonstrations(join(folder, arm.follows as string), leader);
    const work = runLoopProcess({
      args: argumentsOf(arm, { folder, request, instances }),
      signal,
      onRound(line) {
        spent.push(line.queries);
        tell(
          arm,
          line,
          spent.reduce((sum, number) => sum + number, 0),
        );
      },
    }).catch(stopAll);
    ready.set(arm.id, work);
    slots[slot] = work;
  }
  await Promise.allSettled(ready.values());
  await Promise.all(ready.values());
}

interface ArmSetting {
  readonly folder: string;
  readonly request: DemoRequest;
  readonly instances: readonly number[];
}

function argumentsOf(arm: Arm, { folder, request, instances }: ArmSetting): string[] {
  const isMain = arm === arms[0];
  const options = {
    out: join(folder, arm.id),
    rounds: request.rounds,
    seed: request.seed,
    instances: instances.join(','),
    'eval-instances': request.evalInstances,
    students: request.students,
  };
  return [
    ...request.environments,
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...(isMain ? [] : ['--no-baselines']),
    ...flagsOf(arm.choices),
  ];
}

/** Instances for each round, so that the planner shows as many steps as the other arm asked queries. */
function demonstrations(folder: string, queries: readonly number[]): number[] {
  const store = openRun(folder);
  const steps: number[] = [];
  const templates = new Set<string>();
  try {
    for (const { head, end } of store.summaries({ phase: 'evaluate', round: 0 })) {
      if (head.student !== 'planner' || head.task.split !== 'train') continue;
      steps.push(end.counts.steps);
      templates.add(`${head.task.environment}/${head.task.template}`);
    }
  } finally {
    store.close();
  }
  const each = (mean(steps) ?? 1) * templates.size;
  let shown = 0;
  let asked = 0;
  return queries.map(number => {
    asked += number;
    const instances = Math.max(1, Math.round((asked - shown) / each));
    shown += instances * each;
    return instances;
  });
}

const widths = [18, 7, 19, 19, 9, 8, 12, 6];

function rowTeller({ line, paint }: Output): Running['tell'] {
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(' ')
      .trimEnd();
  line(paint.dim(row(['', 'round', 'new instances', 'held-out templates', 'queries', 'shown', 'corrections', 'rows'])));
  const totals = new Map<string, { corrections: number; shown: number }>();
  return (arm, { round, newInstances, heldOut, corrections, shown, rows }, asked) => {
    const before = totals.get(arm.id) ?? { corrections: 0, shown: 0 };
    const own = { corrections: before.corrections + corrections, shown: before.shown + shown };
    totals.set(arm.id, own);
    const numbers = [asked, own.shown, own.corrections, rows].map(number => number.toLocaleString('en'));
    line(row([arm.label, String(round), newInstances, heldOut, ...numbers]));
  };
}

/** Gathers the arms, and checks the claims on them. */
function conclude(folder: string, { rounds, instances, seed }: DemoRequest): ReportData {
  const data = gatherStudy({
    folder,
    arms,
    command: `espalier demo --rounds ${rounds} --instances ${instances.join(',')} --seed ${seed}`,
    machine: describeMachine(),
    version: packageVersion(),
  });
  const imitation = compareArms(folder, ['src-3', rounds], ['imitation', rounds]);
  const early = compareArms(folder, ['src-3', rounds], ['k-1', rounds]);
  const sure = compareArms(folder, ['adaptive', rounds], ['k-1', rounds]);
  const bounded = compareArms(folder, ['imitation', rounds], ['archive', rounds]);
  const late = compareArms(folder, ['src-3', rounds], ['k-inf', rounds]);
  return {
    ...data,
    claims: [
      ...targetClaims(data.arms),
      queryClaim(data.arms, early.newInstances),
      queryClaim(data.arms, sure.newInstances, adaptiveBranches),
      aheadClaim('SRC is ahead of imitation of as many queries on new instances', imitation.newInstances),
      aheadClaim('SRC is ahead of imitation of as many queries on held-out templates', imitation.heldOut),
      aheadClaim(
        'Imitation of everything is ahead of what the archive keeps of it, on new instances',
        bounded.newInstances,
      ),
      aheadClaim('K = 3 is ahead of K = ∞ on new instances after as many episodes', late.newInstances),
      rejectionClaim(data),
    ],
  };
}

function tellClaims({ line, paint, width }: Output, { claims, baselines, arms: found }: ReportData): void {
  line();
  const coverage = found[0]?.rounds.at(-1)?.archive;
  if (coverage !== undefined && coverage !== null) {
    line(
      `Archive of ${found[0]?.label ?? ''}: ${count(coverage.entries, 'trajectory', 'trajectories')} in ${coverage.bins} of ${coverage.reachable} bins.`,
    );
  }
  const rate = (estimate: ReportData['baselines'][number]['unseenApps']): string =>
    (estimate?.rate ?? null) === null ? '–' : percentText(estimate?.rate ?? 0);
  for (const { label, rounds } of found) {
    const last = rounds.at(-1);
    line(`${label}, new composition / unseen skill: ${rate(last?.newComposition)} / ${rate(last?.unseenSkill)}.`);
  }
  line(
    `Baselines, new instances / held-out: ${baselines.map(({ name, newInstances, heldOut }) => `${name} ${rate(newInstances)} / ${rate(heldOut)}`).join(', ')}.`,
  );
  line();
  const rows = claims.map(({ claim, holds }) => [
    holds === null ? paint.dim('?') : holds ? paint.green('✓') : paint.red('✗'),
    claim,
  ]);
  for (const [index, text] of columns(rows).entries()) {
    line(text);
    line(paint.dim(`   ${wrap(claims[index]?.evidence ?? '', width - 3, '   ')}`));
  }
}
