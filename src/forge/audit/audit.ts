import type { Environment, Session, ToolInfo } from '../../core/contracts.ts';
import { causeText } from '../../core/errors.ts';
import { scalars, type JsonObject } from '../../core/json.ts';
import { createRandom, type Random } from '../../core/random.ts';
import type { StepOutcome, Task } from '../../core/records.ts';
import type { Defect } from './defect.ts';
import { drawAllowed, spoilInput } from './schema-inputs.ts';

const callsOfTool = 6;

/**
 * Audits an environment of other people: whether its tools take what their schemas allow and refuse what they forbid
 * (schema), whether they run (implementation), and whether its tasks fail when nothing was done (reference).
 */
export async function auditEnvironment(environment: Environment, tasks: readonly Task[]): Promise<Defect[]> {
  const defects: Defect[] = [];
  const [task] = tasks;
  if (task !== undefined) {
    for (const tool of environment.tools) defects.push(...(await auditTool(environment, task, tool)));
  }
  const seen = new Set<string>();
  for (const one of tasks) {
    if (seen.has(one.template)) continue;
    seen.add(one.template);
    const defect = await auditTask(environment, one);
    if (defect !== null) defects.push(defect);
  }
  return defects;
}

async function auditTool(environment: Environment, task: Task, tool: ToolInfo): Promise<Defect[]> {
  const random = createRandom(`audit ${tool.name}`);
  const found = new Map<string, Defect>();
  for (let index = 0; index < callsOfTool; index++) {
    const defect = await tryTool(environment, task, {
      tool,
      random: random.fork(`${index}`),
      isSpoilt: index % 3 === 2,
    });
    if (defect !== null && !found.has(defect.class)) found.set(defect.class, defect);
  }
  return [...found.values()];
}

interface ToolTrial {
  readonly tool: ToolInfo;
  readonly random: Random;
  /** Whether the input is one that the schema forbids. */
  readonly isSpoilt: boolean;
}

async function tryTool(environment: Environment, task: Task, trial: ToolTrial): Promise<Defect | null> {
  const { name, input: schema } = trial.tool;
  const allowed = drawAllowed(schema, trial.random, scalars(task.parameters).map(String));
  if (allowed === undefined) return null;
  const spoilt = trial.isSpoilt ? spoilInput(schema, allowed as JsonObject) : null;
  if (trial.isSpoilt && spoilt === null) return null;
  const input = spoilt?.input ?? (allowed as JsonObject);
  const said = `${name} ${JSON.stringify(input)}`;
  try {
    const outcome = await inSession(environment, task, session => session.step({ kind: 'call', tool: name, input }));
    const isRefused = !outcome.applied || outcome.problem !== undefined;
    if (spoilt !== null && !isRefused)
      return { class: 'schema', where: name, detail: `takes ${spoilt.how}, which its schema forbids: ${said}` };
    if (spoilt === null && isInvalid(outcome)) {
      const why = outcome.problem?.message ?? '';
      return { class: 'schema', where: name, detail: `refuses what its schema allows: ${said}: ${why}` };
    }
    return null;
  } catch (cause) {
    return { class: 'implementation', where: name, detail: `breaks on ${said}: ${causeText(cause)}` };
  }
}

/** Refused for its form. A refusal for what it asks for says nothing against the schema. */
function isInvalid({ problem }: StepOutcome): boolean {
  if (problem === undefined) return false;
  return (
    problem.code === 'invalid-action' || (problem.code === 'tool-error' && /invalid arguments/i.test(problem.message))
  );
}

/** Nobody has done anything yet: no verifier may say that it is done. */
async function auditTask(environment: Environment, task: Task): Promise<Defect | null> {
  try {
    const verdict = await inSession(environment, task, async session => {
      await session.step({ kind: 'finish' });
      return session.verify();
    });
    if (!verdict.pass || task.kind === 'already-done') return null;
    return {
      class: 'reference',
      where: task.template,
      detail: `passes untouched: ${verdict.checks[0]?.name ?? task.id}`,
    };
  } catch (cause) {
    return { class: 'reference', where: task.template, detail: `cannot be verified: ${causeText(cause)}` };
  }
}

async function inSession<T>(
  environment: Environment,
  task: Task,
  work: (session: Session) => Promise<T> | T,
): Promise<T> {
  const session = await environment.open(task);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
