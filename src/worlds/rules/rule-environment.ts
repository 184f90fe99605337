import type { StateEnvironment, TemplateInfo, ToolInfo } from '../../core/contracts.ts';
import { createDigest } from '../../core/digest.ts';
import { EspalierError, invalidTask } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { suggestion } from '../../core/naming/closest.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Task } from '../../core/records.ts';
import { createMemory } from '../app/memory.ts';
import { createRuleSession, type Rules } from './rule-session.ts';

/** What a template makes of a seed. */
interface DrawnTask {
  readonly instruction: string;
  readonly parameters: JsonObject;
  /** Steps of an episode. */
  readonly steps: number;
}

export interface RuleEnvironmentOptions<S extends JsonObject> {
  readonly id: string;
  readonly title: string;
  readonly templates: readonly TemplateInfo[];
  readonly tools: readonly ToolInfo[];
  /** Whether elements of the screen can be used; its rules then have `press`. */
  readonly hasScreen?: true;
  /** The agents of its teams. */
  readonly roles?: readonly string[];
  draw(template: string, seed: number): DrawnTask;
  /** The rules of a task, from its parameters alone. Throws where they are not its own. */
  rules(task: Task): Omit<Rules<S>, 'task' | 'digest'>;
}

const rememberedTasks = 32;

/** An environment whose worlds are pure functions of a state: tasks by seed, tools, sessions that fork. */
export function createRuleEnvironment<S extends JsonObject>(options: RuleEnvironmentOptions<S>): StateEnvironment {
  const { id, title, templates, tools } = options;
  const digest = createDigest();
  const remember = createMemory<Rules<S>>(rememberedTasks);
  const rulesOf = (task: Task): Rules<S> => remember(task.seal, () => ({ ...options.rules(task), task, digest }));
  const find = (name: string): TemplateInfo => {
    const found = templates.find(template => template.id === name);
    if (found !== undefined) return found;
    const known = templates.map(template => template.id);
    throw new EspalierError({
      boundary: 'input',
      code: 'unknown-template',
      message: `Environment "${id}" has no template "${name}".${suggestion(name, known)}`,
      expected: `Expected one of: ${known.join(', ')}.`,
    });
  };
  const read = (given: Task): Task => readTask(id, given, find);
  return {
    id,
    title,
    templates,
    tools,
    certification: 'by-construction',
    lightForks: true,
    ...(options.hasScreen === true ? {} : { hasScreen: false as const }),
    ...(options.roles === undefined ? {} : { roles: options.roles }),
    task(name, seed) {
      const template = find(name);
      const { steps, ...drawn } = options.draw(name, seed);
      const task = sealTask({
        id: `${id}/${name}/${seed}`,
        environment: id,
        template: name,
        seed,
        split: template.split,
        kind: template.kind,
        ...drawn,
        world: String(seed),
        patch: [],
        budget: { steps },
      });
      return parseRecord(taskSchema, task, { what: `task ${task.id}`, code: 'invalid-task' });
    },
    open: given => createRuleSession(rulesOf(read(given))),
    verifier(given) {
      const { initial, verdict } = rulesOf(read(given));
      const allow = Object.keys(initial).map(member => `/${member}`);
      return { initial, allow, incidental: [], verify: (final, ending) => verdict(final as S, ending) };
    },
  };
}

function readTask(environment: string, given: Task, find: (template: string) => TemplateInfo): Task {
  const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
  if (task.environment !== environment)
    throw invalidTask(
      `Task ${task.id} is for environment "${task.environment}", not "${environment}".`,
      `Open it in "${task.environment}".`,
    );
  const { split, kind } = find(task.template);
  if (!isSealed(task))
    throw invalidTask(
      `Task ${task.id} was altered or damaged: its seal does not fit.`,
      'Expected a task as it was made.',
    );
  if (task.split !== split || task.kind !== kind)
    throw invalidTask(
      `Task ${task.id} says ${task.split} and ${task.kind}.`,
      `Its template says ${split} and ${kind}.`,
    );
  return task;
}
