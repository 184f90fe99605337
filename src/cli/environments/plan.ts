import type { Action } from '../../core/action.ts';
import type { Plan, StateSession } from '../../core/contracts.ts';
import { whyNoPlan } from '../../core/no-plan.ts';
import type { Task, Verdict } from '../../core/records.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { checkLines, describeStep, milliseconds, showTask, verdictWord } from '../terminal/describe.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { openStateEnvironment, openTask } from '../../runs/environments/open-environment.ts';
import { count } from '../../core/text.ts';
import { type ExitCode, type Output } from '../terminal/output.ts';
import { createSystemClock } from '../../system/clock.ts';

export interface PlanRequest {
  readonly environment: string;
  readonly template?: string | undefined;
  readonly seed?: number;
  readonly nodes?: number;
  readonly seconds?: number;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

export async function planTask(output: Output, request: PlanRequest): Promise<ExitCode> {
  const environment = await openStateEnvironment(request.environment, createSystemHost());
  const task = await openTask(environment, request.template, request.seed);
  const session = environment.open(task);
  output.progress(`planning ${task.id} …`);
  const timed = timedPlan(session, request);
  output.progress('');
  const { plan } = timed;
  const actions = actionsOf(plan);
  if (request.json !== true) showTask(output, task);
  const steps = await replay(output, session, { actions, verbose: request.verbose, quiet: request.json });
  const verdict = session.verify();
  session.close();
  await environment.close?.();
  const found: Found = { task, verdict, steps, ...timed };
  if (request.json === true) output.json(record(found));
  else report(output, found);
  return verdict.pass ? 0 : 1;
}

export interface TimedPlan {
  readonly plan: Plan;
  readonly milliseconds: number;
}

interface Found extends TimedPlan {
  readonly task: Task;
  readonly steps: readonly Action[];
  readonly verdict: Verdict;
}

export function timedPlan(session: StateSession, limits: { nodes?: number; seconds?: number }): TimedPlan {
  const clock = createSystemClock();
  const planner = createPlanner({
    clock,
    ...(limits.nodes === undefined ? {} : { maxNodes: limits.nodes }),
    ...(limits.seconds === undefined ? {} : { maxMilliseconds: limits.seconds * 1000 }),
  });
  const start = clock.now();
  const plan = planner.plan(session);
  if (plan.outcome !== 'solved' && plan.sideEffects === undefined)
    return { plan: { ...plan, ...planner.obstacles?.(session) }, milliseconds: clock.now() - start };
  return { plan, milliseconds: clock.now() - start };
}

export function actionsOf(plan: Plan): readonly Action[] {
  return plan.outcome === 'solved' ? plan.actions : [];
}

interface Replay {
  readonly actions: readonly Action[];
  readonly verbose?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** Takes the steps in the session, telling each; stops where one is not applied. */
async function replay(output: Output, session: StateSession, { actions, verbose, quiet }: Replay): Promise<Action[]> {
  const { paint } = output;
  const digits = String(actions.length).length;
  const taken: Action[] = [];
  if (quiet !== true) output.line();
  for (const action of actions) {
    if (quiet !== true) {
      if (verbose === true)
        for (const line of session.observe().text.trimEnd().split('\n')) output.line(paint.dim(`     ${line}`));
      const number = `${taken.length + 1}.`.padStart(digits + 1);
      output.line(`${paint.dim(number)} ${await describeStep(session, action, paint)}`);
    }
    const { problem } = session.step(action);
    taken.push(action);
    if (problem !== undefined && quiet !== true) output.line(paint.yellow(`   ${problem.message}`));
  }
  return taken;
}

function advice(plan: Exclude<Plan, { outcome: 'solved' }>): string {
  const { outcome, expanded, sideEffects, midway } = plan;
  if (sideEffects !== undefined || midway !== undefined) return whyNoPlan(plan);
  if (outcome === 'goal-unreachable')
    return `all ${count(expanded, 'state')} that can be reached were tried, so more --nodes do not help; see the task with espalier play`;
  return 'try a larger --nodes or --seconds, or play it';
}

function report(output: Output, { plan, verdict, steps, milliseconds: duration }: Found): void {
  const { paint } = output;
  const effort = paint.dim(`${count(plan.expanded, 'expansion')} · ${milliseconds(duration)}`);
  if (plan.outcome !== 'solved') {
    if (steps.length > 0) output.line();
    const reason =
      plan.outcome === 'goal-unreachable' ? 'no reachable state meets the goal' : 'not found within the limits';
    output.line(`${paint.red('no plan')}: ${reason} ${paint.dim(`(${advice(plan)})`)}`);
  }
  output.line();
  for (const line of checkLines(verdict, paint)) output.line(line);
  output.line();
  output.line(`${verdictWord(verdict, paint)}  ${paint.dim(`${count(steps.length, 'step')} ·`)} ${effort}`);
}

function record({ task, plan, verdict, steps, milliseconds: duration }: Found): object {
  return {
    task: task.id,
    kind: task.kind,
    instruction: task.instruction,
    outcome: plan.outcome,
    actions: steps,
    expanded: plan.expanded,
    milliseconds: Math.round(duration * 10) / 10,
    verdict,
  };
}
