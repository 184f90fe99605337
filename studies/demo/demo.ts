import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeReport } from '../../src/analysis/report/write-report.ts';
import { environments as builtIn } from '../../src/catalog.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { concludeDemo, demoFolders } from './conclude.ts';
import { fullDemo, quickDemo, type DemoSize } from './demo-size.ts';
import { planWorlds } from './worlds/worlds-plan.ts';
import { describeMachine, packageVersion } from '../../src/system/about.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import type { ExitCode, Output } from '../../src/cli/terminal/output.ts';
import { durationText } from '../../src/cli/terminal/progress.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { runJobs, type Job } from './schedule.ts';
import { teacherJobs } from './teacher-jobs.ts';
import { introduce, progressTeller, roundTeller, tellClaims, tellCurve, tellTeachers } from './tell-demo.ts';
import { worldsJobs, type StudySetting } from './worlds-jobs.ts';

export interface DemoRequest {
  /** Apps with hand-written templates; all built-in ones when empty. */
  readonly environments: readonly string[];
  readonly out?: string;
  /** Forged tasks at the points of the curve. */
  readonly points?: readonly number[];
  /** Students of each point and arm, with other training seeds. */
  readonly students?: number;
  readonly quick?: boolean;
  readonly seed: number;
}

/** Jobs at once: one for each core that the demo counts on. */
const atOnce = 2;

/** Does it learn, does it generalize, what does a teacher's answer buy. */
export async function demo(output: Output, request: DemoRequest): Promise<ExitCode> {
  const { paint, line } = output;
  const folder = request.out ?? freeFolder();
  const { worlds, teachers } = demoFolders(folder);
  const host = createSystemHost({ workers: 0 });
  const started = host.clock.now();
  const size = sizeOf(request);
  const apps = request.environments.length === 0 ? builtIn.map(({ id }) => id) : request.environments;
  const setting: StudySetting = { folder: worlds, apps, size, seed: request.seed, host };
  introduce(output, setting);
  const [first, ...others] = inOrder([
    ...worldsJobs(setting),
    ...teacherJobs({ ...setting, folder: teachers, worlds, onRound: roundTeller(output) }),
  ]) as [Job, ...Job[]];
  // The plan is made or read every time: it refuses other options.
  const jobs = [first, ...others.map(job => doneOnce(job, join(folder, 'done')))];
  const done = await stoppable(output, async ({ signal }) => {
    await runJobs(jobs, { clock: host.clock, signal, atOnce, onChange: progressTeller(output) });
    return !signal.aborted;
  });
  output.progress('');
  if (!done) {
    output.note(`stopped; the same command with --out ${folder} goes on.`);
    return 1;
  }
  const data = concludeDemo({
    folder,
    plan: await planWorlds(setting),
    size,
    command: commandOf(request),
    machine: describeMachine(),
    version: packageVersion(),
  });
  const [report, table] = [join(folder, 'report.html'), join(folder, 'demo.json')];
  writeWhole(table, `${JSON.stringify(data, null, 2)}\n`);
  writeWhole(report, writeReport(data));
  tellCurve(output, data);
  tellTeachers(output, data);
  tellClaims(output, data);
  line();
  line(`${paint.dim('Took')} ${durationText((host.clock.now() - started) / 1000)}. ${paint.dim('Table:')} ${table}`);
  line(`${paint.bold('Report:')} ${report}`);
  return 0;
}

function sizeOf({ quick = false, points, students }: DemoRequest): DemoSize {
  const size = quick ? quickDemo : fullDemo;
  return { ...size, points: points ?? size.points, students: students ?? size.students };
}

/** Long chains first: what others wait for, then what takes longest. */
function inOrder(jobs: readonly Job[]): Job[] {
  const early = ['plan', 'start', 'apps', 'made-up', 'adaptive', 'demonstrations'];
  const rank = ({ id }: Job): number => (early.includes(id) ? early.indexOf(id) : early.length);
  return jobs.toSorted((a, b) => rank(a) - rank(b) || b.seconds - a.seconds);
}

/** A job whose end is written down, so that a demo that goes on leaves it out. */
function doneOnce(job: Job, folder: string): Job {
  const path = join(folder, job.id);
  if (existsSync(path)) return { ...job, seconds: 0, run: () => Promise.resolve() };
  return {
    ...job,
    async run(signal) {
      await job.run(signal);
      if (!signal.aborted) writeWhole(path, '');
    },
  };
}

/** Earlier demos stay where they are. */
function freeFolder(): string {
  for (let number = 1; ; number++) {
    const folder = join('runs', number === 1 ? 'demo' : `demo-${number}`);
    if (!existsSync(folder)) return folder;
  }
}

function commandOf({ environments, points, students, quick, seed }: DemoRequest): string {
  return [
    'espalier demo',
    ...environments,
    ...(quick === true ? ['--quick'] : []),
    ...(points === undefined ? [] : [`--points ${points.join(',')}`]),
    ...(students === undefined ? [] : [`--students ${students}`]),
    `--seed ${seed}`,
  ].join(' ');
}
