import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSmallFolder, readModelFiles } from '../src/agents/small/model-files.ts';
import { createSmallModel } from '../src/agents/small/small-model.ts';
import { wilson } from '../src/analysis/stats.ts';
import type { CompactSituation } from '../src/models/prompt/compact.ts';
import { collectRun } from '../src/runs/collect.ts';
import { readConfig } from '../src/runs/config/config.ts';
import { keepWorkers } from '../src/runs/jobs/keep-workers.ts';
import { evaluateStudents } from '../src/runs/evaluate-students.ts';
import { spendingSchema } from '../src/runs/settings/model-config.ts';
import { createSystemHost } from '../src/system/workers/host.ts';
import { figure, type Bench, type Figure } from './measure.ts';

const promptTokens = 700;
const library = join(import.meta.dirname, '..', 'examples', 'library', 'library.ts');

/** How fast `small` is on this machine. */
export const modelBench: Bench = {
  group: 'model',
  figures: ['model.size', 'model.start', 'model.step', 'model.batch'],
  async *run() {
    const folder = findSmallFolder();
    const files = ['model.onnx', 'model.json', 'tokenizer.json'];
    const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    yield figure('model.size', 'MB', [bytes / 1e6]);
    yield* stepFigures(folder);
    yield await poolFigure();
  },
};

/** From nothing to the first answer, and then each step by itself: prompts differ, so that none is known before. */
async function* stepFigures(folder: string): AsyncGenerator<Figure> {
  const begun = performance.now();
  const model = createSmallModel(readModelFiles(folder));
  const lines = await linesFor(async situation => (await model.weigh(situation)).tokens);
  const start = performance.now() - begun;
  const times: number[] = [];
  for (let run = -2; run < 9; run++) {
    const situation = situationOf(lines, run);
    const from = performance.now();
    await model.weigh(situation);
    if (run >= 0) times.push(performance.now() - from);
  }
  yield figure('model.start', 'ms', [start]);
  yield figure('model.step', 'ms', times);
}

/** Lines of a screen that make a prompt of some 700 tokens. */
async function linesFor(tokensOf: (situation: CompactSituation) => Promise<number>): Promise<number> {
  const [few, many] = [10, 40];
  const [short, long] = [await tokensOf(situationOf(few, 0)), await tokensOf(situationOf(many, 0))];
  return few + Math.round(((promptTokens - short) * (many - few)) / (long - short));
}

function situationOf(lines: number, run: number): CompactSituation {
  const rows = Array.from(
    { length: lines },
    (_, at) => `    [e${at + 3}] button "Claim ${run + 10} of Ada Olsen, ${at}"`,
  );
  const screen = [
    'page "Claims"',
    '  [e1] combobox "Show": All {All | Open | Denied}',
    '  [e2] textbox "Find": (empty)',
  ];
  return {
    task: `Open claim ${run + 10} of Ada Olsen`,
    done: ['click tab "Claims"'],
    screens: [[...screen, ...rows].join('\n')],
  };
}

/** Steps a second in episodes of the built-in apps, with one worker for each core. */
async function poolFigure(): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
  const { host, close } = keepWorkers(createSystemHost());
  try {
    const values: number[] = [];
    // The first run loads the model in each worker.
    for (let run = -1; run < 3; run++) {
      const config = {
        run: 'bench',
        environments: ['mail', 'shop', 'tracker'],
        instances: 1,
        seed: run + 1,
        student: { kind: 'small', temperature: 0 },
        strategy: { kind: 'linear' },
        limits: { steps: 6 },
      };
      const order = { config: readConfig(config, 'The bench'), folder: join(folder, `run-${run}`), host };
      const { environments, seconds } = await collectRun(order);
      if (run >= 0) values.push(environments.reduce((sum, { steps }) => sum + steps, 0) / seconds);
    }
    return figure('model.batch', '1/s', values);
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

/** How well `small` does, on few tasks: the card of the model has the evaluation on many. */
export const modelSuccessBench: Bench = {
  group: 'model-success',
  onDemand: true,
  figures: ['model.unseen', 'model.instances', 'model.templates', 'model.handmade'],
  async *run(_options, { progress }) {
    const made = Array.from({ length: 8 }, (_, at) => `synth:${9001 + at}`);
    progress('evaluating small in made-up apps …');
    const unseen = await success(made);
    yield shareFigure('model.unseen', [unseen.newInstances, unseen.heldOut]);
    progress('evaluating small in the built-in apps …');
    const own = await success(['mail', 'shop', 'tracker']);
    yield shareFigure('model.instances', [own.newInstances]);
    yield shareFigure('model.templates', [own.heldOut]);
    progress('evaluating small in an app written by hand …');
    const handmade = await success([library]);
    yield shareFigure('model.handmade', [handmade.newInstances, handmade.heldOut]);
  },
};

interface Share {
  readonly passed: number;
  readonly n: number;
}

async function success(environments: readonly string[]): Promise<{ newInstances: Share; heldOut: Share }> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
  try {
    const { rows } = await evaluateStudents({
      student: 'small',
      environments,
      folder,
      instances: 1,
      trials: 1,
      levels: ['new-instances', 'held-out'],
      baselines: false,
      seed: 1,
      concurrency: 8,
      browser: null,
      asking: {},
      spending: spendingSchema.parse({}),
      host: createSystemHost(),
    });
    const none: Share = { passed: 0, n: 0 };
    return { newInstances: rows[0]?.newInstances ?? none, heldOut: rows[0]?.heldOut ?? none };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The spread is the 95 % interval of single tasks. */
function shareFigure(name: string, shares: readonly Share[]): Figure {
  const passed = shares.reduce((sum, share) => sum + share.passed, 0);
  const n = shares.reduce((sum, share) => sum + share.n, 0);
  const { low, high } = wilson(passed, n);
  return { name, value: n === 0 ? 0 : passed / n, unit: 'share', spread: high - low, runs: n };
}
