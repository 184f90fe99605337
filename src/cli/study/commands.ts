import type { Command } from 'commander';
import type { VerbSetting } from '../runs/commands.ts';
import { countingNumber, jsonOption, plainNumber, speculation, verb, wholeNumber, workersOption } from '../verb.ts';

/** The verbs that put collecting, training and evaluating together. */
export function addStudies(program: Command, { output, finish }: Pick<VerbSetting, 'output' | 'finish'>): void {
  verb(program, 'loop', {
    about: 'Collect, export, train and evaluate, round after round.',
    examples: [
      'espalier loop --out runs/loop',
      'espalier loop mail --out runs/mail --rounds 3 --speculate 1',
      'espalier loop --out runs/shown --imitate --instances 5,2',
    ],
  })
    .argument('[env...]', 'built-in environments, or paths of modules; all built-in when left out')
    .requiredOption('--out <folder>', 'folder of the run; the same command goes on with a loop that was stopped')
    .option('--rounds <n>', 'rounds', countingNumber, 5)
    .option('--instances <n,m>', 'instances of each template, for each round; the last holds on', numberList, [3])
    .option('--eval-instances <n>', 'instances of each template when the student is evaluated', countingNumber, 4)
    .option('--speculate <k>', 'steps of the student before a review: a number or inf', speculation, 3)
    .option('--branching', 'run rejected branches to their end, and verify each')
    .option('--teacher-errors <share>', 'share of the answers of the teacher that are wrong', plainNumber, 0)
    .option('--imitate', 'collect demonstrations of the planner instead')
    .option('--no-baselines', 'leave random, blind replay and planner out')
    .option('--seed <n>', 'seed of everything that is drawn', wholeNumber, 1)
    .option(...workersOption)
    .option(...jsonOption)
    .action(async (environments, { evalInstances, ...options }) =>
      finish(
        (await import('./loop-verb.ts')).loop(output, {
          environments,
          evaluationInstances: evalInstances,
          ...options,
        }),
      ),
    );

  verb(program, 'demo', {
    about: 'Teach a student in five ways, and write a report.',
    examples: ['espalier demo', 'espalier demo --rounds 2 --instances 1 --out runs/short'],
  })
    .option('--out <folder>', 'folder to write to (default: the first free one of runs/demo, runs/demo-2, …)')
    .option('--rounds <n>', 'rounds', countingNumber, 5)
    .option('--instances <n,m>', 'instances of each template, for each round; the last holds on', numberList, [1, 3])
    .option('--eval-instances <n>', 'instances of each template when a student is evaluated', countingNumber, 4)
    .option('--seed <n>', 'seed of everything that is drawn', wholeNumber, 1)
    .action(async options => finish((await import('./demo.ts')).demo(output, options)));
}

function numberList(text: string): number[] {
  return text.split(',').map(countingNumber);
}
