/**
 * What each loop of docs/methods.md does for the built-in student: with the loop and without it, at equal environment steps, on made-up
 * apps that nothing was collected on. Run it with `npx node studies/loops/study-loops.ts <folder> [arm…]`; it only calls the command line.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const bin = resolve(import.meta.dirname, '..', '..', 'bin', 'espalier.js');
const [folder = 'runs/loops-study', ...chosen] = process.argv.slice(2);
const trained = ['synth:101', 'synth:102', 'synth:103'];
const heldOut = ['synth:201', 'synth:202', 'synth:203', 'synth:204'];
/** Environment steps of each arm, and tasks of each template in an evaluation. */
const steps = Number(process.env['STUDY_STEPS'] ?? 1500);
const instances = Number(process.env['STUDY_INSTANCES'] ?? 6);

type Line = Readonly<Record<string, unknown>>;

function espalier(...words: readonly string[]): readonly Line[] {
  const ran = spawnSync(process.execPath, [bin, ...words, '--json'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (ran.status !== 0 && ran.status !== 1) throw new Error(`espalier ${words.join(' ')}\n${ran.stderr}`);
  return ran.stdout.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
}

const at = (name: string): string => join(folder, name);

/** Collects round after round, until the steps are used up. */
function collect(name: string, environments: readonly string[], words: readonly string[]): number {
  let taken = 0;
  for (let round = 1; taken < steps && round < 60; round++) {
    const lines = espalier(
      'collect',
      ...environments,
      '--out',
      at(name),
      '--round',
      String(round),
      '--instances',
      '1',
      ...words,
    );
    taken += stepsIn(lines);
  }
  return taken;
}

/** Environment steps that a command tells of. */
function stepsIn(lines: readonly Line[]): number {
  const told = lines.flatMap(line => (Array.isArray(line['environments']) ? (line['environments'] as Line[]) : []));
  return told.reduce((sum, { steps: own }) => sum + Number(own), 0);
}

function train(name: string, exports: readonly string[]): string {
  const file = at(`${name}.json`);
  espalier('train', ...exports.map(at), '--out', file);
  return file;
}

interface Compared {
  readonly environments: readonly string[];
  readonly student: string;
  readonly against: string;
}

/** The rates of both students on the same tasks, and the difference with its interval. */
function compare(name: string, { environments, student, against }: Compared): readonly Line[] {
  const words = ['--student', student, '--against', against, '--no-baselines', '--instances', String(instances)];
  return espalier('eval', ...environments, ...words, '--out', at(`${name}-eval`));
}

/** Demonstrations of the planner that every student starts with. */
function start(): string {
  if (!existsSync(at('start.json'))) {
    espalier(
      'collect',
      ...trained,
      '--student',
      'planner',
      '--strategy',
      'linear',
      '--instances',
      '1',
      '--out',
      at('start'),
    );
    espalier('export', at('start'), '--out', at('start-rows'));
    train('start', ['start-rows']);
  }
  return at('start.json');
}

interface Told {
  /** Without the loop, and with it. */
  readonly steps: readonly [number, number];
  readonly lines: readonly Line[];
}

const arms: Readonly<Record<string, () => Told>> = {
  retry() {
    const student = ['--student', start()];
    const one = collect('best-of-n', trained, [...student, '--strategy', 'best-of-n', '--set', 'strategy.attempts=3']);
    const two = collect('retry', trained, [...student, '--strategy', 'retry', '--set', 'strategy.hint=false']);
    for (const name of ['best-of-n', 'retry'])
      espalier('export', at(name), '--keep', 'all', '--out', at(`${name}-rows`));
    const against = train('best-of-n-student', ['start-rows', 'best-of-n-rows']);
    const trainedOn = train('retry-student', ['start-rows', 'retry-rows']);
    return { steps: [one, two], lines: compare('retry', { environments: heldOut, student: trainedOn, against }) };
  },
  alternatives() {
    const one = collect('shown', trained, ['--student', 'planner', '--strategy', 'linear']);
    const how = ['--strategy', 'alternatives', '--set', 'strategy.width=2', '--set', 'strategy.recover=true'];
    const two = collect('alternatives', trained, ['--student', start(), ...how]);
    for (const name of ['shown', 'alternatives'])
      espalier('export', at(name), '--keep', 'all', '--out', at(`${name}-rows`));
    const against = train('shown-student', ['shown-rows']);
    const student = train('alternatives-student', ['alternatives-rows']);
    return { steps: [one, two], lines: compare('alternatives', { environments: heldOut, student, against }) };
  },
  mask() {
    const one = collect('attempts', trained, ['--student', start(), '--strategy', 'linear', '--trials', '4']);
    espalier('export', at('attempts'), '--keep', 'verified', '--out', at('unmasked-rows'));
    espalier('export', at('attempts'), '--keep', 'verified', '--mask', 'grades.mask', '--out', at('masked-rows'));
    const against = train('unmasked-student', ['start-rows', 'unmasked-rows']);
    const student = train('masked-student', ['start-rows', 'masked-rows']);
    return { steps: [one, one], lines: compare('mask', { environments: heldOut, student, against }) };
  },
  forge() {
    const taken = (['none', 'failures'] as const).map(focus => {
      const forged = trained.map(app => `forge:${app}`);
      const words = ['--rounds', '3', '--instances', '1', '--eval-instances', '2', '--no-baselines'];
      const lines = espalier(
        'loop',
        ...forged,
        ...words,
        '--set',
        `loop.focus=${focus}`,
        '--out',
        at(`forge-${focus}`),
      );
      return lines.reduce((sum, line) => sum + stepsIn([line, (line['collected'] ?? {}) as Line]), 0);
    });
    const [against, student] = ['none', 'failures'].map(focus => at(`forge-${focus}/student.round-3.json`)) as [
      string,
      string,
    ];
    return { steps: taken as [number, number], lines: compare('forge', { environments: heldOut, student, against }) };
  },
  roles() {
    const teams = trained.map(app => `team:${app}`);
    const one = collect('team', teams, ['--student', 'team:planner=planner,executor=planner', '--strategy', 'linear']);
    espalier('export', at('team'), '--keep', 'all', '--out', at('team-rows'));
    espalier('export', at('team'), '--keep', 'all', '--mask', 'agents.executor', '--out', at('planner-rows'));
    espalier('export', at('team'), '--keep', 'all', '--mask', 'agents.planner', '--out', at('executor-rows'));
    const against = train('shared', ['team-rows']);
    const student = `team:planner=${train('planner', ['planner-rows'])},executor=${train('executor', ['executor-rows'])}`;
    const environments = heldOut.map(app => `team:${app}`);
    return { steps: [one, one], lines: compare('roles', { environments, student, against }) };
  },
  events() {
    const teach = ['--student', 'planner', '--strategy', 'linear'];
    const forged = (kinds: string): readonly string[] => trained.map(app => `forge:${app},kinds=${kinds}`);
    const one = collect('quiet', forged('commands'), teach);
    const two = collect('days', forged('commands+days'), teach);
    for (const name of ['quiet', 'days']) espalier('export', at(name), '--keep', 'all', '--out', at(`${name}-rows`));
    const [against, student] = [train('quiet-student', ['quiet-rows']), train('days-student', ['days-rows'])];
    const environments = heldOut.map(app => `forge:${app},kinds=days`);
    return { steps: [one, two], lines: compare('events', { environments, student, against }) };
  },
};

mkdirSync(folder, { recursive: true });
for (const [name, run] of Object.entries(arms)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const began = performance.now();
  const told = run();
  writeFileSync(at(`${name}.result.json`), `${JSON.stringify(told, null, 2)}\n`);
  console.log(name, JSON.stringify(told.steps), `${((performance.now() - began) / 1000).toFixed(0)} s`);
  for (const line of told.lines) console.log(JSON.stringify(line).slice(0, 600));
}
