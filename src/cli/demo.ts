import type { EnvironmentEntry } from '../catalog.ts';
import type { Action } from '../core/action.ts';
import type { Plan, StateEnvironment, StateSession } from '../core/contracts.ts';
import { causeText } from '../core/errors.ts';
import type { Task } from '../core/records.ts';
import type { Trail } from '../core/episode/trail.ts';
import { createTrail } from '../kernel/trail.ts';
import { checkLines, describeStep, mark, milliseconds, verdictWord } from './describe.ts';
import { openTask } from './load.ts';
import { actionsOf, timedPlan } from './plan.ts';
import { columns, count, wrap, type ExitCode, type Output } from './output.ts';
import { createSystemClock } from './system-clock.ts';

const secondsPerPlan = 5;
/** For each app a short task, one that asks for an answer, and a long one. */
const scenes: Readonly<Record<string, readonly string[]>> = {
  mail: ['clear-sender', 'contact-phone', 'sort-three'],
  shop: ['change-setting', 'order-of-product', 'add-variant-to-cart'],
  tracker: ['comment-on-issue', 'which-blocks', 'add-sub-issue'],
};
const teacher = { role: 'teacher', name: 'planner' } as const;

/** Three planned tasks in every app, and in each app one step that is taken back. */
export async function demo(output: Output, entries: readonly EnvironmentEntry[]): Promise<ExitCode> {
  const { paint } = output;
  const results: Result[] = [];
  for (const { id, load } of entries) {
    try {
      const environment = await load();
      showApp(output, environment);
      const templates = scenes[id] ?? environment.templates.slice(0, 3).map(template => template.id);
      for (const template of templates) {
        const planned = await planScene(output, environment, template);
        results.push(await perform(output, planned, { environment, slip: template === templates.at(-1) }));
      }
    } catch (cause) {
      output.line(`${paint.red('error:')} ${causeText(cause)}`);
      results.push({ app: id, template: '', steps: 0, expanded: 0, milliseconds: 0, pass: false, rollback: null });
    }
  }
  summarise(output, results);
  return results.every(({ pass, rollback }) => pass && rollback !== false) ? 0 : 1;
}

interface Planned {
  readonly task: Task;
  readonly plan: Plan;
  readonly actions: readonly Action[];
  readonly milliseconds: number;
}

interface Result {
  readonly app: string;
  readonly template: string;
  readonly steps: number;
  readonly expanded: number;
  readonly milliseconds: number;
  readonly pass: boolean;
  /** Whether the state after the rollback was the one before; null when nothing was rolled back. */
  readonly rollback: boolean | null;
}

function showApp({ line, paint, width }: Output, { id, title, templates, tools }: StateEnvironment): void {
  const facts = `${id} · ${count(templates.length, 'template')} · ${count(tools.length, 'tool')}`;
  line();
  line(`${paint.bold(paint.cyan(title))}  ${paint.dim(facts)}`);
  line(paint.dim('─'.repeat(width)));
}

async function planScene(output: Output, environment: StateEnvironment, template: string): Promise<Planned> {
  const task = await openTask(environment, template, 1);
  output.progress(`planning ${task.id} …`);
  const timed = timedPlan(environment.open(task), { seconds: secondsPerPlan });
  output.progress('');
  return { task, actions: actionsOf(task, timed.plan), ...timed };
}

interface Stage {
  readonly environment: StateEnvironment;
  /** Take a wrong step half-way, and take it back. */
  readonly slip: boolean;
}

async function perform(output: Output, planned: Planned, { environment, slip }: Stage): Promise<Result> {
  const { paint, width, line } = output;
  const { task, plan, actions } = planned;
  line();
  line(`${paint.bold(wrap(task.instruction, width, ''))}`);
  line(paint.dim([task.template, task.split, ...(task.kind === 'feasible' ? [] : [task.kind])].join(' · ')));
  const trail = await createTrail(environment, task);
  const slipAt = slip ? Math.floor(actions.length / 2) : -1;
  let rollback: boolean | null = null;
  for (const [index, action] of actions.entries()) {
    if (index === slipAt) rollback = await slipAndReturn(output, trail);
    line(`  ${paint.dim(`${index + 1}.`.padStart(3))} ${await describeStep(trail.session(), action, paint)}`);
    await trail.step(action, teacher);
  }
  const verdict = await trail.session().verify();
  await trail.session().close();
  for (const check of checkLines(verdict, paint)) line(`      ${check}`);
  const duration = planned.milliseconds;
  const effort = `${count(actions.length, 'step')} · ${count(plan.expanded, 'expansion')} · ${milliseconds(duration)}`;
  line(`      ${verdictWord(verdict, paint)}  ${paint.dim(effort)}`);
  const { expanded } = plan;
  return {
    app: environment.id,
    template: task.template,
    steps: actions.length,
    expanded,
    milliseconds: duration,
    pass: verdict.pass,
    rollback,
  };
}

/** Takes a step that leads away from the goal, rolls back, and says whether the state is the same again. */
async function slipAndReturn({ line, paint }: Output, trail: Trail): Promise<boolean | null> {
  const session = trail.session() as StateSession;
  const wrong = wrongStep(session);
  if (wrong === null) return null;
  const clock = createSystemClock();
  const [node, before] = [trail.at(), session.digest()];
  line(
    `   ${paint.red('✗')}  ${await describeStep(session, wrong, paint)}  ${paint.yellow('a wrong step, on purpose')}`,
  );
  await trail.step(wrong, teacher);
  const strayed = session.digest();
  const start = clock.now();
  const { method } = await trail.rollback(node);
  const duration = clock.now() - start;
  const reached = await trail.session().digest();
  const [left, gone, right] = [before, strayed, reached].map(digest => digest.slice(0, 8));
  line(
    `   ${paint.green('↶')}  rolled back by ${method} in ${duration.toFixed(2)} ms  ` +
      `${paint.dim(`${left} → ${gone} → ${right}`)} ${mark(before === reached, paint)} same digest`,
  );
  return before === reached;
}

/** A click that changes what the task does not allow; else any that changes something. */
function wrongStep(session: StateSession): Action | null {
  let other: Action | null = null;
  for (const { action } of session.candidates()) {
    if (action.kind !== 'click') continue;
    const fork = session.fork();
    fork.step(action);
    if (!fork.guide().clean) return action;
    if (fork.digest() !== session.digest()) other ??= action;
  }
  return other;
}

function summarise({ line, paint, width }: Output, results: readonly Result[]): void {
  const heads = ['app', 'template', 'steps', 'expansions', 'ms', 'verdict'].map(head => paint.dim(head));
  const rows = results.map(({ app, template, steps, expanded, milliseconds: duration, pass }) => [
    app,
    template,
    String(steps),
    expanded.toLocaleString('en'),
    Math.round(duration).toLocaleString('en'),
    pass ? paint.green('passed') : paint.red('failed'),
  ]);
  line();
  line(paint.dim('─'.repeat(width)));
  for (const row of columns([heads, ...rows], [2, 3, 4])) line(row);
  const sum = (figure: (result: Result) => number): number => results.reduce((total, each) => total + figure(each), 0);
  const passed = results.filter(({ pass }) => pass).length;
  const rollbacks = results.filter(({ rollback }) => rollback !== null);
  const certified = rollbacks.filter(({ rollback }) => rollback === true).length;
  const verdict = `${passed} of ${count(results.length, 'task')} passed`;
  const totals = [
    count(
      sum(({ steps }) => steps),
      'step',
    ),
    count(
      sum(({ expanded }) => expanded),
      'expansion',
    ),
    `planned in ${milliseconds(sum(({ milliseconds: duration }) => duration))}`,
    `${certified} of ${count(rollbacks.length, 'rollback')} certified`,
  ];
  line();
  line(`${passed === results.length ? paint.green(verdict) : paint.red(verdict)}  ${paint.dim(totals.join(' · '))}`);
}
