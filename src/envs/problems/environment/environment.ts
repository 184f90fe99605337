import type { StateEnvironment, TemplateInfo } from '../../../core/contracts.ts';
import { createDigest } from '../../../core/digest.ts';
import { EspalierError, invalidTask } from '../../../core/errors.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { suggestion } from '../../../core/naming/closest.ts';
import { hash32 } from '../../../core/random.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Split, type Task } from '../../../core/records.ts';
import { createRuleSession } from '../../../worlds/rules/rule-session.ts';
import { seededInstance, workedOut, type DrawnInstance } from '../instance.ts';
import { levels, type Level, type Problem } from '../problem.ts';
import { questionOf, type Step } from '../script.ts';
import { questionRules, untouched, verdictOf, type QuestionState } from './session.ts';
import { checkFormat, reportStep } from './tools.ts';

export interface ProblemEnvironmentOptions {
  readonly id: string;
  readonly title: string;
  readonly problems: readonly Problem[];
}

/** A template: a problem at a level. Splits are by level: the hardest is never taught. */
export interface ProblemTemplate {
  readonly id: string;
  readonly problem: Problem;
  readonly level: Level;
}

const splits: Readonly<Record<Level, Split>> = { easy: 'train', medium: 'train', hard: 'test' };
const spareSteps = 4;
const rememberedQuestions = 64;

/** Problems as an environment: each at three levels, `finish` with the answer, and the oracle as the verifier. */
export function createProblemEnvironment({ id, title, problems }: ProblemEnvironmentOptions): StateEnvironment {
  const templates = templatesOf(problems);
  const byId = new Map(templates.map(template => [template.id, template]));
  const digest = createDigest();
  const remembered = new Map<string, readonly Step[]>();
  const find = (name: string): ProblemTemplate => {
    const found = byId.get(name);
    if (found === undefined) throw unknownTemplate(id, name, [...byId.keys()]);
    return found;
  };
  const stepsOf = (task: Task): readonly Step[] => {
    const known = remembered.get(task.seal);
    if (known !== undefined) return known;
    const steps = workedOut(find(task.template).problem, instanceIn(task));
    if (remembered.size >= rememberedQuestions) remembered.clear();
    remembered.set(task.seal, steps);
    return steps;
  };
  const read = (given: Task): Task => readTask(id, given, find);
  return {
    id,
    title,
    certification: 'by-construction',
    lightForks: true,
    hasScreen: false,
    templates: templates.map(templateInfo),
    tools: problems.some(({ depth }) => depth > 0) ? [checkFormat, reportStep] : [checkFormat],
    task: (template, seed) => makeTask(id, find(template), seed),
    open(given) {
      const task = read(given);
      return createRuleSession(questionRules({ task, steps: stepsOf(task), digest }));
    },
    verifier(given) {
      const steps = stepsOf(read(given));
      return {
        initial: untouched,
        allow: ['/reported'],
        incidental: [],
        verify: (final, ending) => verdictOf(steps, final as QuestionState, ending),
      };
    },
  };
}

export function templatesOf(problems: readonly Problem[]): ProblemTemplate[] {
  return problems.flatMap(problem => levels.map(level => ({ id: `${slugOf(problem)}-${level}`, problem, level })));
}

const longestSlug = 60;

/** A name without commas and parentheses, for ids: those of compositions end in a hash of the whole. */
export function slugOf({ name, depth }: Problem): string {
  if (depth === 0) return name;
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const hash = hash32(name).toString(16).padStart(8, '0');
  return `${words.slice(0, longestSlug).replace(/-$/, '')}-${hash}`;
}

function templateInfo({ id, problem, level }: ProblemTemplate): TemplateInfo {
  return { id, split: splits[level], kind: 'feasible', about: `${problem.about} Level: ${level}.` };
}

function makeTask(environment: string, { id, problem, level }: ProblemTemplate, seed: number): Task {
  const world = String(seed);
  const instance = seededInstance(problem, seed, level);
  const steps = workedOut(problem, instance);
  return parseRecord(
    taskSchema,
    sealTask({
      id: `${environment}/${id}/${seed}`,
      environment,
      template: id,
      seed,
      split: splits[level],
      kind: 'feasible',
      instruction: questionOf(steps),
      parameters: { problem: problem.name, level, ...instance },
      world,
      patch: [],
      budget: { steps: spareSteps + 2 * steps.length },
    }),
    { what: `task ${environment}/${id}/${seed}`, code: 'invalid-task' },
  );
}

function instanceIn({ parameters }: Task): DrawnInstance {
  const { input, parameters: rest, wording } = parameters as JsonObject & { input: Json; parameters: Json };
  return { input, parameters: rest, wording: Number(wording) };
}

function readTask(environment: string, given: Task, find: (template: string) => ProblemTemplate): Task {
  const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
  if (task.environment !== environment)
    throw invalidTask(
      `Task ${task.id} is for environment "${task.environment}", not "${environment}".`,
      `Open it in "${task.environment}".`,
    );
  const { problem, level } = find(task.template);
  if (!isSealed(task))
    throw invalidTask(
      `Task ${task.id} was altered or damaged: its seal does not fit.`,
      'Expected a task as it was made.',
    );
  if (task.split !== splits[level] || !problem.input.holds(task.parameters['input'] as Json))
    throw invalidTask(
      `Task ${task.id} does not fit its template.`,
      `Expected an input of type: ${problem.input.name}.`,
    );
  return task;
}

function unknownTemplate(environment: string, name: string, known: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `Environment "${environment}" has no template "${name}".${suggestion(name, known)}`,
    expected: `Expected one of: ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}.`,
  });
}
