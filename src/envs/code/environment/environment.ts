import { availableParallelism } from 'node:os';
import { invalidTask } from '../../../core/errors.ts';
import { after, atOnce, type Awaitable, type StateEnvironment, type TemplateInfo } from '../../../core/contracts.ts';
import type { Split, Task } from '../../../core/records.ts';
import { createRuleEnvironment } from '../../../worlds/rules/rule-environment.ts';
import { createMutator, type Mutator } from '../adr/mutants.ts';
import { specificationSchema } from '../adr/specification.ts';
import { referenceProgram, statementOf } from '../adr/statement.ts';
import { drawTask, workOut, type CodeTask } from '../adr/task.ts';
import { createBackgroundRunner, type BackgroundRunner } from '../sandbox/background-runner.ts';
import { findCodeSandbox, type CodeSandbox } from '../sandbox/find-sandbox.ts';
import { createProgramRunner, type ProgramRunner } from '../sandbox/run-program.ts';
import type { Language } from '../sandbox/languages.ts';
import type { Program } from './answer.ts';
import { codeVerdict, judgeCases, type Judged } from './judge-cases.ts';
import { codeRules } from './code-rules.ts';
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
  /** A language of the user's own, to write the programs in. */
  readonly own?: Language | null;
}

const rememberedVerdicts = 256;
const steps = 12;
const closing = 'Write the program in JavaScript, Python, C or Bash, and finish with it in a fenced block.';

/** Programming tasks put together from atoms. A verdict runs the agent's program in a sandbox. */
export function createAdrEnvironment({ id, templates, own = null }: AdrEnvironmentOptions): StateEnvironment {
  let made: { mutator?: Mutator; sandbox?: CodeSandbox; runner?: ProgramRunner; background?: BackgroundRunner } = {};
  const mutator = (): Mutator => (made.mutator ??= createMutator());
  const sandbox = (): CodeSandbox => (made.sandbox ??= findCodeSandbox());
  const runner = (): ProgramRunner => (made.runner ??= createProgramRunner(sandbox()));
  const backgroundRunner = (): BackgroundRunner =>
    (made.background ??= createBackgroundRunner({ sandbox: sandbox(), atOnce: availableParallelism() }));
  const memory = createVerdictMemory();
  const judge = memory((program, { cases }) => judgeCases(runner(), program, cases));
  const judgeLater = memory((program, { cases }) => judgeCases(backgroundRunner(), program, cases));
  const environment = createRuleEnvironment({
    id,
    title: 'Programming tasks from atoms',
    templates: templates.map(templateInfo),
    tools: codeTools,
    draw(template, seed) {
      const { atoms } = templates.find(known => known.id === template) as CodeTemplate;
      const code = drawTask(seed, atoms, mutator());
      return {
        instruction: `${statementOf(code)}\n\n${own === null ? closing : closingIn(own)}`,
        parameters: specificationSchema.parse(code.pipeline.specification),
        steps,
      };
    },
    rules(given) {
      const task = codeTaskIn(given);
      return codeRules({
        own,
        reference: `\`\`\`js\n${referenceProgram(task)}\`\`\``,
        blocking: { runner, verdict: (files, ending) => atOnce(codeVerdict({ task, files, ending, judge, own })) },
        background: {
          runner: backgroundRunner,
          verdict: async (files, ending) => codeVerdict({ task, files, ending, judge: judgeLater, own }),
        },
      });
    },
  });
  return {
    ...environment,
    close() {
      made = {};
    },
  };
}

function closingIn({ name, file }: Language): string {
  return `Write the program in ${name}, and finish with it in a fenced block (\`\`\`${name}), or with the name of its file, such as ${file}.`;
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

/** The cases follow from the specification and the seed. */
function codeTaskIn({ parameters, world, id }: Task): CodeTask {
  const parsed = specificationSchema.safeParse(parameters);
  if (!parsed.success)
    throw invalidTask(`Task ${id} does not say what it is put together from.`, 'Expected a task as it was made.');
  return workOut(parsed.data, world);
}
