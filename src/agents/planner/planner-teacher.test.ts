import { beforeAll, describe, expect, it } from 'vitest';
import { openBuiltIn } from '../../catalog.ts';
import type { Action } from '../../core/action.ts';
import type { StateEnvironment, StateSession } from '../../core/contracts.ts';
import type { BranchStep, PrivilegedTeacher, Review, Segment } from '../../core/episode/agents.ts';
import { describeStep } from '../../core/episode/view.ts';
import { mediateSession, type StepContract } from '../../core/step-contracts/step-contract.ts';
import { createRandom } from '../../core/random.ts';
import type { Task } from '../../core/records.ts';
import { createPlanner } from './planner.ts';
import { createPlannerPolicy, createPlannerTeacher } from './planner-teacher.ts';

const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: 600, maxMilliseconds: Infinity });
const teacher = createPlannerTeacher({ planner });
const strict = createPlannerTeacher({ planner, strict: true });
let mail: StateEnvironment;
let shop: StateEnvironment;

beforeAll(async () => {
  [mail, shop] = await Promise.all([openBuiltIn('mail'), openBuiltIn('shop')]);
});

/** What a teacher says of these steps from the start of a session. */
function reviewed(start: StateSession, actions: readonly Action[], by: PrivilegedTeacher = teacher): Review {
  const session = start.fork();
  const states = [session.fork()];
  const steps: BranchStep[] = actions.map(action => {
    const [screen, before] = [session.observe().text, session.digest()];
    const { applied } = session.step(action);
    states.push(session.fork());
    return { action, text: describeStep(action, screen), by: 'student', screen, before, applied };
  });
  const segment: Segment = {
    instruction: session.task.instruction,
    context: [],
    path: [],
    visited: [],
    steps,
    after: session.observe(),
    end: session.digest(),
    verdict: actions.at(-1)?.kind === 'finish' ? session.verify() : null,
    random: createRandom('review'),
  };
  return by.review(segment, { at: index => (states[index] as StateSession).fork() }) as Review;
}

/** The first task of a template that is not its feasible twin. */
function notTwin(template: string): Task {
  const tasks = Array.from({ length: 20 }, (_, seed) => mail.task(template, seed));
  const found = tasks.find(({ kind }) => kind !== 'feasible');
  if (found === undefined) throw new Error(`${template} made feasible tasks only`);
  return found;
}

function plannedFor(session: StateSession): readonly Action[] {
  const plan = planner.plan(session);
  if (plan.outcome !== 'solved') throw new Error('not solved');
  return plan.actions;
}

function corrected(session: StateSession, by: PrivilegedTeacher, seed = 'plea'): Action | null {
  const view = {
    instruction: session.task.instruction,
    observation: session.observe(),
    history: [],
    path: [],
    tools: [],
    random: createRandom(seed),
  };
  const decision = by.correct({ view, reason: '', rejected: null }, session.fork());
  return (decision as { action: Action | null }).action;
}

function elementNamed(session: StateSession, name: string): Action {
  const found = session.candidates().find(candidate => candidate.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found.action;
}

/** A step to a new state from which the goal is as far as before. */
function neutralStep(session: StateSession): Action {
  const before = planner.costToGo(session);
  const found = session.candidates().find(({ action }) => {
    const fork = session.fork();
    const { applied } = fork.step(action);
    const isNew = applied && fork.digest() !== session.digest();
    return isNew && fork.guide().clean && planner.costToGo(fork) === before;
  });
  if (found === undefined) throw new Error('every step matters here');
  return found.action;
}

/** The session, with another budget of steps in its task. */
function withBudget(session: StateSession, steps: number): StateSession {
  const task = { ...session.task, budget: { ...session.task.budget, steps } };
  return { ...session, task, fork: () => withBudget(session.fork(), steps) };
}

describe('the planner as a teacher', () => {
  it('[POL-4] accepts a plan, and every beginning of it', () => {
    const session = mail.open(mail.task('reply-to-message', 5));
    const plan = plannedFor(session);
    for (let length = 1; length <= plan.length; length++) {
      expect(reviewed(session, plan.slice(0, length))).toEqual({ accept: true });
    }
  });

  it('[POL-10] rejects at the first step after which the goal is farther away, and says why', () => {
    const session = mail.open(mail.task('reply-to-message', 5));
    const [first, second] = plannedFor(session) as [Action, Action];
    const opened = session.fork();
    opened.step(first);
    const away = elementNamed(opened, 'Contacts');
    expect(reviewed(session, [first, away])).toMatchObject({ accept: false, at: 1 });
    const refused: Action = { kind: 'click', ref: 'e999' };
    expect(reviewed(session, [first, refused])).toEqual({ accept: false, at: 1, reason: 'it was refused' });
    expect(reviewed(session, [first, { kind: 'finish' }])).toEqual({
      accept: false,
      at: 1,
      reason: 'the task is not done',
    });
    const walked = session.fork();
    walked.step(first);
    walked.step(second);
    const back = elementNamed(walked, 'Inbox');
    expect(reviewed(session, [first, second, back])).toMatchObject({ accept: false, at: 2 });
  });

  it('[POL-11] repeats a step that a contract asks about, and accepts the step that was asked', () => {
    const asks = (holds: StepContract['holds']): StepContract => ({
      id: 'asks',
      about: 'Sure?',
      mediation: 'ask',
      holds,
    });
    const stars = ({ description }: { readonly description: string }) => description.includes('"Star');
    const session = mediateSession(mail.open(mail.task('star-message', 3)), [
      asks(step => !stars(step) && step.action.kind !== 'finish'),
    ]);
    const ownPlanner = createPlanner({ clock: { now: () => 0 } });
    const plan = ownPlanner.plan(session);
    if (plan.outcome !== 'solved') throw new Error('not solved');
    const { actions } = plan;
    expect(actions.slice(-2)).toEqual([actions.at(-1), actions.at(-1)]);
    const walker = session.fork();
    const applied = actions.map(action => walker.step(action).applied);
    expect(walker.verify().pass).toBe(true);
    expect(applied.filter(isApplied => !isApplied)).toHaveLength(2);
    const asked = applied.indexOf(false) + 1;
    const own = createPlannerTeacher({ planner: ownPlanner });
    expect(reviewed(session, actions.slice(0, asked), own)).toEqual({ accept: true });
  });

  it('[POL-4] accepts a neutral step, after which the goal is as near as before; a strict one does not', () => {
    const session = mail.open(mail.task('reply-to-message', 5));
    const neutral = neutralStep(session);
    expect(reviewed(session, [neutral])).toEqual({ accept: true });
    expect(reviewed(session, [neutral], strict)).toEqual({
      accept: false,
      at: 0,
      reason: 'it does not bring the goal nearer',
    });
    expect([teacher.name, strict.name]).toEqual(['planner', 'strict planner']);
  });

  it('[POL-10] rejects a neutral step that the goal has no steps left for', () => {
    const task = mail.task('reply-to-message', 5);
    const needed = plannedFor(mail.open(task)).length;
    const review = (steps: number): Review => {
      const session = mail.open(task);
      const scarce = withBudget(session, steps);
      return reviewed(scarce, [neutralStep(session)]);
    };
    expect(review(needed + 1)).toEqual({ accept: true });
    expect(review(needed)).toEqual({ accept: false, at: 0, reason: 'too few steps are left for the goal after it' });
  });

  it('[POL-4] accepts whatever ends in a finish that the verifier passed', () => {
    const session = mail.open(mail.task('reply-to-message', 5));
    const away = elementNamed(session, 'Contacts');
    const there = session.fork();
    there.step(away);
    const detour = [away, ...plannedFor(there)];
    expect(reviewed(session, [away], strict)).toMatchObject({ accept: false });
    expect(reviewed(session, detour)).toEqual({ accept: true });
  });

  it('[POL-10] rejects what changes something that the task does not allow', () => {
    const session = mail.open(mail.task('star-message', 5));
    const stars = session.candidates().filter(({ name, role }) => name === 'Star' && role === 'switch');
    const wrong = stars.find(({ action }) => {
      const fork = session.fork();
      fork.step(action);
      return !fork.guide().clean;
    });
    expect(reviewed(session, [wrong?.action as Action])).toMatchObject({
      accept: false,
      at: 0,
      reason: expect.stringContaining('does not allow'),
    });
  });

  it('[POL-5] corrects with the first step of a plan from the restored state', () => {
    const session = shop.open(shop.task('add-variant-to-cart', 4));
    const plan = plannedFor(session);
    for (const action of plan) {
      expect(corrected(session, teacher)).toEqual(action);
      session.step(action);
    }
  });

  it.each(['already-marked', 'missing-message'])('[POL-6] has %s looked up before it is ended', template => {
    const task = notTwin(template);
    const session = mail.open(task);
    const end: Action = template === 'missing-message' ? { kind: 'finish', infeasible: true } : { kind: 'finish' };
    expect(reviewed(session, [end])).toMatchObject({
      accept: false,
      at: 0,
      reason: expect.stringContaining('looked up'),
    });
    const taken: Action[] = [];
    while (taken.at(-1)?.kind !== 'finish' && taken.length < 6) {
      const next = corrected(session, teacher) as Action;
      taken.push(next);
      session.step(next);
    }
    expect(taken.length).toBeGreaterThan(1);
    expect(session.verify().pass).toBe(true);
    expect(reviewed(mail.open(task), taken)).toEqual({ accept: true });
  });

  it('[POL-7] errs as often as its dial says, in reviews and in corrections, and as its seed says', () => {
    const session = mail.open(mail.task('reply-to-message', 5));
    const [first] = plannedFor(session) as [Action];
    const always = createPlannerTeacher({ planner, errorRate: 1 });
    expect(reviewed(session, [first], always)).toMatchObject({ accept: false, at: 0 });
    expect(reviewed(session, [elementNamed(session, 'Contacts')], always)).toEqual({ accept: true });
    const sometimes = createPlannerTeacher({ planner, errorRate: 0.1 });
    const wrong = Array.from({ length: 400 }, (_, seed) => corrected(session, sometimes, `${seed}`)).filter(
      action => JSON.stringify(action) !== JSON.stringify(first),
    );
    // Four standard deviations around 40.
    expect(wrong.length).toBeGreaterThan(16);
    expect(wrong.length).toBeLessThan(64);
    expect(corrected(session, sometimes, 'same')).toEqual(corrected(session, sometimes, 'same'));
  });

  it('[POL-8] as a policy passes tasks of every kind', () => {
    const policy = createPlannerPolicy(planner);
    for (const template of ['reply-to-message', 'already-marked', 'missing-message', 'contact-phone']) {
      const session = mail.open(
        template.startsWith('already') || template.startsWith('missing') ? notTwin(template) : mail.task(template, 9),
      );
      const view = {
        instruction: '',
        observation: session.observe(),
        history: [],
        path: [],
        tools: [],
        random: createRandom(1),
      };
      for (let step = 0; step < 12 && session.candidates().length > 0; step++) {
        session.step((policy.act(view, session.fork()) as { action: Action }).action);
      }
      expect([template, session.verify().pass]).toEqual([template, true]);
    }
  });
});

it('[PLAN-11] as a student errs as often as it is told, and goes on from where that led', () => {
  const start = () => mail.open(mail.task('star-message', 1)) as StateSession;
  const shares = [0, 1].map(errors => {
    const policy = createPlannerPolicy(planner, errors);
    const right = planner.nextAction(start());
    const acted = Array.from({ length: 20 }, (_, seed) => {
      const view = { random: createRandom(`${seed}`) } as Parameters<typeof policy.act>[0];
      return (policy.act(view, start()) as { action: Action }).action;
    });
    return acted.filter(action => JSON.stringify(action) === JSON.stringify(right)).length / acted.length;
  });
  expect(shares[0]).toBe(1);
  expect(shares[1]).toBeLessThan(0.5);
});
