import { describe, expect, it } from 'vitest';
import { app } from '../../../examples/library/library.ts';
import { perfectTeacher, planFor, runOne } from '../../../test/fixtures/episode-setup.ts';
import { actionKey, type Action } from '../../core/action.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { OrdinaryPolicy } from '../../core/episode/agents.ts';
import { exported } from '../../../test/fixtures/exported.ts';
import { contrasts } from '../../dataset/methods/contrasts.ts';
import { expertFailures } from '../../dataset/methods/expert-failures.ts';
import { purified } from '../../dataset/methods/purified.ts';
import { dominates, repairs } from '../../dataset/methods/repairs.ts';
import { worldModel } from '../../dataset/methods/world-model.ts';
import { createRequests } from '../../dataset/requests/requests.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createWorld } from '../../worlds/world.ts';
import { createAlternatives } from './alternatives.ts';
import { createRetry, type RetryOptions } from './retry.ts';

const world = createWorld(app);
const task = world.task('lend-to-reader', 3);
const plan = planFor(world.open(task));
const finish: Action = { kind: 'finish' };

/** Finishes too soon, unless it was told what is wrong. */
function student(late = plan): OrdinaryPolicy & { readonly told: string[] } {
  const told: string[] = [];
  return {
    name: 'hasty',
    told,
    act({ instruction, history }) {
      told.push(instruction);
      const isTold = instruction.includes('Hint: ');
      const action = isTold || history.length < plan.length - 2 ? (late[history.length] as Action) : finish;
      return { action, ...(isTold ? { thought: 'The hint says that more is to be done.' } : {}) };
    },
  };
}

async function retried(options: RetryOptions, act = student()) {
  const strategy = createRetry(options);
  return runOne({ task, parts: { environment: world, student: act, teacher: perfectTeacher, strategy } });
}

describe('retry', () => {
  it('[ROL-27] goes back to the step that the teacher names, and tells the student why', async () => {
    const act = student();
    const { end, leaves, tree, reviews } = await retried({}, act);
    expect(end).toMatchObject({ outcome: 'passed', counts: { rollbacks: 1, reviews: 1, steps: plan.length } });
    expect(leaves.map(({ verdict }) => verdict?.pass)).toEqual([false, true]);
    const [first, second] = leaves.map(({ node }) => tree.path(node).map(({ id }) => id)) as [number[], number[]];
    const pivot = first.indexOf(reviews[0]?.at as number);
    expect(second.slice(0, pivot)).toEqual(first.slice(0, pivot));
    expect(second.slice(pivot).every(node => tree.node(node).hint === 'no nearer to the goal')).toBe(true);
    // No step is taken twice: a retry costs what it adds.
    expect(end.counts.taken).toBe(first.length + second.length - pivot);
    expect(act.told.at(-1)).toBe(`${task.instruction}\n\nHint: no nearer to the goal`);
  });

  it('[ROL-27] without a hint, from the start or from states spread over the attempt, it says nothing', async () => {
    for (const options of [{ hint: false }, { from: 'start' }, { from: 'spread', retries: 3 }] as const) {
      const { end, leaves, tree } = await retried(options);
      expect([options, end.outcome]).toEqual([options, 'failed']);
      expect(leaves).toHaveLength((('retries' in options ? options.retries : undefined) ?? 2) + 1);
      expect(tree.record().nodes.some(({ hint }) => hint !== undefined)).toBe(false);
    }
  });

  it('[ROL-27] places that are spread lie evenly on the first attempt', async () => {
    const walk = (history: readonly string[]): Action => (history.length < 8 ? { kind: 'click', ref: 'e1' } : finish);
    const act = { name: 'walker', act: ({ history }: { history: readonly string[] }) => ({ action: walk(history) }) };
    const { leaves, tree } = await retried({ from: 'spread', retries: 3 }, { ...act, told: [] });
    const [first, ...others] = leaves.map(({ node }) => tree.path(node).map(({ id }) => id)) as number[][];
    // Nine steps begin in nine states, of which every retry leaves a quarter more as it is: after 2, 4 and 6 steps.
    expect(first).toHaveLength(9);
    expect(others.map(path => path.filter(id => first?.includes(id)).length)).toEqual([2, 4, 6]);
  });

  it('[ROL-27] a teacher that errs goes first, and the student goes on from states of its path', async () => {
    const wrong = { ...perfectTeacher, correct: () => ({ action: finish }) };
    const strategy = createRetry({ first: 'teacher', from: 'spread', retries: 1, hint: false });
    const careful = {
      ...student(),
      act: ({ history }: { history: readonly string[] }) => ({ action: plan[history.length] as Action }),
    };
    const { end, leaves, tree } = await runOne({
      task,
      parts: { environment: world, student: careful, teacher: wrong, strategy },
    });
    expect(leaves.map(({ verdict }) => verdict?.pass)).toEqual([false, true]);
    expect(tree.node(1).actor.role).toBe('teacher');
    expect(end.outcome).toBe('passed');
  });

  it('[DATA-3] the beginning of the failure of a teacher is kept, and none of what the student failed at after it', async () => {
    const [begins] = plan as [Action];
    let corrected = 0;
    const wrong = { ...perfectTeacher, correct: () => ({ action: corrected++ === 0 ? begins : finish }) };
    let asked = 0;
    // From the start it does as the teacher did; from the state after the first step it goes on rightly.
    const act: OrdinaryPolicy = {
      name: 'late',
      act: ({ history }) => ({ action: asked++ === 1 ? finish : (plan[history.length] as Action) }),
    };
    const strategy = createRetry({ first: 'teacher', from: 'spread', retries: 2 });
    const record = await runOne({ task, parts: { environment: world, student: act, teacher: wrong, strategy } });
    expect(record.leaves.map(({ verdict }) => verdict?.pass)).toEqual([false, false, true]);
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    const { tree, end } = record;
    const passed = new Set(tree.path(end.leaf).map(({ after }) => after));
    const passesFrom = (node: number): boolean => passed.has(tree.node(node).after);
    const rows = [...expertFailures.rows({ ...exported(record, requests), passesFrom })];
    expect(rows.map(({ node, actor_role: role }) => [node, role])).toEqual([[1, 'teacher']]);
  });

  it('[ROL-27] [EXP-25] takes refused steps back, and the path has none of them, nor rows what was said of the hint', async () => {
    const nowhere: Action = { kind: 'click', ref: 'e999' };
    const act: OrdinaryPolicy = {
      name: 'blind',
      act: ({ instruction, history }) => ({
        action: instruction.includes('Hint: ') ? (plan[history.length] as Action) : nowhere,
        thought: instruction.includes('Hint: ') ? 'I was told that there is no element e999.' : 'First e999.',
      }),
    };
    const record = await retried({ from: 'refused' }, { ...act, told: [] });
    const { end, tree } = record;
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    const rows = [purified, contrasts].flatMap(table => [...table.rows(exported(record, requests))]);
    expect(rows).toHaveLength(1 + plan.length);
    expect(JSON.stringify(rows)).not.toContain('I was told');
    expect(end.outcome).toBe('passed');
    expect(tree.path(end.leaf).every(({ outcome }) => outcome.applied)).toBe(true);
    expect(end.counts.taken).toBe(2 * plan.length);
  });

  it('[EXP-25] rows have neither the hint nor a thought that speaks of it, nor a text that only the hint had', async () => {
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    const record = await retried({});
    const hinted = record.tree.record().nodes.filter(({ hint }) => hint !== undefined);
    expect(hinted.length).toBeGreaterThan(0);
    for (const { id } of hinted) {
      const request = requests.of(record, id);
      expect(JSON.stringify([request?.messages, request?.answer(id)])).not.toMatch(/hint|no nearer/i);
    }
    const leaking = {
      ...perfectTeacher,
      review: () => ({ accept: false, at: 0, reason: 'The answer is Zaphod 42.' }) as const,
    };
    const told: OrdinaryPolicy = {
      name: 'told',
      act: ({ instruction }) => ({
        action: instruction.includes('Zaphod') ? { ...finish, answer: 'Zaphod 42' } : finish,
      }),
    };
    const parts = { environment: world, student: told, teacher: leaking, strategy: createRetry() };
    const leaked = await runOne({ task, parts });
    const answers = leaked.tree.record().nodes.filter(({ hint }) => hint !== undefined);
    expect(answers.map(({ id }) => requests.of(leaked, id))).toEqual(answers.map(() => null));
  });

  it('[EXP-25] no row has a word of a hint inside a longer text or a thought, where nothing else shows it', async () => {
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    const leaking = {
      ...perfectTeacher,
      review: () => ({ accept: false, at: 0, reason: 'The answer is Zaphod 42.' }) as const,
    };
    const asked = async (said: { readonly answer?: string; readonly thought?: string }) => {
      const { answer, ...thought } = said;
      const act: OrdinaryPolicy['act'] = ({ instruction }) =>
        instruction.includes('Zaphod')
          ? { action: { ...finish, ...(answer === undefined ? {} : { answer }) }, ...thought }
          : { action: finish };
      const parts = { environment: world, student: { name: 'told', act }, teacher: leaking, strategy: createRetry() };
      const record = await runOne({ task, parts });
      const [{ id }] = record.tree.record().nodes.filter(({ hint }) => hint !== undefined) as [TreeNode];
      return requests.of(record, id)?.answer(id);
    };
    expect(await asked({ answer: 'I think that it is 42' })).toBeUndefined();
    expect(await asked({ answer: 'Zaphod, most likely' })).toBeUndefined();
    expect(JSON.stringify(await asked({ thought: 'So it must be 42.' }))).not.toContain('42');
    expect(JSON.stringify(await asked({ thought: 'I am done here.' }))).toContain('I am done here.');
  });

  it('[EXP-25] no row has a step after one that says what only its hint had, be it the word before the hint', async () => {
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    const search = plan.find(({ kind }) => kind === 'fill') as Extract<Action, { kind: 'fill' }>;
    const act = ({ instruction, history }: { instruction: string; history: readonly unknown[] }) => {
      if (!instruction.includes('Hint: ') || history.length > 1) return { action: finish };
      return { action: history.length === 0 ? { ...search, text: 'Hint' } : (plan[0] as Action) };
    };
    const { tree, ...record } = await retried({ from: 'verdict', retries: 1 }, { name: 'parrot', act, told: [] });
    const hinted = tree.record().nodes.filter(({ hint }) => hint !== undefined);
    expect(hinted.map(({ action }) => action.kind)).toEqual(['fill', plan[0]?.kind, 'finish']);
    expect(hinted.map(({ id }) => requests.of({ tree, ...record }, id))).toEqual([null, null, null]);
  });
});

describe('repairs', () => {
  it('[ROL-27] [DATA-15] a student hears where something else was changed, and no address of it', async () => {
    const told: string[] = [];
    const act: OrdinaryPolicy['act'] = ({ instruction, history }) => {
      told.push(instruction);
      const input = { id: `b${history.length + 1}`, reader: 'Nobody' };
      return { action: history.length < 5 ? { kind: 'call', tool: 'lend_book', input } : finish };
    };
    await retried({ from: 'verdict', retries: 1 }, { name: 'careless', act, told });
    expect(told.at(-1)).toContain('that nothing else is changed (there is a change in books).');
    expect(told.join('')).not.toContain('/');
  });

  it('[ROL-27] [DATA-15] tries repairs, told what the verifier said, and scores each; rows do not have what was told', async () => {
    let asked = 0;
    const act: OrdinaryPolicy = {
      name: 'repairing',
      act({ instruction, history }) {
        asked += Number(history.length === 0);
        if (!instruction.includes('It did not hold that')) return { action: finish };
        // Of three repairs the second gives up, the others do what is asked; the third after a click on nothing.
        if (asked === 3) return { action: { kind: 'finish', infeasible: true } };
        const late = asked === 4 ? 1 : 0;
        return {
          action: history.length < late ? { kind: 'click', ref: 'e999' } : (plan[history.length - late] as Action),
        };
      },
    };
    const strategy = createRetry({ from: 'verdict', all: true, retries: 3 });
    const record = await runOne({ task, parts: { environment: world, student: act, teacher: null, strategy } });
    expect(record.end.outcome).toBe('passed');
    expect(record.leaves.map(({ verdict }) => verdict?.pass)).toEqual([false, true, false, true]);
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    const rows = [...repairs.rows(exported(record, requests))];
    expect(rows.map(({ kept, front, openness }) => [kept, front, openness])).toEqual([
      [true, true, 1],
      [false, false, 0],
      [false, false, 1],
    ]);
    expect(rows[2]?.['validity']).toBeCloseTo(plan.length / (plan.length + 1), 9);
    expect(JSON.stringify(rows.map(({ messages }) => messages))).not.toMatch(/It did not hold|Hint/);
    const worse = { security: 1, utility: 0.5, openness: 1, validity: 1 };
    expect(dominates({ ...worse, utility: 1 }, worse)).toBe(true);
    expect(dominates({ ...worse, utility: 1, security: 0 }, worse)).toBe(false);
  });
});

describe('alternatives', () => {
  it('[ROL-28] tries other actions in every state of the path of the teacher, each once, and keeps the path', async () => {
    const others: readonly Action[] = [finish, { kind: 'click', ref: 'e1' }, { kind: 'click', ref: 'e2' }];
    let asked = 0;
    const act: OrdinaryPolicy = { name: 'other', act: () => ({ action: others[asked++ % others.length] as Action }) };
    const strategy = createAlternatives({ width: 2 });
    const { end, tree } = await runOne({
      task,
      parts: { environment: world, student: act, teacher: perfectTeacher, strategy },
    });
    expect(end).toMatchObject({ outcome: 'passed', counts: { steps: plan.length } });
    const path = tree.path(end.leaf);
    expect(path.map(({ action }) => actionKey(action))).toEqual(plan.map(actionKey));
    for (const { parent, action } of path) {
      const tried = tree.children(parent).filter(({ actor }) => actor.role === 'student');
      const keys = tried.map(node => actionKey(node.action));
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys).not.toContain(actionKey(action));
      expect(keys.length).toBeGreaterThan(0);
      expect(keys.length).toBeLessThanOrEqual(2);
    }
  });

  it('[ROL-28] keeps the screen that each of them led to, for rows of a world model', async () => {
    const act: OrdinaryPolicy = { name: 'clicks', act: () => ({ action: { kind: 'click', ref: 'e2' } }) };
    const parts = { environment: world, student: act, teacher: perfectTeacher, strategy: createAlternatives() };
    const record = await runOne({ task, parts });
    const requests = createRequests({ source: { attachment: () => null }, toolsOf: () => world.tools });
    const rows = [...worldModel.rows(exported(record, requests))].filter(row => row['actor_role'] === 'student');
    expect(rows.length).toBeGreaterThan(0);
    for (const { node, next_screen: shown } of rows) {
      const trail = await createTrail(world, task);
      for (const { action, actor } of record.tree.path(node as number)) await trail.step(action, actor);
      expect(shown).toBe(trail.session().observe().text);
    }
  });

  it('[ROL-28] with recovery, the teacher goes on from where each of them led', async () => {
    const act: OrdinaryPolicy = { name: 'clicks', act: () => ({ action: { kind: 'click', ref: 'e1' } }) };
    const strategy = createAlternatives({ width: 1, recover: true });
    const { tree, end } = await runOne({
      task,
      parts: { environment: world, student: act, teacher: perfectTeacher, strategy, limits: strategy.limits ?? {} },
    });
    const tried = tree.record().nodes.filter(({ actor, outcome }) => actor.role === 'student' && outcome.applied);
    expect(end.outcome).toBe('passed');
    expect(tried.length).toBeGreaterThan(0);
    for (const { id } of tried) expect(tree.children(id).map(({ actor }) => actor.role)).toEqual(['teacher']);
  });
});
