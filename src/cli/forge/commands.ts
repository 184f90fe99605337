import type { Command } from 'commander';
import type { Output } from '../terminal/output.ts';
import { InvalidArgumentError } from 'commander';
import { countingNumber, jsonOption, plainNumber, verb, type Finish } from '../terminal/verb.ts';

/** The verb that makes tasks. */
export function addForge(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  verb(program, 'forge', {
    about: 'Make tasks from an app: forge them from its commands, and keep those that are sound, solvable and new.',
    examples: [
      'espalier forge mail --out runs/forged',
      'espalier forge ./library.ts --seeds 10 --out runs/library-tasks',
      'espalier forge mail --student runs/one/student.json --band 0.2,0.8 --curriculum --out runs/next',
      'espalier forge mail --student openai:qwen3@http://127.0.0.1:8000/v1 --trials 4 --out runs/for-qwen',
      'espalier forge ./library.ts --queries queries.txt --out runs/asked',
      'espalier collect forge:runs/library-tasks --out runs/one',
    ],
  })
    .argument('<app>', 'id of a built-in app, path of your own module, or a name such as forge:mail,kinds=commands')
    .requiredOption('--out <folder>', 'folder for the tasks; use it as an environment: forge:<folder>')
    .option('--seeds <n>', 'seeds of each template to try', countingNumber, 4)
    .option('--nodes <n>', 'states that the planner may expand for a task', countingNumber, 800)
    .option('--queries <file>', 'what people ask for, a line each: tasks are these, with what is there in the app')
    .option(
      '--student <name>',
      'keep tasks that this student passes in some of its trials: a file of espalier train, or a model',
    )
    .option('--band <least,most>', 'pass rates between which a task is kept (default: 0.05,0.95)', bandOf)
    .option('--trials <n>', 'trials of the student on each task (default: 8)', countingNumber)
    .option('--budget-dollars <n>', 'the most to spend on a student that is a model', plainNumber)
    .option('--budget-tokens <n>', 'the most tokens to use on it', countingNumber)
    .option('--curriculum', 'forge most where the student is between never and always, weakest first')
    .option(...jsonOption)
    .action(async (app, options) => finish((await import('./forge.ts')).forge(output, { app, ...options })));
}

/** The verb that compares forged tasks with held-out templates. */
export function addLeaks(program: Command, { output, finish }: { output: Output; finish: Finish }): void {
  verb(program, 'leaks', {
    about: 'List forged tasks of a run that ask for the same as a held-out template of their app.',
    examples: [
      'espalier leaks runs/one',
      'espalier leaks runs/one --out tasks.txt && espalier train runs/one --tasks tasks.txt --out student.json',
    ],
  })
    .argument('<run>', 'folder of a run on forge:<app>')
    .option('--out <file>', 'file for the tasks that passed and give nothing away, for espalier train --tasks')
    .option(...jsonOption)
    .action(async (run, options) => finish((await import('./leaks.ts')).leaks(output, { run, ...options })));
}

/** `0.2,0.8`. */
function bandOf(text: string): [number, number] {
  const [least = Number.NaN, most = Number.NaN, ...more] = text.split(',').map(Number);
  if (more.length === 0 && least >= 0 && least <= most && most <= 1) return [least, most];
  throw new InvalidArgumentError('Expected two rates from 0 to 1, the smaller one first, such as 0.2,0.8.');
}
