import { expect } from 'vitest';
import { environments } from '../../src/catalog.ts';
import type { Action } from '../../src/core/action.ts';
import { createManualClock } from '../../src/core/clock.ts';
import type { Planner, StateEnvironment, StateSession, ToolInfo } from '../../src/core/contracts.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Split, Task } from '../../src/core/records.ts';
import { admitTemplates } from '../../src/forge/admission/admission.ts';
import type { App } from '../../src/worlds/app/app.ts';
import { anyCall } from '../../src/worlds/any-call.ts';
import { checkLaws } from '../../src/worlds/laws.ts';
import { createWorld } from '../../src/worlds/world.ts';
import { createPlanner } from '../../src/agents/planner/planner.ts';
import { heldOutCommands } from '../../src/forge/pool/held-out.ts';
import { isLong } from '../long-form.ts';

/** What every built-in app is held to. Each check throws when it does not hold. */
export interface Suite {
  size(): void;
  laws(): Promise<void>;
  fuzz(): void;
  admission(): void;
  planning(): void;
  infeasible(): void;
  guessing(): void;
  checkIds(): void;
  heldOut(): void;
}

export async function suiteOf(id: string): Promise<Suite> {
  const entry = environments.find(known => known.id === id);
  if (entry === undefined) throw new Error(`there is no built-in app "${id}"`);
  const app = await entry.app();
  const world = createWorld(app);
  return {
    size: () => checkSize(app, world),
    laws: () => holdToLaws(world),
    fuzz: () => fuzz(app, world),
    admission: () => admitAll(app),
    planning: () => planMany(world),
    infeasible: () => reportInfeasible(world),
    guessing: () => guess(world),
    checkIds: () => compareCheckIds(world),
    heldOut: () => compareHeldOut(app, world),
  };
}

function checkSize(app: App<JsonObject>, world: StateEnvironment): void {
  const countOf = (wanted: Split): number => world.templates.filter(({ split }) => split === wanted).length;
  expect(world.tools.length).toBeGreaterThanOrEqual(15);
  expect(world.templates.length).toBeGreaterThanOrEqual(16);
  expect(countOf('train')).toBeGreaterThanOrEqual(10);
  expect(countOf('test')).toBeGreaterThanOrEqual(countOf('train') / 2);
  expect(new Set(world.templates.map(({ kind }) => kind))).toEqual(new Set(['feasible', 'already-done', 'infeasible']));
  const state = app.init(createRandom('size'));
  const records = Object.values(state).flatMap(member => (Array.isArray(member) ? member : []));
  expect(records.length).toBeGreaterThanOrEqual(40);
  expect(records.length).toBeLessThanOrEqual(200);
  for (const { input, description } of world.tools) {
    expect(input['type']).toBe('object');
    expect(description).toMatch(/^[A-Z].*\.$/s);
  }
}

/** Walks of the short form are shorter, not fewer: every template is walked. */
const [lawSteps, fuzzSteps] = isLong ? [25, 150] : [10, 25];

async function holdToLaws(world: StateEnvironment): Promise<void> {
  const tasks = world.templates.map(({ id }) => world.task(id, 11));
  const results = await checkLaws(world, { tasks, steps: lawSteps });
  expect(results.filter(({ pass }) => !pass)).toEqual([]);
}

/** Clicks, typing, selections, tool calls with half-right inputs and plain nonsense, from a seed. */
function fuzz(app: App<JsonObject>, world: StateEnvironment): void {
  const random = createRandom('fuzz');
  let applied = 0;
  for (const { id } of world.templates) {
    const session = world.open(world.task(id, 5));
    for (let step = 0; step < fuzzSteps; step++) {
      const { applied: done } = session.step(anyAction(session, world, random));
      if (!done) continue;
      applied++;
      const parsed = app.state.safeParse(session.state());
      expect(parsed.success, parsed.error?.message).toBe(true);
      expect(session.observe().text.length).toBeGreaterThan(20);
      session.verify();
    }
  }
  expect(applied).toBeGreaterThan((world.templates.length * fuzzSteps) / 2);
}

function anyAction(session: StateSession, world: StateEnvironment, random: ReturnType<typeof createRandom>): Action {
  const ref = `e${random.between(1, 60)}`;
  const roll = random.next();
  if (roll < 0.6) return random.pick(session.candidates()).action;
  if (roll < 0.9) return anyCall(random.pick(world.tools), session.state(), random);
  return random.pick<Action>([
    { kind: 'click', ref },
    {
      kind: 'fill',
      ref,
      text: random.pick(['', ' ', 'zzz', '💥'.repeat(300), '<b>&amp;</b>', '0', '-1', '2026-02-31']),
    },
    { kind: 'select', ref, option: 'no such option' },
  ]);
}

/**
 * In the short form every second template climbs, with fewer instances and fewer tries to pass wrongly, and the further held-out sets
 * do not.
 */
const ladder = isLong ? {} : { tries: 60, seeds: 3 };

/** A search in vain for a way to do an infeasible task uses up all its states: the short form gives it fewer. */
function ladderPlanner(): Planner {
  const planner = createPlanner({ clock: createManualClock(), maxNodes: 2500 });
  const brief = createPlanner({ clock: createManualClock(), maxNodes: isLong ? 2500 : 300 });
  return { ...planner, plan: session => (session.task.kind === 'infeasible' ? brief : planner).plan(session) };
}

function admitAll(app: App<JsonObject>): void {
  const templates = app.templates
    .filter(({ split }, index) => isLong || ((split === 'train' || split === 'test') && index % 2 === 0))
    .map(({ id }) => id);
  const rejected = [...admitTemplates(app, { planner: ladderPlanner(), templates, ...ladder })].filter(
    ({ admitted }) => !admitted,
  );
  expect(rejected).toEqual([]);
}

/**
 * Three apps with some thirty templates each: in the long form a thousand instances in all, else one of every third template. The
 * ladder has three instances of its templates solved.
 */
const instances = isLong ? 340 : 10;
const stride = isLong ? 1 : 3;

function planMany(world: StateEnvironment): void {
  const { templates } = world;
  const lengths = new Set<number>();
  const failed: string[] = [];
  for (let index = 0; index < instances; index++) {
    const task = world.task(templates[(index * stride) % templates.length]?.id as string, 2000 + index);
    const session = world.open(task);
    const plan = createPlanner({ clock: createManualClock() }).plan(session);
    if (plan.outcome !== 'solved') {
      failed.push(task.id);
      continue;
    }
    for (const action of plan.actions) session.step(action);
    expect(session.verify().pass, task.id).toBe(true);
    lengths.add(plan.cost);
  }
  expect(failed.length, failed.join()).toBeLessThanOrEqual(instances * 0.02);
  expect(Math.min(...lengths)).toBeLessThanOrEqual(3);
  expect(Math.max(...lengths)).toBeGreaterThanOrEqual(isLong ? 9 : 7);
}

const twinSeeds = 20;

/** The planned run of each infeasible task passes; the same ending at once, or after a change, does not. */
function reportInfeasible(world: StateEnvironment): void {
  const planner = createPlanner({ clock: createManualClock() });
  for (const { id } of world.templates.filter(({ kind }) => kind === 'infeasible')) {
    const tasks = Array.from({ length: twinSeeds }, (_, seed) => world.task(id, seed));
    const task = tasks.find(({ kind }) => kind === 'infeasible');
    if (task === undefined) throw new Error(`${id}: no infeasible task among ${twinSeeds}`);
    const plan = planner.plan(world.open(task));
    if (plan.outcome !== 'solved') throw new Error(`${id}: ${plan.outcome}`);
    const report: Action = { kind: 'finish', infeasible: true };
    expect(plan.actions.at(-1)).toEqual(report);
    const look = plan.actions.slice(0, -1);
    expect(look.length, id).toBeGreaterThan(0);
    const end = (actions: readonly Action[]): boolean => {
      const session = world.open(task);
      for (const step of actions) session.step(step);
      return session.verify().pass;
    };
    expect(end([...look, { kind: 'finish' }])).toBe(false);
    expect(end([report])).toBe(false);
    expect(end([...look, report])).toBe(true);
    const meddling = world.tools.flatMap(tool => firstEffect(world, tool, task));
    expect(meddling.length).toBeGreaterThan(0);
    for (const action of meddling) expect(end([...look, action, report]), action.kind).toBe(false);
  }
}

/** No ending that is given at once passes; and of tasks in the same words, some can be done and some cannot. */
function guess(world: StateEnvironment): void {
  for (const { id, kind } of world.templates) {
    const tasks = Array.from({ length: twinSeeds }, (_, seed) => world.task(id, seed));
    const kinds = new Set(tasks.map(task => task.kind));
    expect(kinds, id).toEqual(new Set(['feasible', kind]));
    const endings = new Set(tasks.map(task => JSON.stringify(world.open(task).guide().finish)));
    for (const task of tasks.slice(0, 10)) {
      const session = world.open(task);
      for (const ending of [{ kind: 'finish', infeasible: true }, ...[...endings].map(text => JSON.parse(text))]) {
        const fork = session.fork();
        fork.step(ending as Action);
        expect(fork.verify().pass, `${task.id} ${JSON.stringify(ending)}`).toBe(false);
      }
    }
  }
}

/** Each template has the same ids for every seed; where the number of checks varies, a number tells them apart. */
function compareCheckIds(world: StateEnvironment): void {
  for (const { id } of world.templates) {
    const byKind = new Map<string, Set<string>>();
    for (let seed = 0; seed < twinSeeds; seed++) {
      const session = world.open(world.task(id, seed));
      const ids = session.verify().checks.map(check => check.id ?? 'none');
      expect(new Set(ids).size, `${id} ${seed}: ${ids.join()}`).toBe(ids.length);
      const kinds = [...new Set(ids.map(each => each.replace(/-\d+$/, '')))].join();
      byKind.set(session.task.kind, (byKind.get(session.task.kind) ?? new Set()).add(kinds));
    }
    for (const [kind, found] of byKind) expect([...found], `${id}, ${kind}`).toHaveLength(1);
  }
}

/** In the short form one task of each held-out template is solved: what it needs must be declared. In the long form, exactly that. */
function compareHeldOut(app: App<JsonObject>, world: StateEnvironment): void {
  const { never = [], notAlone = [] } = app.heldOutCommands ?? {};
  const planner = createPlanner({ clock: createManualClock(), maxNodes: isLong ? 1500 : 600 });
  const found = isLong ? heldOutCommands(world, planner) : heldOutCommands(world, planner, [1]);
  const alone = [...found.notAlone.difference(found.never)];
  if (isLong) expect([[...found.never].toSorted(), alone.toSorted()]).toEqual([never, notAlone]);
  expect([...found.never].filter(name => !never.includes(name))).toEqual([]);
  expect(alone.filter(name => ![...never, ...notAlone].includes(name))).toEqual([]);
  const known = new Set(world.tools.map(({ name }) => name));
  expect([...never, ...notAlone].filter(name => !known.has(name))).toEqual([]);
}

/** A call of this tool that really changes data, if one is found in a few tries. */
function firstEffect(world: StateEnvironment, tool: ToolInfo, task: Task): Action[] {
  const random = createRandom(tool.name);
  for (let attempt = 0; attempt < 30; attempt++) {
    const session = world.open(task);
    const action = anyCall(tool, session.state(), random);
    session.step(action);
    if (!session.verify().clean) return [action];
  }
  return [];
}
