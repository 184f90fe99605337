import { inspect } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import { EspalierError, fileTrouble, invalidOption } from '../core/errors.ts';
import { createOutput, type ExitCode, type Output } from './terminal/output.ts';
import { createInput } from './terminal/input.ts';
import { packageVersion } from '../system/about.ts';
import { endWithLauncher } from '../system/launcher.ts';
import { endProcess, guardProcess } from '../system/workers/process-guard.ts';
import { addProgramOptions, noteSandbox } from './terminal/browser-program.ts';
import { tasksOption } from './flags/task-flags.ts';
import {
  countingNumber,
  helpWidth,
  jsonOption,
  positiveNumber,
  verb,
  wholeNumber,
  type Finish,
} from './terminal/verb.ts';
import { showAllVerbs, showFirstVerbs } from './terminal/verb-list.ts';

/** Runs the command line and says how it ended. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  endWithLauncher();
  guardProcess({ isWorker: false });
  const output = createTerminal();
  let code: ExitCode = 0;
  const finish: Finish = async work => {
    code = await work;
  };
  try {
    if (args.length === 0) {
      showFirstVerbs(output);
      return 0;
    }
    requireReadable(args);
    const asked = withHelpOf(args);
    const program = await createProgram(output, finish, asked);
    await program.parseAsync(asked, { from: 'user' });
    return code;
  } catch (cause) {
    return tell(cause, output, args.includes('--debug'));
  }
}

/** No path, name or number has a NUL in it, and what takes a path apart may stop there. */
function requireReadable(args: readonly string[]): void {
  const wrong = args.find(arg => arg.includes('\0'));
  if (wrong !== undefined)
    throw invalidOption(`The argument "${wrong.slice(0, 100)}" has a NUL character.`, 'Leave it out.');
}

const debugOption = ['--debug', 'show the stack of an error'] as const;
const environmentHelp = 'name (espalier list environments), or path of a module';
const seedOption = ['--seed <n>', 'which instance of the template (default: 1)', wholeNumber] as const;

/** `help collect` is `collect --help`. */
function withHelpOf(args: readonly string[]): readonly string[] {
  const [first, topic, ...rest] = args;
  const isVerb = first === 'help' && topic !== undefined && topic !== 'settings' && !topic.startsWith('-');
  return isVerb ? [topic, '--help', ...rest] : args;
}

/** Verbs that need none of the others: what only those need is not loaded for them. */
const ownVerbs: ReadonlySet<string> = new Set([
  'help',
  'list',
  'envs',
  'tasks',
  'studio',
  'play',
  'plan',
  'check',
  'new',
  'bench',
  'synth',
  'store',
  'fleet',
  'worker',
  'team',
]);

function needsOthers(args: readonly string[]): boolean {
  const verbGiven = args.find(arg => !arg.startsWith('-'));
  if (verbGiven === undefined) return args.length === 0;
  return !ownVerbs.has(verbGiven);
}

/** Verbs of runs on many machines. */
function needsFleet(args: readonly string[]): boolean {
  const verbGiven = args.find(arg => !arg.startsWith('-'));
  return verbGiven === undefined || ['store', 'fleet', 'worker', 'team'].includes(verbGiven);
}

/** The verbs with their flags and help: all of them without arguments, else as many as these arguments need. */
export async function createProgram(output: Output, finish: Finish, args: readonly string[] = []): Promise<Command> {
  const program = new Command('espalier')
    .description('Run, review, roll back and verify agents in environments that fork.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .option(...debugOption)
    .hook('preAction', (_program, action) => noteSandbox(action.opts()))
    .exitOverride()
    .configureOutput({
      writeOut: text => void process.stdout.write(output.shown(text)),
      writeErr: text => void process.stderr.write(output.shown(text)),
      getOutHelpWidth: () => Math.min(process.stdout.columns ?? helpWidth, helpWidth),
    })
    .showSuggestionAfterError();
  program.helpInformation = () => {
    showAllVerbs(output);
    return '';
  };
  addHelp(program, output, finish);
  addLooking(program, output, finish);
  addStudio(program, output, finish);
  addPlaying(program, output, finish);
  if (needsOthers(args)) await addOthers(program, output, finish);
  if (needsFleet(args)) (await import('./fleet/commands.ts')).addFleetVerbs(program, { output, finish });
  addMaking(program, output, finish);
  addSynth(program, output, finish);
  addProblems(program, output, finish);
  return program;
}

async function addOthers(program: Command, output: Output, finish: Finish): Promise<void> {
  (await import('./runs/commands.ts')).addLearning(program, { output, finish, createInput });
  (await import('./models/commands.ts')).addModelVerbs(program, { output, finish });
  (await import('./runs/study-commands.ts')).addStudies(program, { output, finish });
  (await import('./runs/decision-commands.ts')).addDecisions(program, { output, finish });
  const forging = await import('./forge/commands.ts');
  forging.addForge(program, { output, finish });
  forging.addLeaks(program, { output, finish });
}

function addHelp(program: Command, output: Output, finish: Finish): void {
  verb(program, 'help', {
    about: 'Show all verbs, one verb, or the settings of runs.',
    examples: ['espalier help settings strategy', 'espalier help', 'espalier help collect', 'espalier help settings'],
  })
    .argument('[topic]', 'a verb, or settings')
    .argument('[group]', 'settings: only this group, such as strategy')
    .option(...jsonOption)
    .action(async (topic, group, { json }) => {
      if (topic === undefined) showAllVerbs(output);
      else await finish(showing(group, json));
    });
  const showing = async (group: string | undefined, json: boolean | undefined): Promise<ExitCode> =>
    (await import('./settings/show-settings.ts')).showSettings(output, group, json);
}

function addLooking(program: Command, output: Output, finish: Finish): void {
  verb(program, 'list', {
    about: 'List what can be chosen by name: environments, strategies, students, teachers, tables and more.',
    examples: ['espalier list', 'espalier list strategies', 'espalier list environments --json'],
  })
    .argument('[noun]', 'what to list; all nouns when left out')
    .option(...jsonOption)
    .action(async (noun, options) =>
      finish((await import('./environments/list.ts')).list(output, { noun, ...options })),
    );

  verb(program, 'envs', {
    about: 'List the built-in environments.',
    examples: ['espalier envs', 'espalier envs --json'],
  })
    .option(...jsonOption)
    .action(async options => finish((await import('./environments/envs.ts')).listEnvironments(output, options)));

  const tasks = verb(program, 'tasks', {
    about: 'List the task templates of an environment, or show one task.',
    examples: [
      'espalier tasks mail',
      'espalier tasks ./library.ts',
      'espalier tasks ./library.ts lend-to-reader --seed 7 --screen',
    ],
  })
    .argument('<env>', environmentHelp)
    .argument('[template]', 'show one task of this template')
    .option(...seedOption)
    .option('--screen', 'show the screen the task starts with');
  addProgramOptions(tasks)
    .option(...jsonOption)
    .action(async (environment, template, options) =>
      finish((await import('./environments/tasks.ts')).listTasks(output, { environment, template, ...options })),
    );
}

function addStudio(program: Command, output: Output, finish: Finish): void {
  verb(program, 'studio', {
    about: 'Look at runs in a browser: tables of episodes, their trees step by step, and take over at any step.',
    examples: [
      'espalier studio runs',
      'espalier studio runs/one --port 8950',
      'espalier studio runs --open',
      'espalier studio runs --fleet "$FLEET"',
    ],
  })
    .argument('<folder>', 'folder of a run, or a folder with runs in it')
    .option('--port <n>', 'port on this machine (default: any free one)', wholeNumber)
    .option('--open', 'open the link in the browser of this system')
    .option('--episode <key>', 'link to this episode of a run')
    .option('--fleet <address>', 'show the workers, queues and runs of this fleet, too')
    .option(...jsonOption)
    .action(async (folder, options) =>
      finish((await import('./serve/studio.ts')).studio(output, { folder, ...options })),
    );
}

function addPlaying(program: Command, output: Output, finish: Finish): void {
  const playing = verb(program, 'play', {
    about: 'Do a task yourself, in the terminal.',
    examples: [
      'espalier play mail',
      'espalier play ./library.ts who-has-book --seed 4',
      'espalier play mail star-message --out runs/mine',
      'espalier play mail --tasks mail/star-message/17,mail/contact-phone/3 --out runs/mine',
    ],
  })
    .argument('<env>', environmentHelp)
    .argument('[template]', 'template of the task; the first one when left out')
    .option(...seedOption)
    .option(...tasksOption)
    .option('--out <run>', 'keep what you do as an episode of this run');
  addProgramOptions(playing).action(async (environment, template, options) =>
    finish((await import('./play/play.ts')).play(output, createInput, { environment, template, ...options })),
  );

  verb(program, 'plan', {
    about: 'Let the planner solve a task, and verify its plan.',
    examples: ['espalier plan mail', 'espalier plan ./library.ts lend-to-reader --seed 3', 'espalier plan shop --json'],
  })
    .argument('<env>', environmentHelp)
    .argument('[template]', 'template of the task; the first one when left out')
    .option(...seedOption)
    .option('--nodes <n>', 'states to expand before giving up', countingNumber)
    .option('--seconds <n>', 'time to search before giving up', positiveNumber)
    .option('--verbose', 'show the screen before each step')
    .option(...jsonOption)
    .action(async (environment, template, options) =>
      finish((await import('./environments/plan.ts')).planTask(output, { environment, template, ...options })),
    );
}

function addProblems(program: Command, output: Output, finish: Finish): void {
  verb(program, 'problems', {
    about: 'List the base problems with their types, or compositions of them by chance.',
    examples: [
      'espalier problems',
      'espalier problems graphs',
      'espalier problems --depth 3 --count 10 --seed 7',
      'espalier problems --depth 2 --count 1000 --json',
    ],
  })
    .argument('[subject]', 'only this subject')
    .option('--depth <n>', 'operators inside each other: list compositions', countingNumber)
    .option('--count <n>', 'how many compositions', countingNumber, 10)
    .option('--seed <n>', 'which compositions', wholeNumber, 1)
    .option('--accuracy <share>', 'how often a solver gets a base problem right, for predictions', positiveNumber, 0.9)
    .option(...jsonOption)
    .action(async (subject, options) =>
      finish((await import('./environments/list-problems.ts')).listProblems(output, { subject, ...options })),
    );
}

function addSynth(program: Command, output: Output, finish: Finish): void {
  verb(program, 'synth', {
    about: 'Print the spec of a made-up app, as JSON: what synth:<seed> is made from. Or mine one from a run.',
    examples: [
      'espalier synth 17',
      'espalier synth 17 > clinic.json',
      'espalier synth ./clinic.json',
      'espalier synth --from runs/notes --out notes.json',
    ],
  })
    .argument('[seed]', 'seed of the app, or the path of a spec to check and complete')
    .option('--from <run>', 'mine the spec from the recorded pages of a run')
    .option('--out <file>', 'file to write the spec to')
    .action(async (seed, options) =>
      finish((await import('./forge/synth.ts')).printSpec(output, { seed, ...options })),
    );
}

function addMaking(program: Command, output: Output, finish: Finish): void {
  const check = verb(program, 'check', {
    about: 'Check an environment against the laws, and its templates for admission.',
    examples: [
      'espalier check ./library.ts',
      'espalier check mail --seeds 5 --tries 20000',
      'espalier check ./library.ts --template who-has-book --json',
      'espalier check wai:apps/gmail',
      'espalier check harbor:tasks --into runs/tasks --json',
      'espalier check repository:. --commits 100',
    ],
  })
    .argument('[env]', environmentHelp)
    .option('--env <name>', 'the same as naming the environment')
    .option('--seeds <n>', 'instances of each template to try', countingNumber, 6)
    .option('--tries <n>', 'runs of each template to try, to find wrong ones that pass', countingNumber, 600)
    .option('--template <id>', 'only this template')
    .option('--commits <n>', 'for repository: the newest commits to look at', countingNumber, 30)
    .option(
      '--into <run>',
      'keep what was tried against each verifier in this run: rows, --where and reports carry it; tasks of harbor: that it has are not tried again',
    );
  addProgramOptions(check)
    .option(...jsonOption)
    .action(async (given, { env, ...options }, command) => {
      const environment = given ?? env;
      if (environment === undefined) command.error("error: missing argument 'env'");
      return finish((await import('./check/check.ts')).checkEnvironment(output, { environment, ...options }));
    });

  addNew(program, output, finish);

  const benching = verb(program, 'bench', {
    about: 'Measure this machine: steps, forks, rollbacks, plans.',
    examples: [
      'espalier bench',
      'espalier bench --json',
      'espalier bench browser --wai apps/gmail',
      'espalier bench certify --pages 20000 --json',
    ],
  })
    .argument('[name...]', 'only these figures; browser must be asked for')
    .option('--wai <folder...>', 'WebArena-Infinity apps to measure rollback on, beside the reference way')
    .option('--miniwob <folder>', 'MiniWoB++ folder to run episodes in')
    .option('--rollbacks <n>', 'rollbacks to look at for wrong states', wholeNumber, 400)
    .option('--pages <n>', 'certify: pages to generate', countingNumber, 1000)
    .option('--seed <n>', 'certify: which pages', wholeNumber, 1)
    .option('--minutes <n>', 'certify: generate pages for so long', positiveNumber)
    .option('--features <name...>', 'certify: pages with these features only')
    .option('--keep <folder>', 'certify: write the pages that came out wrong to this folder');
  addProgramOptions(benching)
    .option(...jsonOption)
    .action(async (names, options) => finish((await import('./beside/bench.ts')).bench(output, { names, ...options })));
}

function addNew(program: Command, output: Output, finish: Finish): void {
  verb(program, 'new', {
    about:
      'Write the skeleton of an app or a problem of your own, of a server for OpenEnv with an app in it, a git repository made from a seed, or tasks as Harbor folders.',
    examples: [
      'espalier new app library',
      'espalier new problem sum',
      'espalier new server front-desk',
      'espalier new repository shop --seed 3 --language node',
      'espalier new harbor terminal:files --dir tasks',
    ],
  })
    .argument('<what>', 'what to make: app, problem, server, repository or harbor')
    .argument(
      '<name>',
      'lower-case words joined by -, such as front-desk; for harbor, terminal tasks such as terminal:files',
    )
    .option('--dir <folder>', 'folder to write to', '.')
    .option('--instances <n>', 'for harbor: tasks of each template', countingNumber, 1)
    .option('--seed <n>', 'for repository: another seed is another project', wholeNumber, 1)
    .addOption(
      new Option('--language <name>', 'for repository: what it is written in')
        .choices(['python', 'node'])
        .default('python'),
    )
    .action(async (what, name, options) =>
      finish((await import('./new/new.ts')).writeNew(output, { what, name, ...options })),
    );
}

function createTerminal(): Output {
  const { stdout, stderr, env } = process;
  // A reader such as head may go away early: that is no failure.
  stdout.on('error', cause => endProcess('code' in cause && cause.code === 'EPIPE' ? 0 : 1));
  const colours = stdout.isTTY === true && env['TERM'] !== 'dumb' && (env['NO_COLOR'] ?? '') === '';
  return createOutput({ results: stdout, progress: stderr, colours });
}

function tell(cause: unknown, { paint, shown }: Output, debug: boolean): ExitCode {
  const say = (text: string): void => console.error(shown(text));
  // Commander has printed the error already.
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2;
  if (debug) say(inspect(cause));
  else if (cause instanceof EspalierError) {
    say(`${paint.red('error:')} ${cause.message.replace(` ${cause.expected}`, '')}`);
    say(paint.dim(cause.expected));
  } else if (fileTrouble(cause) !== null) {
    say(`${paint.red('error:')} A file cannot be used: ${fileTrouble(cause)}.`);
    say(paint.dim('Expected the path of a file or folder that this user may use.'));
  } else {
    say(`${paint.red('error:')} ${cause instanceof Error ? cause.message : String(cause)}`);
    say(paint.dim('This was not expected: --debug shows where it came from.'));
  }
  return cause instanceof EspalierError && cause.boundary === 'input' ? 2 : 1;
}
