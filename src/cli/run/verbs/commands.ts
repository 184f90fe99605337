import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Output } from '../../output.ts';
import type { Input } from '../../play.ts';
import {
  countingNumber,
  jsonOption,
  plainNumber,
  positiveNumber,
  speculation,
  verb,
  wholeNumber,
  wordList,
} from '../../verb.ts';
import type { Finish } from '../../verb.ts';
import { addModelOptions, endpointHelp } from '../../models/model-flags.ts';
import { addBrowserOptions } from '../../web/browser-flags.ts';

export interface VerbSetting {
  readonly output: Output;
  readonly finish: Finish;
  createInput(): Input;
}

/** The verbs that collect, train and evaluate, and look at what came of it. */
export function addLearning(program: Command, setting: VerbSetting): void {
  addCollect(program, setting);
  addExport(program, setting);
  addTrain(program, setting);
  addEval(program, setting);
  addInspect(program, setting);
  addReport(program, setting);
}

const environmentArgument = [
  '[env...]',
  'built-in environments, paths of modules, wai:<folder>, miniwob:<folder>, page:<url> or mcp:<server>,<tasks>; all built-in when left out',
] as const;
const environmentOption = ['--env <name...>', 'the same as naming environments'] as const;

/** Environments that were named, whichever way. */
function named(environments: readonly string[], { env = [] }: { readonly env?: readonly string[] }): string[] {
  return [...environments, ...env];
}

function addCollect(program: Command, { output, finish, createInput }: VerbSetting): void {
  const command = verb(program, 'collect', {
    about: 'Let a student do tasks while a teacher looks, and keep everything that happens.',
    examples: [
      'espalier collect --out runs/one',
      'espalier collect mail --out runs/mail --instances 5 --speculate 1',
      'espalier collect --out runs/one --round 2 --student runs/one/student.json',
      'espalier collect ./library.ts --out runs/mine --teacher human --instances 1',
      'espalier collect --resume runs/one',
      'espalier collect mail --browser --out runs/pixels',
      'espalier collect mail --student openai:qwen3@http://127.0.0.1:8000/v1 --teacher anthropic:claude-x --budget-dollars 5 --out runs/model',
      'espalier collect wai:apps/gmail --strategy linear --out runs/gmail',
      'espalier collect --config runs/one/config.json --out runs/again',
    ],
  })
    .argument(...environmentArgument)
    .option('--out <folder>', 'folder of the run')
    .option('--resume <folder>', 'go on with the run in this folder, as it was begun')
    .option('--config <file>', 'start from the config of another run; other options override it')
    .option(
      '--templates <a,b>',
      'only these templates, of whatever split (default: all of the training split)',
      wordList,
    )
    .option('--instances <n>', 'instances of each template (default: 3)', countingNumber)
    .option('--round <n>', 'round of the run; each sees new instances (default: 1)', wholeNumber)
    .option('--seed <n>', 'seed of everything that is drawn (default: 1)', wholeNumber)
    .option(
      '--student <who>',
      `a file of espalier train, untrained, random, planner, a module of yours, ${endpointHelp} (default: untrained)`,
    )
    .option('--temperature <t>', '0 takes the best action, 1 draws by its own chances (default: 1)', plainNumber);
  addModelOptions(addBrowserOptions(command.option(...environmentOption)));
  addTeaching(command);
  addLimits(command)
    .option('--concurrency <n>', 'episodes at once (default: 8)', countingNumber)
    .option(...jsonOption)
    .action(async (environments, options) =>
      finish(
        (await import('./collect.ts')).collect(output, createInput, {
          ...options,
          environments: named(environments, options),
        }),
      ),
    );
}

function addTeaching(command: Command): Command {
  return command
    .option(
      '--teacher <who>',
      `who reviews and corrects: planner, human, none, a module of yours, ${endpointHelp} (default: planner)`,
    )
    .option('--teacher-temperature <t>', 'of a model that teaches (default: as its server has it)', plainNumber)
    .option('--teacher-errors <share>', 'share of its answers that are wrong, from 0 to 1 (default: 0)', plainNumber)
    .addOption(
      new Option('--strategy <name>', 'how episodes are run (default: speculative-rollback)').choices([
        'linear',
        'speculative-rollback',
        'best-of-n',
      ]),
    )
    .option('--speculate <k>', 'steps between two reviews, or inf for one at the end (default: 3)', speculation)
    .option('--branching', 'let rejected branches live on beside, to measure the teacher')
    .option('--attempts <n>', 'attempts of best-of-n (default: 4)', countingNumber);
}

function addLimits(command: Command): Command {
  return command
    .option('--steps <n>', 'steps of an episode (default: 30)', countingNumber)
    .option('--interventions <n>', 'steps of the teacher in an episode (default: 6)', wholeNumber)
    .option('--reviews <n>', 'reviews in an episode (default: any number)', wholeNumber)
    .option('--forks <n>', 'branches of an episode that live on (default: 4)', wholeNumber)
    .option('--seconds <n>', 'time of an episode (default: any)', positiveNumber)
    .option('--cost <n>', 'cost of an episode, as its agents state it (default: any)', plainNumber);
}

function addExport(program: Command, { output, finish }: VerbSetting): void {
  verb(program, 'export', {
    about: 'Write the training rows of a run as JSON lines and Parquet.',
    examples: [
      'espalier export runs/one',
      'espalier export runs/one --round 2 --format jsonl --out rows',
      'espalier export runs/one --tokens trl,verl',
    ],
  })
    .argument('<run>', 'folder of a run')
    .option('--out <folder>', 'folder to write to (default: export in the folder of the run)')
    .option('--format <a,b>', 'jsonl, parquet or both (default: both)', formats)
    .option('--tokens <a,b>', 'also rows of tokens for trl, verl, skyrl or prime-rl (default: none)', tokenFormats)
    .option('--round <n>', 'only this round (default: all)', wholeNumber)
    .option(...jsonOption)
    .action(async (run, options) => finish((await import('./export.ts')).exportRows(output, { run, ...options })));
}

function addTrain(program: Command, { output, finish }: VerbSetting): void {
  verb(program, 'train', {
    about: 'Train a student from exported rows.',
    examples: ['espalier train runs/one', 'espalier train runs/one/export rows --out student.json --seed 7'],
  })
    .argument('<folder...>', 'folders of exported rows, or of runs that were exported')
    .option('--out <file>', 'file to write (default: student.json beside the rows)')
    .option('--seed <n>', 'seed of the order in which rows are learned', wholeNumber, 1)
    .option(...jsonOption)
    .action(async (folders, options) => finish((await import('./train.ts')).train(output, { folders, ...options })));
}

function addEval(program: Command, { output, finish }: VerbSetting): void {
  const command = verb(program, 'eval', {
    about: 'Evaluate a student on tasks that are never collected on, beside baselines.',
    examples: [
      'espalier eval --student runs/one/student.json --out runs/one',
      'espalier eval mail --student new.json --against old.json --out runs/compare --verbose',
      'espalier eval mail --student new.json --out runs/one --levels held-out --trials 3',
    ],
  })
    .argument(...environmentArgument)
    .requiredOption('--student <who>', `file that espalier train wrote, untrained, a module of yours, ${endpointHelp}`)
    .requiredOption('--out <run>', 'folder of the run that keeps the episodes; asked again, it goes on')
    .option('--against <file>', 'another student, for the paired difference')
    .option('--instances <n>', 'instances of each template', countingNumber, 4)
    .option('--trials <n>', 'attempts at each task', countingNumber, 1)
    .option('--levels <a,b>', 'new-instances, held-out or both', levels, ['new-instances', 'held-out'])
    .option('--round <n>', 'round that the student belongs to (default: the latest of the run)', wholeNumber)
    .option('--seed <n>', 'which instances', wholeNumber, 1)
    .option('--concurrency <n>', 'episodes at once', countingNumber, 8)
    .option('--temperature <t>', 'of a model (default: as its server has it)', plainNumber)
    .option('--no-baselines', 'leave out random, blind replay and planner')
    .option('--verbose', 'show every app and template');
  addModelOptions(addBrowserOptions(command.option(...environmentOption)))
    .option(...jsonOption)
    .action(async (environments, options) =>
      finish(
        (await import('./eval.ts')).evaluateStudent(output, { ...options, environments: named(environments, options) }),
      ),
    );
}

function addInspect(program: Command, { output, finish }: VerbSetting): void {
  verb(program, 'inspect', {
    about: 'List the episodes of a run, or draw the tree of one.',
    examples: [
      'espalier inspect runs/one',
      'espalier inspect runs/one --outcome failed --template star-message',
      'espalier inspect runs/one mail/star-message --verbose',
      'espalier inspect runs/one mail/star-message --html episode.html',
    ],
  })
    .argument('<run>', 'folder of a run, also while it is written')
    .argument('[episode]', 'key of an episode, or enough of one')
    .addOption(new Option('--outcome <outcome>', 'only these').choices(['passed', 'failed', 'discarded', 'errored']))
    .option('--template <id>', 'only episodes of this template')
    .option('--verbose', 'show the digests')
    .option('--html <file>', 'write the episode as a page, with its screenshots')
    .option(...jsonOption)
    .action(async (run, episode, options) =>
      finish((await import('./inspect.ts')).inspect(output, { run, episode, ...options })),
    );
}

function addReport(program: Command, { output, finish }: VerbSetting): void {
  verb(program, 'report', {
    about: 'Write a run as one HTML page, and its figures as JSON.',
    examples: ['espalier report runs/one', 'espalier report runs/one/report.json --out page.html'],
  })
    .argument('<run>', 'folder of a run, or the JSON of a report, to draw it again')
    .option('--out <file>', 'page to write (default: report.html in the folder of the run)')
    .option(...jsonOption)
    .action(async (source, options) => finish((await import('./report.ts')).report(output, { source, ...options })));
}

function formats(text: string): string[] {
  return someOf(text, ['jsonl', 'parquet']);
}

function tokenFormats(text: string): string[] {
  return someOf(text, ['trl', 'verl', 'skyrl', 'prime-rl']);
}

function levels(text: string): string[] {
  return someOf(text, ['new-instances', 'held-out']);
}

function someOf(text: string, known: readonly string[]): string[] {
  const words = wordList(text);
  if (words.every(word => known.includes(word))) return [...new Set(words)];
  throw new InvalidArgumentError(`Expected ${known.join(' or ')}, or several with a comma between them.`);
}
