import { join } from 'node:path';
import type { NestedMean } from '../../src/analysis/bootstrap.ts';
import type { Policy } from '../../src/core/episode/agents.ts';
import { invalidOption } from '../../src/core/errors.ts';
import type { Limits } from '../../src/episode/cursor/budget.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import type { Strategy } from '../../src/episode/strategies/strategy.ts';
import { isModulePath } from '../../src/modules/load-module.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { openStrategy, openStudent } from '../../src/runs/jobs/agents.ts';
import { readConfig } from '../../src/runs/config/config.ts';
import { studentNamed } from '../../src/runs/config/named-agents.ts';
import { strategies } from '../../src/runs/registry/strategies.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../../src/cli/terminal/output.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { demonstrate, trainStudents } from './feature-students.ts';
import { runArms, type Arm, type ArmResult } from './run-arms.ts';

interface StrategiesRequest {
  readonly out: string;
  readonly environments: readonly string[];
  readonly arms?: readonly string[];
  readonly unseen?: readonly string[];
  readonly seeds: number;
  readonly budgets?: readonly string[];
  readonly students?: readonly string[];
  /** Of each template; 1 when left out. */
  readonly instances?: number;
  readonly json?: boolean;
}

/** A table: one student, one kind of budget, all arms. */
interface StrategyTable {
  readonly student: string;
  readonly budget: 'steps' | 'queries';
  readonly most: number;
  readonly results: readonly ArmResult[];
}

const usual = {
  environments: ['mail', 'shop', 'tracker'],
  unseen: ['synth:9001', 'synth:9002'],
  budgets: [20, 60],
  students: ['feature'],
};
/** What needs a guide of the user's, and has nothing to do without one. */
const leftOut = new Set(['guide', 'linear']);
const temperature = 0.7;

/** Every strategy on the same held-out tasks, at equal steps and at equal questions to the student. */
export async function studyStrategies(output: Output, request: StrategiesRequest): Promise<ExitCode> {
  const tables = await stoppable(output, ({ signal }) =>
    runStudy(request, { host: createSystemHost({ workers: 0 }), signal, output }),
  );
  output.progress('');
  if (tables === null) {
    output.note('stopped; the same command goes on.');
    return 1;
  }
  writeWhole(join(request.out, 'strategies.json'), `${JSON.stringify(tables, null, 2)}\n`);
  if (request.json === true) output.json(tables);
  else for (const table of tables) tell(output, table);
  return 0;
}

interface StudySetting {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly output: Output;
}

async function runStudy(
  request: StrategiesRequest,
  { host, signal, output }: StudySetting,
): Promise<StrategyTable[] | null> {
  const { out, seeds, instances = 1, budgets, students: names = usual.students } = request;
  const environments = request.environments.length === 0 ? usual.environments : request.environments;
  const unseen = request.unseen ?? usual.unseen;
  const ways = await strategiesNamed(request.arms);
  const tables: StrategyTable[] = [];
  for (const name of names) {
    const policyFor = await studentsNamed(name, { out, environments, seeds, host, signal });
    if (policyFor === null) return null;
    for (const budget of ['steps', 'queries'] as const) {
      for (const most of (budgets ?? usual.budgets).map(Number)) {
        const results = await runArms({
          folder: join(out, `${name}-${budget}-${most}`),
          environments: [...environments, ...unseen],
          levels: ['new-instances', 'held-out'],
          instances,
          seeds,
          host,
          signal,
          arms: armsOf(ways, policyFor, budget === 'steps' ? { taken: most } : { queries: most }),
          onProgress: (done, total) => output.progress(`${name}, ${most} ${budget}: ${done} of ${total} runs`),
        });
        if (results === null) return null;
        tables.push({ student: name, budget, most, results });
      }
    }
  }
  return tables;
}

type PolicyOf = (seed: number, heat: number) => Policy;

/** The student alone takes its likeliest step; all others draw at the same temperature. */
function armsOf(ways: ReadonlyMap<string, Strategy>, policyOf: PolicyOf, limits: Partial<Limits>): Arm[] {
  const linear: Arm = { name: 'linear', strategy: createLinear(), limits, policyFor: seed => policyOf(seed, 0) };
  const others = [...ways].map(
    ([name, strategy]): Arm => ({ name, strategy, limits, policyFor: seed => policyOf(seed, temperature) }),
  );
  return [linear, ...others];
}

/** Names, or paths of modules; left out, all that need neither a teacher nor a verdict. */
async function strategiesNamed(names: readonly string[] | undefined): Promise<Map<string, Strategy>> {
  const all = strategies.entries
    .filter(({ evaluates, name }) => evaluates && !leftOut.has(name))
    .map(({ name }) => name);
  const found = new Map<string, Strategy>();
  for (const name of names ?? all) {
    const config = isModulePath(name) ? { kind: 'module' as const, file: name, options: {} } : { kind: name };
    if (!isModulePath(name) && !strategies.need(name).evaluates)
      throw invalidOption(
        `The strategy ${name} sees verdicts or asks a teacher.`,
        `Expected one of: ${all.join(', ')}.`,
      );
    const strategy = await openStrategy(config as Parameters<typeof openStrategy>[0]);
    found.set(isModulePath(name) ? strategy.name : name, strategy);
  }
  return found;
}

interface StudentSetting extends Omit<StudySetting, 'output'> {
  readonly out: string;
  readonly environments: readonly string[];
  readonly seeds: number;
}

async function studentsNamed(name: string, setting: StudentSetting): Promise<PolicyOf | null> {
  const { out, environments, seeds, host, signal } = setting;
  if (name !== 'feature') {
    const [cold, warm] = [await studentAt(name, 0, setting), await studentAt(name, temperature, setting)];
    return (_seed, heat) => (heat === 0 ? cold : warm);
  }
  const folder = join(out, 'demonstrations');
  const records = await demonstrate({ folder, environments, instances: 6, seed: 1, host, signal });
  return records === null ? null : trainStudents(records, { folder, seeds });
}

/** A student of the registry at a temperature. Models are not asked here: a study of theirs is a run of `espalier eval`. */
async function studentAt(name: string, heat: number, { host }: Pick<StudentSetting, 'host'>): Promise<Policy> {
  const draft = { run: 'study', environments: ['mail'], strategy: { kind: 'linear' } };
  const { student } = readConfig({ ...draft, student: { ...studentNamed(name), temperature: heat } }, 'The study');
  const connect = (): never => {
    throw invalidOption(
      `The study asks no model such as ${name}.`,
      'Expected feature, small or the file of a student.',
    );
  };
  return (await openStudent(student, { clock: host.clock, onNotice: host.onNotice, connect })).make(null);
}

const points = ({ mean, low, high }: NestedMean): string =>
  `${(100 * mean).toFixed(1)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;

function tell(output: Output, { student, budget, most, results }: StrategyTable): void {
  output.line(output.paint.bold(`${student}, at most ${most} ${budget} an episode`));
  const heads = ['strategy', 'success %', 'against linear, points', 'steps', 'queries', 'tokens', 'ms', 'errors'];
  const rows = results.map(one => [
    one.name,
    points(one.success),
    one.difference === null ? '–' : points(one.difference),
    one.steps.toFixed(1),
    one.queries.toFixed(1),
    one.tokens.toFixed(0),
    one.milliseconds.toFixed(0),
    String(one.errored),
  ]);
  for (const line of columns([heads, ...rows], [3, 4, 5, 6, 7])) output.line(line);
  output.line();
}
