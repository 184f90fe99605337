import { join } from 'node:path';
import { invalidOption } from '../../src/core/errors.ts';
import type { Limits } from '../../src/episode/cursor/budget.ts';
import { createLinear } from '../../src/episode/strategies/linear.ts';
import type { Strategy } from '../../src/episode/strategies/strategy.ts';
import { isModulePath } from '../../src/modules/load-module.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { openStrategy } from '../../src/runs/jobs/agents.ts';
import { strategies } from '../../src/runs/registry/strategies.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import type { ExitCode, Output } from '../../src/cli/terminal/output.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';
import { tellArms } from './arm-table.ts';
import { runArms, type Arm, type ArmResult } from './run-arms.ts';
import { studentsNamed, temperature, type StudyStudents } from './study-students.ts';

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
  else
    for (const { student, budget, most, results } of tables)
      tellArms(output, results, `${student}, at most ${most} ${budget} an episode`);
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
    const students = await studentsNamed(name, { out, environments, seeds, host, signal });
    if (students === null) return null;
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
          arms: armsOf(ways, students, budget === 'steps' ? { taken: most } : { queries: most }),
          onProgress: (done, total) => output.progress(`${name}, ${most} ${budget}: ${done} of ${total} runs`),
        });
        if (results === null) return null;
        tables.push({ student: name, budget, most, results });
      }
    }
  }
  return tables;
}

/** The student alone takes its likeliest step; all others draw at the same temperature. */
function armsOf(ways: ReadonlyMap<string, Strategy>, { policyOf }: StudyStudents, limits: Partial<Limits>): Arm[] {
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
