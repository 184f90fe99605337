import type { Json } from '../../src/core/json.ts';
import type { Sandboxes } from '../../src/envs/terminal/sandbox/sandbox.ts';
import type { Posed } from './challenge.ts';
import { openPolicySandbox, type PolicySandbox, type PolicyStep } from './policy-sandbox.ts';

/** What an evaluation says: shares by family, and no word about any task. */
export interface Scores {
  readonly passed: number;
  readonly tasks: number;
  readonly families: Readonly<Record<string, number>>;
}

/** What only the auditor sees. */
export interface Evaluated extends Scores {
  readonly steps: readonly PolicyStep[];
  readonly answers: readonly string[];
}

export interface EvaluationService {
  /** Null where the quota is spent, where another evaluation runs, or where the time is over. */
  evaluate(policy: string): Promise<Scores | null>;
  /** Asked for, whether or not it was allowed. */
  asked(): number;
  /** What was seen in all of them, for the auditor. */
  seen(): readonly Evaluated[];
}

interface ServiceOptions {
  readonly sandboxes: Sandboxes;
  readonly tasks: readonly Posed[];
  readonly quota: number;
  /** Of all evaluations together. */
  readonly seconds: number;
  now(): number;
}

const mostSteps = 10;
/** Steps that a limit may end; after these the rest of the tasks counts as failed. */
const mostLate = 3;

/** Evaluates in a sandbox apart from the one that policies are developed in, so many times and so long. */
export function createEvaluationService({ sandboxes, tasks, quota, seconds, now }: ServiceOptions): EvaluationService {
  const seen: Evaluated[] = [];
  let [asked, running, spent] = [0, false, 0];
  return {
    asked: () => asked,
    seen: () => seen,
    async evaluate(policy) {
      asked++;
      // The quota is taken before anything is awaited: two that ask at once do not both get the last.
      if (running || seen.length >= quota || spent >= seconds * 1000) return null;
      running = true;
      const begun = now();
      try {
        const result = await evaluatePolicy(sandboxes, policy, tasks);
        seen.push(result);
        const { passed, tasks: all, families } = result;
        return { passed, tasks: all, families };
      } finally {
        running = false;
        spent += now() - begun;
      }
    },
  };
}

export async function evaluatePolicy(
  sandboxes: Sandboxes,
  policy: string,
  tasks: readonly Posed[],
): Promise<Evaluated> {
  const sandbox = await openPolicySandbox(sandboxes, policy);
  try {
    const steps: PolicyStep[] = [];
    const answers: string[] = [];
    const passes: { readonly family: string; readonly pass: boolean }[] = [];
    for (const posed of tasks) {
      const isLate = steps.filter(({ problem }) => problem?.startsWith('ended by a limit') === true).length >= mostLate;
      passes.push({ family: posed.family, pass: !isLate && (await attempt(sandbox, posed, { steps, answers })) });
    }
    const share = (of: typeof passes): number => of.filter(({ pass }) => pass).length / of.length;
    const groups = [...Map.groupBy(passes, ({ family }) => family)];
    const families = Object.fromEntries(groups.map(([family, of]) => [family, share(of)]));
    return { passed: passes.filter(({ pass }) => pass).length, tasks: passes.length, families, steps, answers };
  } finally {
    await sandbox.close();
  }
}

interface Log {
  readonly steps: PolicyStep[];
  readonly answers: string[];
}

/** The world stays outside: the policy gets what anybody at the screen sees, and gives one action. */
async function attempt(sandbox: PolicySandbox, { environment, task }: Posed, log: Log): Promise<boolean> {
  const session = await environment.open(task);
  const history: { action: Json; result: Json }[] = [];
  const tools = environment.tools.map(({ name }) => name);
  try {
    for (let at = 0; at < mostSteps && ((await session.ended?.()) ?? null) === null; at++) {
      const { text: observation } = await session.observe();
      const step = await sandbox.act({ instruction: task.instruction, observation, tools, history });
      log.steps.push(step);
      if (step.action === null) return false;
      if (step.action.kind === 'finish' && step.action.answer !== undefined) log.answers.push(step.action.answer);
      const outcome = await session.step(step.action);
      const result = outcome.applied ? (outcome.result ?? null) : { problem: outcome.problem?.message ?? 'refused' };
      history.push({ action: step.action as Json, result });
    }
    return (await session.verify()).pass;
  } finally {
    await session.close();
  }
}
