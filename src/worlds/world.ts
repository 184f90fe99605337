import type { StateEnvironment, TemplateInfo, ToolInfo } from '../core/contracts.ts';
import { z } from 'zod';
import { createDigest } from '../core/digest.ts';
import { patch } from '../core/diff.ts';
import { causeText, EspalierError, invalidTask } from '../core/errors.ts';
import { scalars, type JsonObject } from '../core/json.ts';
import { mediateSession } from '../core/step-contracts/step-contract.ts';
import { createRandom } from '../core/random.ts';
import { isSealed, parseRecord, sealTask, taskSchema, textsTold, type Task } from '../core/records.ts';
import { standsIn } from '../core/text.ts';
import { createScreen, type Screen } from '../core/ui.ts';
import type { App } from './app/app.ts';
import type { AppCommand } from './app/command.ts';
import { evidenceOf } from './verdict/evidence.ts';
import { createJudge, type Judge } from './verdict/goal.ts';
import { nothingHidden } from './verdict/hidden-changes.ts';
import { createMemory } from './app/memory.ts';
import { drawn } from './screen.ts';
import { createSession, type World } from './session.ts';
import { createStateCheck, type StateCheck } from './state-schema/state-check.ts';
import type { AppTemplate } from './app/template.ts';

const worldsToTry = 50;
/** All that may have to be seen before an ending. */
const everything = 2 ** 31 - 1;
/** Enough for a group of episodes on one task, and for a task that is opened right after it was made. */
const mostKept = 16;
/** Screens that are kept by the digest of their state. */
const mostScreens = 512;

export interface WorldOptions {
  /** Freezes every state and holds it against the schema, so that whatever spoils one fails loudly. It costs time. */
  readonly checked?: boolean;
}

/** The environment of an app: tasks by seed, sessions that fork. */
export function createWorld<S extends JsonObject>(
  app: App<S>,
  { checked = false }: WorldOptions = {},
): StateEnvironment {
  const requireState = createStateCheck(app);
  const world: World<S> = {
    app,
    commands: new Map(app.commands.map(command => [command.name, command])),
    digest: createDigest(),
    screen: createMemory<Screen>(checked ? 0 : mostScreens),
    settle: checked ? state => freeze(requireState(state)) : state => state,
  };
  // What is checked is made anew each time: a memory would hide what differs.
  const most = checked ? 0 : mostKept;
  const recallData = createMemory<S>(most);
  const recallOpened = createMemory<Opened<S>>(most);
  const dataOf = (key: string): S => recallData(key, () => requireState(seeded(app, key)));
  const openedOf = (task: Task): Opened<S> =>
    recallOpened(task.seal, () => openedAnew(world, task, { dataOf, requireState }));
  return {
    id: app.id,
    title: app.title,
    certification: 'by-construction',
    lightForks: true,
    templates: app.templates.map(templateInfo),
    tools: toolsOf(app),
    task: (template, seed) => makeTask(app, templateOf(app, template), { seed, dataOf }),
    open(given) {
      const task = readTask(app, given);
      const { judge, initial } = openedOf(task);
      return mediateSession(createSession({ world, task, judge, texts: namedTexts(task) }, initial), app.contracts);
    },
    verifier(given) {
      const { judge, initial } = openedOf(readTask(app, given));
      return {
        initial,
        allow: judge.allow,
        incidental: app.incidental,
        verify: (final, ending) =>
          judge.verdict({ state: final as S, hidden: nothingHidden, seen: everything }, ending),
      };
    },
  };
}

/** How a task starts, and who judges how it ends. */
interface Opened<S extends JsonObject> {
  readonly judge: Judge<S>;
  readonly initial: S;
}

function openedAnew<S extends JsonObject>(
  { app, settle }: World<S>,
  task: Task,
  { dataOf, requireState }: Pick<Making<S>, 'dataOf'> & { readonly requireState: StateCheck<S> },
): Opened<S> {
  const data = dataOf(task.world);
  // What was not patched was held against the schema already.
  const initial = settle(task.patch.length === 0 ? data : requireState(patch(data, task.patch)));
  const goal = templateOf(app, task.template).goal(task.parameters, initial);
  const evidence = evidenceOf<S>({
    goal,
    initial,
    named: namedTexts(task),
    shows: (state, text) => standsOn(createScreen(drawn(app, state)).text, text),
  });
  const judge = createJudge({ goal, initial, incidental: app.incidental, undoable: app.undoable, evidence });
  return { judge, initial };
}

/** Whether a screen says a text, as whole words: the numbers of elements say nothing. */
function standsOn(screen: string, text: string): boolean {
  return standsIn(screen.replaceAll(/\[e\d+\] /g, '').toLowerCase(), text.toLowerCase());
}

/** The data that a seed gives. */
function seeded<S extends JsonObject>(app: App<S>, world: string): S {
  try {
    return app.init(createRandom(world).fork('data'));
  } catch (cause) {
    throw new EspalierError({
      boundary: 'environment',
      code: 'template-failed',
      message: `init of app "${app.id}" threw: ${causeText(cause)}.`,
      expected: 'Expected a state for every seed.',
      cause,
    });
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}

interface Making<S extends JsonObject> {
  readonly seed: number;
  dataOf(world: string): S;
}

function makeTask<S extends JsonObject>(app: App<S>, template: AppTemplate<S>, { seed, dataOf }: Making<S>): Task {
  for (let attempt = 0; attempt < worldsToTry; attempt++) {
    const world = attempt === 0 ? String(seed) : `${seed}.${attempt}`;
    const random = createRandom(world);
    const made = template.make(dataOf(world), random.fork(template.id));
    if (made === null) continue;
    const task = sealTask({
      id: `${app.id}/${template.id}/${seed}`,
      environment: app.id,
      template: template.id,
      seed,
      split: template.split,
      kind: template.kindOf(made.parameters),
      ...made,
      world,
      budget: { steps: template.steps },
    });
    return parseRecord(taskSchema, task, { what: `task ${task.id}`, code: 'invalid-task' });
  }
  throw new EspalierError({
    boundary: 'environment',
    code: 'no-instance',
    message: `Template "${template.id}" found no instance in ${worldsToTry} worlds for seed ${seed}.`,
    expected:
      template.whyNone?.(dataOf(String(seed))) ??
      'Expected sample to find one in most worlds; use setup to put into the data what the task needs.',
  });
}

function readTask<S extends JsonObject>(app: App<S>, given: Task): Task {
  const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
  if (task.environment !== app.id) {
    throw invalidTask(
      `Task ${task.id} is for environment "${task.environment}", not "${app.id}".`,
      `Open it in "${task.environment}".`,
    );
  }
  const template = templateOf(app, task.template);
  const [split, kind] = [template.split, template.kindOf(task.parameters)];
  if (task.split !== split || task.kind !== kind) {
    throw invalidTask(
      `Task ${task.id} says ${task.split} and ${task.kind}.`,
      `Its template says ${split} and ${kind}.`,
    );
  }
  if (isSealed(task)) return task;
  throw invalidTask(
    `Task ${task.id} was altered or damaged: its seal does not fit.`,
    'Expected a task as it was made; seal one that you altered on purpose with sealTask.',
  );
}

function templateOf<S extends JsonObject>(app: App<S>, id: string): AppTemplate<S> {
  const template = app.templates.find(known => known.id === id);
  if (template !== undefined) return template;
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `App "${app.id}" has no template "${id}".`,
    expected: `Expected one of: ${app.templates.map(known => known.id).join(', ')}.`,
  });
}

/** The parameters that the task tells: the only texts an agent can be expected to type. */
function namedTexts(task: Task): string[] {
  const told = textsTold(task);
  const texts = new Set(scalars(task.parameters).map(String));
  return [...texts].filter(text => text !== '' && told.some(words => standsIn(words, text)));
}

function templateInfo<S extends JsonObject>({ id, split, kind, about }: AppTemplate<S>): TemplateInfo {
  return { id, split, kind, about };
}

function toolsOf<S extends JsonObject>(app: App<S>): ToolInfo[] {
  return app.commands.filter(({ kind }) => kind !== 'gesture').map(command => toolInfo(app.id, command));
}

function toolInfo<S extends JsonObject>(app: string, { name, about, schema }: AppCommand<S>): ToolInfo {
  try {
    const input = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as JsonObject;
    return { name, description: about, input };
  } catch (cause) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-app',
      message: `The input of "${name}" in app "${app}" has no JSON Schema: ${causeText(cause)}.`,
      expected: 'Expected an object of strings, numbers, booleans, arrays and objects.',
      cause,
    });
  }
}
