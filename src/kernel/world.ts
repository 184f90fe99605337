import type { StateEnvironment, TemplateInfo, ToolInfo } from '../core/contracts.ts';
import { z } from 'zod';
import { createDigest } from '../core/digest.ts';
import { patch } from '../core/diff.ts';
import { EspalierError } from '../core/errors.ts';
import { scalars, type JsonObject } from '../core/json.ts';
import { createRandom } from '../core/random.ts';
import { parseRecord, taskSchema, type Task } from '../core/records.ts';
import { createScreen } from '../core/ui.ts';
import { requireState, type App } from './app.ts';
import { createJudge, type Judge } from './goal.ts';
import { createSession, type World } from './session.ts';
import type { AppTemplate } from './template.ts';

const worldsToTry = 20;

/** The environment of an app: tasks by seed, sessions that fork. */
export function createWorld<S extends JsonObject>(app: App<S>): StateEnvironment {
  const world: World<S> = {
    app,
    commands: new Map(app.commands.map(command => [command.name, command])),
    digest: createDigest(),
  };
  return {
    id: app.id,
    title: app.title,
    templates: app.templates.map(templateInfo),
    tools: toolsOf(app),
    task: (template, seed) => makeTask(app, templateOf(app, template), seed),
    open(given) {
      const task = readTask(app, given);
      const { judge, initial } = judgeOf(app, task);
      return createSession({ world, task, judge, texts: namedTexts(task) }, initial);
    },
    verifier(given) {
      const { judge, initial } = judgeOf(app, readTask(app, given));
      return {
        initial,
        allow: judge.allow,
        incidental: app.incidental,
        verify: (final, ending) => judge.verdict(final as S, ending),
      };
    },
  };
}

function judgeOf<S extends JsonObject>(app: App<S>, task: Task): { judge: Judge<S>; initial: S } {
  const data = app.init(createRandom(task.world).fork('data'));
  const initial = requireState(app, patch(data, task.patch));
  const judge = createJudge({
    goal: templateOf(app, task.template).goal(task.parameters, initial),
    initial,
    incidental: app.incidental,
    shows: (state, text) => createScreen(app.view(state)).text.toLowerCase().includes(text.toLowerCase()),
  });
  return { judge, initial };
}

function makeTask<S extends JsonObject>(app: App<S>, template: AppTemplate<S>, seed: number): Task {
  for (let attempt = 0; attempt < worldsToTry; attempt++) {
    const world = attempt === 0 ? String(seed) : `${seed}.${attempt}`;
    const random = createRandom(world);
    const made = template.make(requireState(app, app.init(random.fork('data'))), random.fork(template.id));
    if (made === null) continue;
    const task: Task = {
      id: `${app.id}/${template.id}/${seed}`,
      environment: app.id,
      template: template.id,
      seed,
      split: template.split,
      kind: template.kind,
      ...made,
      world,
      budget: { steps: template.steps },
    };
    return parseRecord(taskSchema, task, { what: `task ${task.id}`, code: 'invalid-task' });
  }
  throw new EspalierError({
    boundary: 'environment',
    code: 'template-failed',
    message: `Template "${template.id}" found no instance in ${worldsToTry} worlds for seed ${seed}.`,
    expected: 'Expected sample to find one in most worlds; use setup to put into the data what the task needs.',
  });
}

function readTask<S extends JsonObject>(app: App<S>, given: Task): Task {
  const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
  if (task.environment === app.id) return task;
  throw new EspalierError({
    boundary: 'input',
    code: 'invalid-task',
    message: `Task ${task.id} is for environment "${task.environment}", not "${app.id}".`,
    expected: `Open it in "${task.environment}".`,
  });
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

/** The parameters that the instruction gives away: the only texts an agent can be expected to type. */
function namedTexts(task: Task): string[] {
  const texts = scalars(task.parameters).map(String);
  return [...new Set(texts)].filter(text => text !== '' && task.instruction.includes(text));
}

function templateInfo<S extends JsonObject>({ id, split, kind, about }: AppTemplate<S>): TemplateInfo {
  return { id, split, kind, about };
}

function toolsOf<S extends JsonObject>(app: App<S>): ToolInfo[] {
  return app.commands
    .filter(command => command.kind !== 'gesture')
    .map(({ name, about, schema }) => ({
      name,
      description: about,
      input: z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as JsonObject,
    }));
}
