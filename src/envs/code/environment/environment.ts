import { availableParallelism } from 'node:os';
import { after, atOnce, type Awaitable, type StateEnvironment, type TemplateInfo } from '../../../core/contracts.ts';
import { createDigest } from '../../../core/digest.ts';
import { EspalierError } from '../../../core/errors.ts';
import { suggestion } from '../../../core/naming/closest.ts';
import { isSealed, parseRecord, sealTask, taskSchema, type Split, type Task } from '../../../core/records.ts';
import { createMutator, type Mutator } from '../adr/mutants.ts';
import { specificationSchema } from '../adr/specification.ts';
import { referenceProgram, statementOf } from '../adr/statement.ts';
import { drawTask, workOut, type CodeTask } from '../adr/task.ts';
import { createBackgroundRunner, type BackgroundRunner } from '../sandbox/background-runner.ts';
import { findCodeSandbox, type CodeSandbox } from '../sandbox/find-sandbox.ts';
import { createProgramRunner, type ProgramRunner } from '../sandbox/run-program.ts';
import type { Program } from './answer.ts';
import { codeVerdict, judgeCases, type Judged } from './judge-cases.ts';
import { createCodeSession, type OpenCode } from './session.ts';
import { codeTools } from './tools.ts';

/** A template: tasks of so many atoms. The longest are never taught. */
export interface CodeTemplate {
  readonly id: string;
  readonly atoms: number;
  readonly split: Split;
}

export const codeTemplates: readonly CodeTemplate[] = [
  { id: 'two-atoms', atoms: 2, split: 'train' },
  { id: 'three-atoms', atoms: 3, split: 'train' },
  { id: 'four-atoms', atoms: 4, split: 'test' },
];

export interface AdrEnvironmentOptions {
  readonly id: string;
  readonly templates: readonly CodeTemplate[];
}

const rememberedVerdicts = 256;
const steps = 12;
const closing = 'Write the program in JavaScript, Python, C or Bash, and finish with it in a fenced block.';

/** Programming tasks put together from atoms. A verdict runs the agent's program in a sandbox. */
export function createAdrEnvironment({ id, templates }: AdrEnvironmentOptions): StateEnvironment {
  const digest = createDigest();
  let made: { mutator?: Mutator; sandbox?: CodeSandbox; runner?: ProgramRunner; background?: BackgroundRunner } = {};
  const mutator = (): Mutator => (made.mutator ??= createMutator());
  const sandbox = (): CodeSandbox => (made.sandbox ??= findCodeSandbox());
  const runner = (): ProgramRunner => (made.runner ??= createProgramRunner(sandbox()));
  const backgroundRunner = (): BackgroundRunner =>
    (made.background ??= createBackgroundRunner({ sandbox: sandbox(), atOnce: availableParallelism() }));
  const memory = createVerdictMemory();
  const judge = memory((program, { cases }) => judgeCases(runner(), program, cases));
  const judgeLater = memory((program, { cases }) => judgeCases(backgroundRunner(), program, cases));
  const openCode = (given: Task): OpenCode => {
    const task = readTask(id, given, templates);
    const code = codeTaskIn(task);
    return {
      task,
      digest,
      reference: `\`\`\`js\n${referenceProgram(code)}\`\`\``,
      blocking: {
        runner,
        verdict: (files, ending) => atOnce(codeVerdict({ task: code, files, ending, judge })),
      },
      background: {
        runner: backgroundRunner,
        verdict: async (files, ending) => codeVerdict({ task: code, files, ending, judge: judgeLater }),
      },
    };
  };
  return {
    id,
    title: 'Programming tasks from atoms',
    certification: 'by-construction',
    lightForks: true,
    hasScreen: false,
    templates: templates.map(templateInfo),
    tools: codeTools,
    task: (template, seed) => makeTask(id, { template: findTemplate(id, template, templates), seed }, mutator()),
    open: given => createCodeSession(openCode(given)),
    verifier(given) {
      const open = openCode(given);
      return {
        initial: { files: {} },
        allow: ['/files'],
        incidental: [],
        verify: (final, ending) => open.blocking.verdict((final as { files: Record<string, string> }).files, ending),
      };
    },
    close() {
      made = {};
    },
  };
}

type Judge = (program: Program, task: CodeTask) => Awaitable<Judged>;

/** Plans and replays ask for the verdict of one program many times. All judges that this gives remember the same. */
function createVerdictMemory(): (judge: Judge) => Judge {
  const remembered = new Map<string, Judged>();
  return judge => (program, task) => {
    const key = JSON.stringify([program.language.name, program.source, task.cases]);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    return after(judge(program, task), judged => {
      if (remembered.size >= rememberedVerdicts) remembered.clear();
      // A machine that is busy may stop a program that is right: that is asked again.
      if (judged.outcome !== 'time-limit') remembered.set(key, judged);
      return judged;
    });
  };
}

function templateInfo({ id, atoms, split }: CodeTemplate): TemplateInfo {
  return { id, split, kind: 'feasible', about: `A program of ${atoms} steps over numbers, texts or words.` };
}

function makeTask(
  environment: string,
  { template, seed }: { template: CodeTemplate; seed: number },
  mutator: Mutator,
): Task {
  const world = String(seed);
  const code = drawTask(seed, template.atoms, mutator);
  return parseRecord(
    taskSchema,
    sealTask({
      id: `${environment}/${template.id}/${seed}`,
      environment,
      template: template.id,
      seed,
      split: template.split,
      kind: 'feasible',
      instruction: `${statementOf(code)}\n\n${closing}`,
      parameters: specificationSchema.parse(code.pipeline.specification),
      world,
      patch: [],
      budget: { steps },
    }),
    { what: `task ${environment}/${template.id}/${seed}`, code: 'invalid-task' },
  );
}

/** The cases follow from the specification and the seed. */
function codeTaskIn({ parameters, world, id }: Task): CodeTask {
  const parsed = specificationSchema.safeParse(parameters);
  if (!parsed.success) throw invalidTask(`Task ${id} does not say what it is put together from.`);
  return workOut(parsed.data, world);
}

function readTask(environment: string, given: Task, templates: readonly CodeTemplate[]): Task {
  const task = parseRecord(taskSchema, given, { what: 'task', code: 'invalid-task' });
  if (task.environment !== environment)
    throw invalidTask(`Task ${task.id} is for environment "${task.environment}", not "${environment}".`);
  const { split } = findTemplate(environment, task.template, templates);
  if (!isSealed(task)) throw invalidTask(`Task ${task.id} was altered or damaged: its seal does not fit.`);
  if (task.split !== split) throw invalidTask(`Task ${task.id} does not fit its template.`);
  return task;
}

function findTemplate(environment: string, id: string, templates: readonly CodeTemplate[]): CodeTemplate {
  const found = templates.find(template => template.id === id);
  if (found !== undefined) return found;
  const known = templates.map(template => template.id);
  throw new EspalierError({
    boundary: 'input',
    code: 'unknown-template',
    message: `Environment "${environment}" has no template "${id}".${suggestion(id, known)}`,
    expected: `Expected one of: ${known.join(', ')}.`,
  });
}

function invalidTask(message: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-task',
    message,
    expected: 'Expected a task as this environment made it.',
  });
}
