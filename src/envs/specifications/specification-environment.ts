import { z } from 'zod';
import type { StateEnvironment, TemplateInfo } from '../../core/contracts.ts';
import { invalidTask } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { createRandom } from '../../core/random.ts';
import { describeIssues, type Split, type Task } from '../../core/records.ts';
import { createRuleEnvironment } from '../../worlds/rules/rule-environment.ts';
import { drawForSeed } from '../../worlds/app/task-split.ts';
import { describedFunctions } from './catalog.ts';
import { specificationLevels, type SpecificationLevel } from './described-function.ts';
import { examplesOf, type Specified } from './pairs.ts';
import { pairText, specificationRules, specificationTools } from './specification-rules.ts';

/** Functions with several right outputs are held out. */
const splits: Readonly<Record<SpecificationLevel, Split>> = { easy: 'train', medium: 'train', hard: 'test' };

const abouts: Readonly<Record<SpecificationLevel, string>> = {
  easy: 'A specification of a function that gives a number.',
  medium: 'A specification of a function over a list.',
  hard: 'A specification of a function with several right outputs.',
};

const steps = 10;
const parametersSchema = z.strictObject({
  function: z.string(),
  parameters: z.record(z.string(), z.int()),
  seed: z.string().max(60),
});

/** Specifications to write: predicates over input and output, judged on hidden right and wrong outputs. */
export function createSpecificationEnvironment(
  id: string,
  levels: readonly SpecificationLevel[] = specificationLevels,
): StateEnvironment {
  return createRuleEnvironment({
    id,
    title: 'Specifications of functions',
    templates: levels.map(
      (level): TemplateInfo => ({ id: level, split: splits[level], kind: 'feasible', about: abouts[level] }),
    ),
    tools: specificationTools,
    draw(level, seed) {
      const random = createRandom(`specification ${level} ${seed}`);
      const known = describedFunctions.filter(described => described.level === level);
      const drawn = drawForSeed({
        seed,
        what: `functions of level ${level}`,
        draw() {
          const described = random.pick(known);
          return { described, parameters: described.parameters(random), seed: `${level} ${seed}` };
        },
        contentOf: ({ described, parameters }) => JSON.stringify([described.name, parameters]),
      }) as Specified;
      return { instruction: instructionOf(drawn), parameters: writtenOf(drawn), steps };
    },
    rules: task => specificationRules(readSpecified(task)),
  });
}

function writtenOf({ described, parameters, seed }: Specified): JsonObject {
  return { function: described.name, parameters, seed };
}

/** The function of a task. Throws where its parameters name none. */
export function readSpecified({ id, parameters }: Task): Specified {
  const parsed = parametersSchema.safeParse(parameters);
  if (!parsed.success) throw invalidTask(`Task ${id} has no function.`, `${describeIssues(parsed.error)}.`);
  const described = describedFunctions.find(({ name }) => name === parsed.data.function);
  if (described === undefined)
    throw invalidTask(
      `Task ${id} is about an unknown function "${parsed.data.function}".`,
      `Expected one of: ${describedFunctions.map(({ name }) => name).join(', ')}.`,
    );
  return { described, parameters: parsed.data.parameters, seed: parsed.data.seed };
}

const languageText =
  'It is written in a small part of JavaScript: const, let, if, for, functions, arithmetic, comparisons by ===, and of arrays length, [index], every, some, filter, map, find, includes, indexOf, slice and concat. There is no Math and no sort. An expression alone will do.';

function instructionOf(specified: Specified): string {
  const { described, parameters } = specified;
  const examples = examplesOf(specified);
  const textsOf = (isRight: boolean): string =>
    examples
      .filter(pair => pair.isRight === isRight)
      .map(pairText)
      .join('\n');
  return [
    `Write a specification of a function. Its input is ${described.input}. Its output is ${described.output}: ${described.describe(parameters)}.`,
    `A specification is a program over \`input\` and \`output\`. It returns true when the output is right for the input, else false. ${languageText}`,
    `Right outputs:\n${textsOf(true)}`,
    `Wrong outputs:\n${textsOf(false)}`,
    'Finish with the specification. It must accept every right output and reject every wrong one, for other inputs as well.',
  ].join('\n\n');
}
