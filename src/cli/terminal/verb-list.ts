import { columns, type Output } from './output.ts';

/** Every verb in a few words, in groups. The verbs themselves are loaded when they are asked for. */
export const verbGroups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Collect, train, evaluate': {
    collect: 'run episodes: a student acts, a teacher reviews and corrects',
    export: 'write training rows, or whole episodes as other tools read them',
    train: 'train a student from exported rows',
    remember: 'write what runs have shown into a memory that students read',
    eval: 'evaluate a student on tasks that are never collected on',
    gate: 'decide whether a candidate takes the place of the release',
    leaderboard: 'rank students in harnesses over environments, as a static site',
    loop: 'collect, export, train and evaluate, round after round',
    rl: 'improve the small student by reinforcement learning',
  },
  'Look at runs': {
    studio: 'tables, trees and screens of runs in a browser; take over at any step',
    inspect: 'list the episodes of a run, or draw the tree of one',
    report: 'write a run as one HTML page, and its figures as JSON',
    annotate: 'say of every step and episode what signals find',
    certify: 'replay what passed, each path in a fresh session',
    judge: 'let a model judge episodes, and compare it with the verifier',
    threats: 'what threats achieved in a run, and what defences saved',
    users: 'how simulated users were treated in a run',
    flaky: 'find tasks and verifiers that disagree with themselves',
  },
  Environments: {
    list: 'what can be chosen by name: environments, strategies, students and more',
    envs: 'the built-in environments',
    tasks: 'the task templates of an environment, or one task',
    play: 'do a task yourself, in the terminal',
    plan: 'let the planner solve a task',
    problems: 'the base problems, or compositions of them',
    new: 'write the skeleton of an app, a problem or a server',
    check: 'check an environment against the laws, and its templates',
    forge: 'make tasks from the commands of an app',
    leaks: 'forged tasks that ask for the same as a held-out template',
    release: 'freeze tasks as a dated, hashed release; check one',
    synth: 'the spec of a made-up app; or mine one from a run',
  },
  'Serve and record': {
    serve: 'environments for trainers, by OpenEnv or another protocol',
    'serve-policy': 'a student and the planner as models behind an endpoint',
    mcp: 'the tools of an environment as an MCP server',
    proxy: 'record any agent: a proxy between it and its model',
    prompts: 'write the prompts of models to files, to read and edit',
  },
  'Many machines': {
    fleet: 'start the database of a fleet, or look at its workers and runs',
    worker: 'run episodes of a fleet on this machine',
    store: 'copy a run between a folder and a Postgres database',
    team: 'let several teams share a Postgres: keys, quotas, audit log',
  },
  'With the sources only': {
    demo: 'let the model small enter an unseen app, correct it there; write a report',
    study: 'compare ways to learn on the same tasks',
    bench: 'measure this machine: steps, forks, rollbacks, plans',
  },
};

/** What a newcomer needs, in the order of use. */
const firstVerbs = ['collect', 'studio', 'export', 'eval', 'report'] as const;

const about = 'Run, review, roll back and verify agents in environments that fork.';

/** What `espalier` alone prints. */
export function showFirstVerbs({ line, paint }: Output): void {
  const all = Object.assign({}, ...Object.values(verbGroups)) as Record<string, string>;
  line(about);
  line();
  for (const text of columns(firstVerbs.map(name => [`  ${paint.bold(name)}`, all[name] ?? '']))) line(text);
  line();
  line('Start with:    espalier collect mail --out runs/mail');
  line('All verbs:     espalier help');
  line('One verb:      espalier help collect');
  line('Settings:      espalier help settings');
}

/** What `espalier help` and `espalier --help` print. */
export function showAllVerbs({ line, paint }: Output): void {
  line('Usage: espalier <verb> [options]');
  const width = Math.max(...Object.values(verbGroups).flatMap(verbs => Object.keys(verbs).map(name => name.length)));
  for (const [title, verbs] of Object.entries(verbGroups)) {
    line();
    line(paint.bold(`${title}:`));
    for (const [name, text] of Object.entries(verbs)) line(`  ${name.padEnd(width)}  ${text}`);
  }
  line();
  line('Every verb has --help, and --debug for the stack of an error. espalier --version prints the version.');
}
