import type { StateEnvironment } from '../../core/contracts.ts';
import type { OrdinaryPolicy, Policy } from '../../core/episode/agents.ts';
import { describeStep, type PastStep } from '../../core/episode/view.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { createRandom, type Random } from '../../core/random.ts';
import type { Task } from '../../core/records.ts';
import type { AgentSetting } from '../agents/agent-entry.ts';
import { openStudent } from '../jobs/agents.ts';
import { studentNamed } from '../config/named-agents.ts';
import { students } from '../registry/students.ts';

/** Whether a name stands for a model behind an endpoint. */
export function isModelName(name: string): boolean {
  return studentNamed(name)['kind'] === 'model';
}

/** The student that a name stands for. It draws its actions by chance, as in collection, so that trials differ. */
export async function openTrialStudent(
  name: string,
  connect: AgentSetting['connect'] = alone.connect,
): Promise<() => OrdinaryPolicy> {
  const config = studentNamed(name);
  const entry = students.find(String(config['kind']));
  const settled = entry === undefined ? config : entry.config.parse(config);
  const { make } = await openStudent(settled as Parameters<typeof openStudent>[0], { ...alone, connect });
  if (!isOrdinary(make(null))) throw unfit(name, 'it sees the state');
  return () => make(null) as OrdinaryPolicy;
}

function isOrdinary(policy: Policy): policy is OrdinaryPolicy {
  return policy.privileged !== true;
}

const alone: AgentSetting = {
  clock: {
    now() {
      throw new Error('Students that are tried have no clock.');
    },
  },
  connect: () => Promise.reject(new Error('Models are asked with a host alone.')),
};

function unfit(name: string, why: string): EspalierError {
  return invalidOption(
    `"${name}" cannot be tried on forged tasks: ${why}.`,
    'Expected a file that espalier train wrote, a model such as openai:qwen3@http://127.0.0.1:8000/v1, "untrained", "random" or a module of yours.',
  );
}

export interface Trials {
  readonly environment: StateEnvironment;
  makeStudent(): OrdinaryPolicy;
  /** How often each task is tried. */
  readonly trials: number;
  /** Tries at once: models answer several. */
  readonly atOnce?: boolean;
}

/** The share of trials in which the student passes a task. The same student, task and number give the same share. */
export async function passRateOf(
  task: Task,
  { environment, makeStudent, trials, atOnce = false }: Trials,
): Promise<number> {
  const attempt = (trial: number): Promise<boolean> =>
    passes(environment, task, { student: makeStudent(), random: createRandom(`trial ${trial} of ${task.id}`) });
  const numbers = Array.from({ length: trials }, (_, trial) => trial);
  const outcomes: boolean[] = atOnce ? await Promise.all(numbers.map(attempt)) : [];
  if (!atOnce) for (const trial of numbers) outcomes.push(await attempt(trial));
  return outcomes.filter(Boolean).length / trials;
}

/** Lets the student act on the task until it finishes, runs out of steps or has no usable answer. */
async function passes(
  environment: StateEnvironment,
  task: Task,
  { student, random }: { student: OrdinaryPolicy; random: Random },
): Promise<boolean> {
  const session = environment.open(task);
  const path: PastStep[] = [];
  for (let step = 0; step < task.budget.steps && session.ended() === null; step++) {
    const observation = session.observe();
    const { action } = await student.act({
      instruction: task.instruction,
      observation,
      history: path.map(({ text }) => text),
      path,
      tools: environment.tools,
      random: random.fork(`step ${step}`),
    });
    if (action === null) break;
    const { applied, problem, result } = session.step(action);
    const text = describeStep(action, observation.text, problem?.message);
    const told = result === undefined ? {} : { result };
    path.push({ action, text, by: 'student', screen: observation.text, applied, ...told });
  }
  return session.verify().pass;
}
