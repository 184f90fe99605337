import type { StateEnvironment, TemplateInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import type { Task } from '../../core/records.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { createRunners } from '../code/sandbox/runners.ts';
import { loongRules, loongTools } from './loong-rules.ts';
import { knapsack, presentValue, shortestRoute } from './number-forms.ts';
import { countModels, molarMass, siteCount } from './text-forms.ts';
import { tripleLevels, type Triple, type TripleForm, type TripleLevel } from './triple.ts';

export const tripleForms: readonly TripleForm[] = [
  presentValue,
  knapsack,
  shortestRoute,
  siteCount,
  molarMass,
  countModels,
];

const steps = 8;

/** Questions with code that answers them. An answer is a value, or a program that prints it. */
export function createLoongEnvironment(id: string, forms: readonly TripleForm[]): StateEnvironment {
  const runners = createRunners();
  return createRuleEnvironment({
    id,
    title: 'Questions with code and answer',
    templates: tripleLevels.map(templateOf),
    tools: loongTools,
    draw(name, seed) {
      const triple = drawTriple(forms, name as TripleLevel, seed);
      return { instruction: instructionOf(triple), parameters: { form: triple.form.name, data: triple.data }, steps };
    },
    rules: task => loongRules({ triple: readTriple(task), runners }),
  });
}

function templateOf(level: TripleLevel): TemplateInfo {
  const split = level === 'hard' ? 'test' : 'train';
  return { id: level, split, kind: 'feasible', about: `A question that a short program answers. Level: ${level}.` };
}

export function drawTriple(forms: readonly TripleForm[], level: TripleLevel, seed: number): Triple {
  const random = createRandom(`loong ${level} ${seed}`);
  const drawn = drawForSeed<Triple>({
    seed,
    what: `questions of level ${level}`,
    draw() {
      const form = random.pick(forms);
      const data = form.draw(random, level);
      return data === null ? null : { form, data };
    },
    contentOf: ({ form, data }) => JSON.stringify([form.name, form.canonical(data)]),
  });
  if (drawn === null) throw invalidTask(`There is no question of level ${level} for seed ${seed}.`, 'Choose another.');
  return drawn;
}

/** The triple of a task. Throws where its parameters are none. */
export function readTriple({ id, parameters }: Task): Triple {
  const form = tripleForms.find(({ name }) => name === parameters['form']);
  const data = parameters['data'];
  if (form === undefined || typeof data !== 'object' || data === null || Array.isArray(data))
    throw invalidTask(`Task ${id} has no question.`, 'Expected a task as this environment made it.');
  return { form, data: data as JsonObject };
}

function instructionOf({ form, data }: Triple): string {
  return [
    form.question(data),
    `Answer with ${form.output.form}; or with a Python program in a fenced block (\`\`\`python) that prints it and nothing else. Try programs with run_python.`,
  ].join('\n\n');
}
