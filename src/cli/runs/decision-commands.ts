import type { Command } from 'commander';
import { countingNumber, jsonOption, verb, wholeNumber, workersOption } from '../terminal/verb.ts';
import type { VerbSetting } from './commands.ts';

type Setting = Pick<VerbSetting, 'output' | 'finish'>;

/** The verbs that decide and rank. */
export function addDecisions(program: Command, setting: Setting): void {
  addGate(program, setting);
  addLeaderboard(program, setting);
  addFlaky(program, setting);
  addRelease(program, setting);
  addThreats(program, setting);
  addUsers(program, setting);
}

function addGate(program: Command, { output, finish }: Setting): void {
  verb(program, 'gate', {
    about:
      'Decide whether a candidate takes the place of the release. Exit codes: 0 ship, 1 do not ship, 2 not enough evidence.',
    examples: [
      'espalier gate --candidate new.json --release old.json --env mail',
      'espalier gate gate.yaml --candidate new.json --out runs/gate',
      'espalier gate gate.yaml --json',
    ],
  })
    .argument('[file]', 'what is compared and what must hold (default: gate.yaml, where there is one)')
    .option('--candidate <who>', 'who would take its place: espalier list students')
    .option('--release <who>', 'who is in use now')
    .option('--env <name...>', 'environments, instead of those in the file')
    .option('--out <run>', 'folder of the run that keeps the episodes; asked again, it goes on', 'runs/gate')
    .option(...workersOption)
    .option(...jsonOption)
    .action(async (file, options) =>
      finish((await import('./gate-verb.ts')).gate(output, { ...(file === undefined ? {} : { file }), ...options })),
    );
}

function addLeaderboard(program: Command, { output, finish }: Setting): void {
  verb(program, 'leaderboard', {
    about:
      'Rank students in harnesses over environments, on the same tasks, with costs, a Pareto front and inspected logs, as a static site.',
    examples: [
      'espalier leaderboard grid.yaml --out runs/board',
      'espalier leaderboard grid.yaml --out runs/board --no-run',
    ],
  })
    .argument('<grid>', 'file with students, harnesses and environments')
    .option(
      '--out <folder>',
      'folder of the board: a run for each cell, and the site; asked again, it goes on',
      'runs/board',
    )
    .option('--no-run', 'write the site from what was run, and run nothing')
    .option(...workersOption)
    .option(...jsonOption)
    .action(async (grid, options) =>
      finish((await import('./leaderboard-verb.ts')).leaderboard(output, { grid, ...options })),
    );
}

function addFlaky(program: Command, { output, finish }: Setting): void {
  verb(program, 'flaky', {
    about:
      'Find tasks and verifiers that disagree with themselves: one state and two verdicts, or the same actions and two states. Ends with 1 where there are some.',
    examples: ['espalier flaky runs/eval', 'espalier flaky runs/a runs/b --env ./my-app.ts --replays 5'],
  })
    .argument('<runs...>', 'folders of runs; episodes of one task are compared across them')
    .option('--env <name...>', 'environments to walk again in, instead of those that the runs name')
    .option('--replays <n>', 'walks of each recorded path in fresh sessions; 0 compares records alone', wholeNumber, 2)
    .option(...jsonOption)
    .action(async (runs, options) => finish((await import('./flaky.ts')).flaky(output, { runs, ...options })));
}

function addThreats(program: Command, { output, finish }: Setting): void {
  verb(program, 'threats', {
    about: 'Tell what threats achieved in a run: how often they struck, and what defences saved and cost.',
    examples: ['espalier threats runs/threats'],
  })
    .argument('<run>', 'folder of a run with evaluations in threats:<app>')
    .option(...jsonOption)
    .action(async (run, options) =>
      finish(Promise.resolve((await import('./threats-verb.ts')).threats(output, { run, ...options }))),
    );
}

function addUsers(program: Command, { output, finish }: Setting): void {
  verb(program, 'users', {
    about:
      'Tell how simulated users were treated in a run: questions, rounds, a rubric beside the verifier, and their own errors.',
    examples: ['espalier users runs/users'],
  })
    .argument('<run>', 'folder of a run with episodes in users:<app>')
    .option(...jsonOption)
    .action(async (run, options) =>
      finish(Promise.resolve((await import('./users-verb.ts')).users(output, { run, ...options }))),
    );
}

function addRelease(program: Command, { output, finish }: Setting): void {
  verb(program, 'release', {
    about:
      'Freeze tasks as a dated, hashed release that runs to the same bytes later; check one; look for its canary and instructions in files; compare success before and after a day.',
    examples: [
      'espalier release freeze ./my-app.ts --date 2026-11-18 --out releases/november',
      'espalier release check releases/november',
      'espalier release leaks runs/mail/export --release releases/november',
      'espalier release dates runs/eval --release releases/may --release releases/november --cutoff 2026-06-01',
    ],
  })
    .argument('<what>', 'what to do: freeze, check, leaks, dates')
    .argument('<places...>', 'freeze: the environment. check: folders of releases. leaks: files. dates: runs')
    .option('--out <folder>', 'freeze: folder of the release')
    .option('--date <day>', 'freeze: the day of the release; demand that was seen later is left out (default: today)')
    .option('--name <name>', 'freeze: what it is called (default: its day)')
    .option('--demand <file>', 'freeze: YAML with what people ask for; without it all templates count alike')
    .option('--tasks <n>', 'freeze: tasks of the release', countingNumber, 40)
    .option('--release <folder...>', 'leaks, dates: folders of releases')
    .option('--cutoff <day>', 'dates: the day that tells before from after')
    .option('--student <name>', 'dates: whose episodes, where a run has several students')
    .option(...jsonOption)
    .action(async (what, places, options) =>
      finish((await import('./release-verb.ts')).release(output, { what, places, ...options })),
    );
}
