import { InvalidArgumentError, type Command } from 'commander';
import { invalidOption } from '../../core/errors.ts';
import { loadBeside } from '../beside/programs.ts';
import type { ExitCode, Output } from '../terminal/output.ts';
import { addFleetOptions } from '../fleet/with-fleet.ts';
import { addSettingOptions } from '../settings/former-options.ts';
import type { VerbSetting } from './commands.ts';
import {
  countingNumber,
  jsonOption,
  positiveNumber,
  verb,
  wholeNumber,
  wordList,
  workersOption,
} from '../terminal/verb.ts';

type Setting = Pick<VerbSetting, 'output' | 'finish'>;

/** `espalier rl`. */
export function addRl(program: Command, { output, finish }: Setting): void {
  const command = verb(program, 'rl', {
    about: 'Improve the small student by reinforcement learning: groups of attempts, advantages, policy gradient.',
    examples: [
      'espalier rl mail --student runs/first/student.json --out runs/rl',
      'espalier rl mail shop --student runs/loop/student.round-3.json --estimator grpo --groups fork --out runs/forks',
      'espalier rl mail --student untrained --rounds 20 --steps 50000 --out runs/scratch',
    ],
  })
    .argument('<env...>', 'built-in environments, or paths of modules')
    .optionsGroup('Rounds:')
    .requiredOption('--student <file>', 'student to begin with: a file that espalier train wrote, or untrained')
    .requiredOption('--out <folder>', 'folder of the run; the same command goes on with a run that was stopped')
    .option('--estimator <name>', 'how steps are credited: espalier list estimators, or a module of yours', 'gigpo')
    .option('--estimator-option <name=value...>', 'options of the estimator')
    .option('--rounds <n>', 'rounds: collect, then update', countingNumber, 10)
    .option('--steps <n>', 'begin no round after so many environment steps', countingNumber)
    .option('--group <n>', 'attempts at each task', countingNumber, 8)
    .option(
      '--groups <how>',
      'begin every attempt at the start, or fork most of them from others',
      startOrFork,
      'start',
    )
    .option('--instances <n>', 'tasks of each template in each round', countingNumber, 2)
    .option('--templates <a,b>', 'only these templates (default: all of the training split)', wordList)
    .optionsGroup('Evaluation:')
    .option('--eval-every <n>', 'evaluate before the first round and after every so many; 0 never', wholeNumber, 5)
    .option('--eval-instances <n>', 'instances of each template when the student is evaluated', countingNumber, 4)
    .option('--unseen <env...>', 'environments to evaluate on as well, which are never collected on')
    .option('--no-baselines', 'leave the baselines out')
    .optionsGroup('Run and output:')
    .option('--track <a,b>', 'write the curves for tensorboard or mlflow, too', wordList)
    .option('--seed <n>', 'seed of everything that is drawn', wholeNumber, 1)
    .option(...workersOption);
  addFleetOptions(command).option('--config <file>', 'settings as JSON or TOML; options override it');
  addSettingOptions(command, 'rl')
    .option(...jsonOption)
    .helpOption('-h, --help', 'print help')
    .action(async (environments, options) =>
      finish((await import('./rl-verb.ts')).rl(output, { environments, ...options })),
    );
}

/** `espalier study rl`. */
export function addStudy(program: Command, { output, finish }: Setting): void {
  const command = verb(program, 'study', {
    about: 'Compare ways to learn on the same tasks with the same number of steps; write a table and a figure.',
    examples: [
      'espalier study rl --out runs/study',
      'espalier study rl mail --steps 5000 --seeds 2 --arms GRPO,GiGPO --out runs/short',
      'espalier study wai apps --hold-out gmail --nodes 100 --rounds 2 --out runs/wai',
      'espalier study wai --out runs/wai --resume --rounds 4 --tasks function,easy,medium --minutes 60',
      'espalier study wai apps --compare --seeds 3 --tasks function --nodes 40 --out runs/compare',
      'espalier study races --out runs/races',
      'espalier study loops --out runs/loops',
      'espalier study harness mail --seeds 2 --out runs/harness',
      'espalier study fleet --out runs/fleet',
      'espalier study strategies --out runs/strategies',
      'espalier study strategies --arms lookahead,puct,./mine.ts --budgets 30 --students feature,small --out runs/mine',
      'espalier study memory --arms trad,web-x-skill,./mine.ts --out runs/memory',
    ],
  })
    .argument(
      '<what>',
      'rl, wai (search in pages), races (compositions of problems), strategies, memory, loops (of methods), harness (who finds a planted fault), fleet (how far a database goes), tuning (knobs of Postgres) or meta (agents that write policies)',
    )
    .argument('[env...]', 'rl: environments to train on (default: all built-in); wai: a folder of apps')
    .optionsGroup('Study:')
    .requiredOption('--out <folder>', 'folder of the study; the same command goes on with one that was stopped')
    .optionsGroup('study rl, races, strategies, memory and loops:')
    .option('--arms <a,b>', 'only these ways to learn; strategies and memory: only these, or modules', wordList)
    .option('--unseen <env...>', 'environments to evaluate on as well, which are never trained on')
    .option('--steps <n>', 'environment steps of each student (default: 30,000; loops: 1,500)', countingNumber)
    .option('--seeds <n>', 'students of each arm, with other training seeds (default: 3; wai: 1)', countingNumber)
    .option('--split <by>', 'races: hold out single problems, or whole subjects', problemOrSubject, 'problem');
  command
    .optionsGroup('study strategies and memory:')
    .option('--budgets <a,b>', 'most steps, and questions, of an episode (default: 20,60; memory: 20)', wordList)
    .option('--students <a,b>', 'feature (trained here), small or files of students (default: feature)', wordList);
  addSearchStudy(command.optionsGroup('study wai:'))
    .optionsGroup('Output:')
    .option(...workersOption);
  addFleetOptions(command).option('--config <file>', 'settings as JSON or TOML; options override it');
  addSettingOptions(command, 'study')
    .option(...jsonOption)
    .helpOption('-h, --help', 'print help')
    .action(async (what, environments, options) => {
      const { studySettings } = await import('./learning-settings.ts');
      const seeds = what === 'wai' ? {} : { seeds: usualSeeds };
      const request = { environments, ...seeds, ...options, ...studySettings(options, output.note) };
      requireFleetStudy(what, options);
      return finish((studies[what] ?? studyRl)(output, { what, ...request }));
    });
}

const usualSeeds = 3;

/** Studies that collect and evaluate as `collect` and `eval` do. */
const fleetStudies = ['rl', 'loops'];

function requireFleetStudy(what: string, { fleet }: { readonly fleet?: string }): void {
  if (fleet === undefined || fleetStudies.includes(what)) return;
  throw invalidOption(
    `The study ${what} runs students and strategies that are objects of its program: workers of a fleet cannot make them.`,
    `Expected --fleet with study ${fleetStudies.join(' or ')}, or none.`,
  );
}

type Study = (output: Output, request: object) => Promise<ExitCode>;

const studyRl: Study = async (...given) => (await loadBeside('study rl')).study(...given);

/** Studies by name; the one of reinforcement learning refuses other names. */
const studies: Readonly<Record<string, Study>> = {
  fleet: async (...given) => (await loadBeside('study fleet')).studyFleet(...given),
  harness: async (...given) => (await loadBeside('study harness')).studyHarness(...given),
  loops: async (...given) => (await loadBeside('study loops')).studyLoops(...given),
  memory: async (...given) => (await loadBeside('study memory')).studyMemory(...given),
  meta: async (...given) => (await loadBeside('study meta')).studyMeta(...given),
  races: async (...given) => (await loadBeside('study races')).races(...given),
  strategies: async (...given) => (await loadBeside('study strategies')).studyStrategies(...given),
  tuning: async (...given) => (await loadBeside('study tuning')).studyTuning(...given),
  wai: async (...given) => (await loadBeside('study wai')).studySearch(...given),
};

function addSearchStudy(command: Command): Command {
  return command
    .option('--apps <a,b>', 'only these apps of the folder (default: all)', wordList)
    .option('--tasks <a,b>', 'only tasks of these kinds: function, easy, medium, hard', wordList)
    .option('--most <n>', 'only the first so many tasks of each app', countingNumber)
    .option('--nodes <n>', 'actions that each search may try (default: 100)', countingNumber)
    .option('--minutes <n>', 'longest time of the whole study; with --resume: from now on', positiveNumber)
    .option('--rounds <n>', 'rounds of search and training (default: 2)', countingNumber)
    .option('--hold-out <a,b>', 'apps that are never trained on', wordList)
    .option('--compare', 'compare search alone, imitation and SRC at equal cost')
    .option('--resume', 'go on with the study in --out, also with other --tasks, --rounds and settings');
}

function startOrFork(text: string): 'start' | 'fork' {
  if (text === 'start' || text === 'fork') return text;
  throw new InvalidArgumentError('Expected start or fork.');
}

function problemOrSubject(text: string): 'problem' | 'subject' {
  if (text === 'problem' || text === 'subject') return text;
  throw new InvalidArgumentError('Expected problem or subject.');
}
