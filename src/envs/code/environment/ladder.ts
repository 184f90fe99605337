import { causeText } from '../../../core/errors.ts';
import type { Admission } from '../../../worlds/admission.ts';
import { createMutator, type Mutator } from '../adr/mutants.ts';
import { referenceProgram, statementOf } from '../adr/statement.ts';
import { drawTask, testQuality, type CodeTask } from '../adr/task.ts';
import { findCodeSandbox } from '../sandbox/find-sandbox.ts';
import { findLanguage } from '../sandbox/languages.ts';
import { createProgramRunner, type ProgramRunner } from '../sandbox/run-program.ts';
import type { CodeTemplate } from './environment.ts';
import { judgeCases } from './judge-cases.ts';

interface Tools {
  readonly mutator: Mutator;
  readonly runner: ProgramRunner;
}

/** Programs that solve no task: nothing, the input as it is, and the examples by heart. */
function wrongPrograms({ examples }: CodeTask): readonly string[] {
  const heart = JSON.stringify(Object.fromEntries(examples.map(({ input, output }) => [input, output])));
  const lines = "require('fs').readFileSync(0, 'utf8').split('\\n')";
  return [
    '',
    "const { stdin, stdout } = require('node:process'); stdin.pipe(stdout)",
    `for (const l of ${lines}) if (l) require('node:console').log(${heart}[l] ?? '-')`,
  ];
}

/** Sends templates up the ladder: tasks are the same for a seed, the reference passes, wrong programs fail. */
export function* admitCode(templates: readonly CodeTemplate[], seeds: number): Generator<Admission> {
  const tools: Tools = { mutator: createMutator(), runner: createProgramRunner(findCodeSandbox()) };
  for (const template of templates) {
    const fault = firstFault(template, seeds, tools);
    const said = fault ?? { rung: null, law: null, detail: `${seeds} tasks` };
    yield { template: template.id, admitted: fault === null, ...said };
  }
}

interface Fault {
  readonly rung: string;
  readonly law: string;
  readonly detail: string;
}

function firstFault({ atoms }: CodeTemplate, seeds: number, tools: Tools): Fault | null {
  for (let seed = 1; seed <= seeds; seed++) {
    try {
      const fault = faultOf(() => drawTask(seed, atoms, tools.mutator), tools);
      if (fault !== null) return { ...fault, detail: `seed ${seed}: ${fault.detail}` };
    } catch (cause) {
      return { rung: 'parses', law: 'ADR-2', detail: `seed ${seed}: ${causeText(cause)}` };
    }
  }
  return null;
}

export function faultOf(draw: () => CodeTask, { mutator, runner }: Tools): Fault | null {
  const task = draw();
  if (statementOf(task) !== statementOf(draw()))
    return { rung: 'deterministic', law: 'ADR-1', detail: 'it gave two different statements' };
  const { killed, mutants, survivors } = testQuality(task, mutator);
  if (killed < mutants * 0.8)
    return { rung: 'tests kill mutants', law: 'ADR-3', detail: `these survive: ${survivors.join(', ')}` };
  const language = findLanguage('javascript');
  const reference = judgeCases(runner, { language, source: referenceProgram(task) }, task.cases);
  if (!reference.allRight)
    return { rung: 'reference passes', law: 'ADR-2', detail: `the reference program: ${reference.outcome}` };
  const passing = wrongPrograms(task).find(source => judgeCases(runner, { language, source }, task.cases).allRight);
  return passing === undefined
    ? null
    : { rung: 'wrong programs fail', law: 'ADR-4', detail: `this passes: ${passing.slice(0, 80)}` };
}
