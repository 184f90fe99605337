import { InvalidArgumentError, type Command } from 'commander';
import type { VerbSetting } from '../runs/commands.ts';
import { countingNumber, jsonOption, plainNumber, speculation, verb, wholeNumber, workersOption } from '../verb.ts';

/** The verbs that put collecting, training and evaluating together. */
export function addStudies(program: Command, setting: Pick<VerbSetting, 'output' | 'finish'>): void {
  addLoop(program, setting);
  addDemo(program, setting);
}

function addLoop(program: Command, { output, finish }: Pick<VerbSetting, 'output' | 'finish'>): void {
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
    .option('--speculate <k>', 'steps of the student before a review: a number, inf or adaptive', speculation, 3)
    .option('--go-on <p>', 'adaptive: go on while the product of the probabilities is at least this', share)
    .option('--skip-sure <p>', 'skip the review of a finish that passed, if every step was at least so probable', share)
    .option(
      '--misses <share>',
      'share of the skipped reviews that may miss a rejection: sets --skip-sure each round',
      share,
    )
    .option('--branching', 'run rejected branches to their end, and verify each')
    .option('--teacher-errors <share>', 'share of the answers of the teacher that are wrong', plainNumber, 0)
    .option('--teacher-strict', 'the teacher rejects neutral steps as well')
    .option('--imitate', 'collect demonstrations of the planner instead')
    .option(
      '--keep <what>',
      'train on all that passed, or on what the archive keeps of it',
      oneOf('all', 'archive'),
      'all',
    )
    .option(
      '--bins <scope>',
      'trajectories compete in the archive within their task or template',
      oneOf('task', 'template'),
    )
    .option('--students <n>', 'students trained after the last round, with other seeds', countingNumber, 1)
    .option('--no-baselines', 'leave the baselines out')
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
}

function addDemo(program: Command, { output, finish }: Pick<VerbSetting, 'output' | 'finish'>): void {
  verb(program, 'demo', {
    about: 'Teach a student in several ways, and write a report.',
    examples: ['espalier demo', 'espalier demo --rounds 2 --instances 1 --out runs/short'],
  })
    .option('--out <folder>', 'folder to write to (default: the first free one of runs/demo, runs/demo-2, …)')
    .option('--rounds <n>', 'rounds', countingNumber, 5)
    .option('--instances <n,m>', 'instances of each template, for each round; the last holds on', numberList, [1, 3])
    .option('--eval-instances <n>', 'instances of each template when a student is evaluated', countingNumber, 4)
    .option('--students <n>', 'students of each arm after the last round, with other training seeds', countingNumber, 2)
    .option('--seed <n>', 'seed of everything that is drawn', wholeNumber, 1)
    .action(async options => finish((await import('./demo.ts')).demo(output, options)));
}

function share(text: string): number {
  if (text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1) return Number(text);
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

function oneOf<T extends string>(...words: readonly T[]): (text: string) => T {
  return text => {
    const word = words.find(known => known === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`Expected ${words.join(' or ')}.`);
  };
}

function numberList(text: string): number[] {
  return text.split(',').map(countingNumber);
}
