import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeReport } from '../../src/analysis/report/write-report.ts';
import { invalidOption } from '../../src/core/errors.ts';
import { count } from '../../src/core/text.ts';
import { smallNamed } from '../../src/runs/agents/students/small.ts';
import { keepOptions } from '../../src/runs/folder/begun-options.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { describeMachine, packageVersion } from '../../src/system/about.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import type { ExitCode, Output } from '../../src/cli/terminal/output.ts';
import { createProgress, durationText } from '../../src/cli/terminal/progress.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { concludeDemo } from './conclude.ts';
import { enterApp, type DemoSize } from './enter-app.ts';
import { introduce, tellClaims, tellEntered, tellRecorded } from './tell-demo.ts';

export interface DemoRequest {
  /** The apps to enter. */
  readonly environments: readonly string[];
  /** The model: `small` or `small:<folder>`. */
  readonly student: string;
  readonly out?: string;
  readonly seed: number;
  readonly workers?: number;
}

/** The first two of domains that nothing was trained on. */
const defaultApps = ['synth:9001', 'synth:9005'];

/** Under six minutes of processor time. */
const size: DemoSize = { rounds: 1, instances: 2, evaluated: 2 };

/** A model in apps that it has never seen: what it does, and what corrections there add. */
export async function demo(output: Output, request: DemoRequest): Promise<ExitCode> {
  const { student, seed, environments } = request;
  const apps = environments.length === 0 ? defaultApps : environments;
  if (smallNamed(student) === null)
    throw invalidOption(`"${student}" is not the model small.`, 'Expected --student small or small:<folder>.');
  const folder = request.out ?? freeFolder();
  const host = createSystemHost(request);
  const started = host.clock.now();
  keepOptions({ apps, student, seed, ...size }, { folder, path: join(folder, 'options.json'), what: 'demo' });
  introduce(output, apps);
  const meters = new Map<string, ReturnType<typeof createProgress>>();
  const meterOf = (what: string): ReturnType<typeof createProgress> => {
    const known = meters.get(what) ?? createProgress(output, host.clock, what);
    meters.set(what, known);
    return known;
  };
  const entered = await stoppable(output, ({ signal }) =>
    enterApp({
      apps,
      student,
      folder,
      size,
      seed,
      host,
      signal,
      onProgress: (what, meter) => meterOf(what)(meter),
      onReading: rows => output.progress(`learning: ${count(rows, 'row')} read`),
    }),
  );
  output.progress('');
  if (entered === null) {
    output.note(`stopped; the same command with --out ${folder} goes on.`);
    return 1;
  }
  const about = { command: commandOf(request), machine: describeMachine(), version: packageVersion() };
  const data = concludeDemo(entered, { folder, ...about });
  const [report, table] = [join(folder, 'report.html'), join(folder, 'demo.json')];
  writeWhole(table, `${JSON.stringify(data, null, 2)}\n`);
  writeWhole(report, writeReport(data));
  tellEntered(output, entered);
  tellRecorded(output, data);
  tellClaims(output, data);
  const { paint, line } = output;
  line();
  line(`${paint.dim('Took')} ${durationText((host.clock.now() - started) / 1000)}. ${paint.dim('Table:')} ${table}`);
  line(`${paint.dim('Look at its steps:')} espalier studio ${folder}`);
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

function commandOf({ environments, student, seed }: DemoRequest): string {
  return [
    'espalier demo',
    ...environments,
    ...(student === 'small' ? [] : [`--student ${student}`]),
    `--seed ${seed}`,
  ].join(' ');
}
