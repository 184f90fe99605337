import { join } from 'node:path';
import { invalidOption } from '../../src/core/errors.ts';
import type { Limits } from '../../src/episode/cursor/budget.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import type { Strategy } from '../../src/episode/strategies/strategy.ts';
import { isModulePath } from '../../src/modules/load-module.ts';
import { hashModule } from '../../src/modules/module-hash.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { openStrategy } from '../../src/runs/jobs/agents.ts';
import { schedules } from '../../src/runs/registry/schedules.ts';
import { strategies } from '../../src/runs/registry/strategies.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import type { ExitCode, Output } from '../../src/cli/terminal/output.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { tellArms } from './arm-table.ts';
import { compareCollecting, compareSchedules, collecting } from './collected-arms.ts';
import { runArms, type Arm } from './run-arms.ts';
import type { StrategyTable } from './strategy-page.ts';
import { folderName, studentsNamed, temperature, type StudyStudents } from './study-students.ts';

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

const usual = {
  environments: ['mail', 'shop', 'tracker'],
  unseen: ['synth:9001', 'synth:9002'],
  budgets: [20, 60],
  students: ['feature'],
};
/** Unseen apps in which strategies with a teacher, and schedules, are compared: the planner teaches slowly. */
const collectedApps = 4;
/** What needs a guide of the user's, and has nothing to do without one. */
const leftOut = new Set(['guide', 'linear']);

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
  if (request.json === true) output.json(tables);
  else for (const table of tables) tellArms(output, table.results, titleOf(table));
  return 0;
}

function titleOf({ student, budget, most }: StrategyTable): string {
  if (budget === 'collected') return `${student}, with verdicts or a teacher, at most ${most} steps an episode`;
  if (budget === 'allocation') return `${student}, tasks whose trials differ, at equal episodes`;
  return `${student}, at most ${most} ${budget} an episode`;
}

interface StudySetting {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly output: Output;
}

async function runStudy(request: StrategiesRequest, setting: StudySetting): Promise<StrategyTable[] | null> {
  const { out, seeds, students: names = usual.students } = request;
  const environments = request.environments.length === 0 ? usual.environments : request.environments;
  // Whoever names environments has chosen.
  const unseen = request.unseen ?? (request.environments.length === 0 ? usual.unseen : []);
  const plan = { ...request, environments, unseen };
  const { evaluated, ...others } = armsNamed(request.arms);
  const ways = await strategiesNamed(evaluated);
  const tables: StrategyTable[] = [];
  for (const name of names) {
    const students = await studentsNamed(name, { ...setting, out, environments, seeds });
    if (students === null) return null;
    for await (const table of tablesOf({ ...plan, ...setting, ...others, name, students, ways })) {
      if (table === null) return null;
      tables.push(table);
      writeTables(out, tables);
    }
  }
  return tables;
}

interface StudentStudy extends Omit<StrategiesRequest, 'students' | 'arms'>, Omit<ArmNames, 'evaluated'>, StudySetting {
  readonly unseen: readonly string[];
  readonly name: string;
  readonly students: StudyStudents;
  readonly ways: ReadonlyMap<string, Strategy>;
}

/** The tables of one student; null when it was stopped. */
async function* tablesOf(study: StudentStudy): AsyncGenerator<StrategyTable | null> {
  const { out, seeds, instances = 1, name, students, ways, host, signal, output } = study;
  const budgets = (study.budgets ?? usual.budgets).map(Number);
  for (const budget of ways.size === 0 ? [] : (['steps', 'queries'] as const))
    for (const most of budgets) {
      const results = await runArms({
        folder: join(out, `${folderName(name)}-${budget}-${most}`),
        environments: [...study.environments, ...study.unseen],
        levels: ['new-instances', 'held-out'],
        instances,
        seeds,
        host,
        signal,
        arms: armsOf(ways, students, budget === 'steps' ? { taken: most } : { queries: most }),
        onProgress: (done, total) => output.progress(`${name}, ${most} ${budget}: ${done} of ${total} runs`),
      });
      yield results === null ? null : { student: name, budget, most, results };
    }
  const most = Math.max(...budgets);
  for (const budget of ['collected', 'allocation'] as const) {
    if (study[budget].length === 0) continue;
    const results = await (budget === 'collected' ? compareCollecting : compareSchedules)({
      folder: join(out, `${folderName(name)}-${budget}`),
      arms: study[budget],
      environments: (study.unseen.length === 0 ? study.environments : study.unseen).slice(0, collectedApps),
      students,
      seeds,
      most,
      host,
      signal,
      onProgress: (done, total) => output.progress(`${name}, ${budget}: ${done} of ${total} runs`),
    });
    yield results === null ? null : { student: name, budget, most, results };
  }
}

/** What there is so far: a study that is stopped has its tables. */
function writeTables(out: string, tables: readonly StrategyTable[]): void {
  writeWhole(join(out, 'strategies.json'), `${JSON.stringify(tables, null, 2)}\n`);
}

/** The student alone takes its likeliest step; all others draw at the same temperature. */
function armsOf(ways: ReadonlyMap<string, Strategy>, { policyOf }: StudyStudents, limits: Partial<Limits>): Arm[] {
  const linear: Arm = { name: 'linear', strategy: createLinear(), limits, policyFor: seed => policyOf(seed, 0) };
  const others = [...ways].map(
    ([name, strategy]): Arm => ({ name, strategy, limits, policyFor: seed => policyOf(seed, temperature) }),
  );
  return [linear, ...others];
}

interface ArmNames {
  /** Need neither a teacher nor a verdict; or paths of modules. */
  readonly evaluated: readonly string[];
  /** Strategies that see verdicts or ask a teacher. */
  readonly collected: readonly string[];
  readonly allocation: readonly string[];
}

/** Which table an arm belongs to; left out, all arms of all tables. */
function armsNamed(names: readonly string[] | undefined): ArmNames {
  if (names === undefined) return { evaluated: evaluating(), collected: collecting, allocation: allocating() };
  const [collected, allocation] = [new Set(collecting), new Set(allocating())];
  return {
    evaluated: names.filter(name => !collected.has(name) && !allocation.has(name)),
    collected: names.filter(name => collected.has(name)),
    allocation: names.filter(name => allocation.has(name)),
  };
}

function evaluating(): string[] {
  return strategies.entries.filter(({ evaluates, name }) => evaluates && !leftOut.has(name)).map(({ name }) => name);
}

/** Schedules beside the first, which every comparison has. */
function allocating(): string[] {
  return schedules.names.filter(name => schedules.need(name).create !== null).slice(1);
}

export async function strategiesNamed(names: readonly string[]): Promise<Map<string, Strategy>> {
  const found = new Map<string, Strategy>();
  for (const name of names) {
    const config = isModulePath(name) ? { kind: 'module' as const, file: name, options: {} } : { kind: name };
    if (!isModulePath(name) && !strategies.need(name).evaluates)
      throw invalidOption(
        `The strategy ${name} makes data, and is compared by what is learned from it.`,
        `Expected one of: ${[...evaluating(), ...collecting, ...allocating()].join(', ')}.`,
      );
    const strategy = await openStrategy(config as Parameters<typeof openStrategy>[0]);
    // A module that was changed is another arm: what it ran before is not taken for it.
    const arm = isModulePath(name) ? `${strategy.name}-${hashModule(name).slice(0, 8)}` : name;
    if (found.has(arm) || arm === 'linear')
      throw invalidOption(`The arm ${arm} is there twice.`, 'Expected every strategy once; linear is always there.');
    found.set(arm, strategy);
  }
  return found;
}
