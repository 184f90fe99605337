import type { Command } from 'commander';
import type { Output } from '../terminal/output.ts';
import { invalidOption } from '../../core/errors.ts';
import {
  countingNumber,
  jsonOption,
  portNumber,
  positiveNumber,
  verb,
  wholeNumber,
  workersOption,
  type Finish,
} from '../terminal/verb.ts';

interface Setting {
  readonly output: Output;
  readonly finish: Finish;
}

/** The verbs of runs on many machines. */
export function addFleetVerbs(program: Command, setting: Setting): void {
  addFleet(program, setting);
  addWorker(program, setting);
  addStore(program, setting);
  addTeam(program, setting);
}

function addStore(program: Command, { output, finish }: Setting): void {
  verb(program, 'store', {
    about: 'Copy a run between a folder and a Postgres database: all episodes, pictures, certificates and configs.',
    examples: [
      'espalier store copy runs/one "postgres://me@db.example/espalier?store=one"',
      'espalier store copy "postgres://me@db.example/espalier?store=one" runs/again',
    ],
  })
    .argument('<what>', 'what to do: copy')
    .argument('<places...>', 'from and to: folders of runs, paths of stores, or addresses of stores in Postgres')
    .option(...jsonOption)
    .action(async (what, places, options) =>
      finish((await import('./store-copy.ts')).store(output, { what, places, ...options })),
    );
}

function addFleet(program: Command, { output, finish }: Setting): void {
  verb(program, 'fleet', {
    about: 'Start the database that workers and runs meet in, look at what they do, or steer a run.',
    examples: [
      'espalier fleet up',
      'espalier fleet up --host 10.0.0.5 --data /srv/fleet',
      'espalier fleet status "$FLEET"',
      'espalier fleet metrics "$FLEET" --port 9464',
      'espalier fleet pause "$FLEET" mail',
    ],
  })
    .argument(
      '<what>',
      'up: start a Postgres, which stops with this program; status: workers, runs and jobs; metrics: the same for Prometheus; pause, resume, cancel: a run',
    )
    .argument('[address]', 'address of the database, unless it is started')
    .argument('[run]', 'pause, resume, cancel: name or number of the run')
    .option('--data <folder>', 'up: keeps the database', '.espalier-fleet')
    .option('--host <address>', 'up, metrics: address to listen on', '127.0.0.1')
    .option('--port <n>', 'up, metrics: port to listen on (default: 54320, metrics: 9464)', portNumber)
    .option(...jsonOption)
    .action(async (...[what, address, run, options]) => {
      if (what === 'up') return finish((await import('./up.ts')).up(output, { port: 54_320, ...options }));
      if (what !== 'status' && what !== 'metrics' && !isSteering(what))
        throw invalidOption(
          `"${what}" is nothing to do with a fleet.`,
          'Expected up, status, metrics, pause, resume or cancel.',
        );
      if (address === undefined)
        throw invalidOption('No fleet was named.', 'Expected its address, as espalier fleet up prints it.');
      if (what === 'metrics')
        return finish((await import('./metrics.ts')).metrics(output, { port: 9464, ...options, address }));
      if (isSteering(what))
        return finish((await import('./steer.ts')).steer(output, { what, address, run, ...options }));
      return finish((await import('./status.ts')).status(output, { address, ...options }));
    });
}

function isSteering(what: string): what is 'pause' | 'resume' | 'cancel' {
  return ['pause', 'resume', 'cancel'].includes(what);
}

function addTeam(program: Command, { output, finish }: Setting): void {
  verb(program, 'team', {
    about:
      'Let several teams use one Postgres, each with keys, quotas and an audit log: no key reads the runs of another team.',
    examples: [
      'espalier team add red --fleet "$FLEET" --quota-episodes 100000 --quota-dollars 500',
      'espalier team key red --fleet "$FLEET" --role run',
      'espalier team show red --fleet "$FLEET"',
      'espalier team revoke red --fleet "$FLEET" --key red_0a1b2c3d4e5f',
      'espalier team audit red --fleet "$FLEET"',
    ],
  })
    .argument(
      '<what>',
      'add: make a team, or change its quotas; key: make a key; revoke: end one; show: quotas and keys; audit',
    )
    .argument('<team>', 'name of the team')
    .requiredOption(
      '--fleet <address>',
      'address of the Postgres, of a user that may make databases and roles, or of an administer key',
    )
    .option('--role <role>', 'key: read, run or administer', 'run')
    .option('--key <name>', 'revoke: name of the key')
    .option('--quota-episodes <n>', 'add: episodes that the team may run', wholeNumber)
    .option('--quota-tokens <n>', 'add: tokens that its models may take', wholeNumber)
    .option('--quota-dollars <n>', 'add: US dollars that its models may cost', positiveNumber)
    .option(...jsonOption)
    .action(async (what, name, { fleet: address, ...options }) =>
      finish((await import('./team.ts')).manageTeam(output, { what, team: name, address, ...options })),
    );
}

function addWorker(program: Command, { output, finish }: Setting): void {
  verb(program, 'worker', {
    about: 'Run episodes of a fleet: whatever it has for this version of Espalier, until Ctrl+C.',
    examples: [
      'espalier worker --queue "$FLEET"',
      'espalier worker --queue "$FLEET" --slots 64',
      'espalier worker --queue "$FLEET" --slots 8 --browser 4',
    ],
  })
    .requiredOption('--queue <address>', 'address of the database of the fleet')
    .option('--slots <n>', 'episodes at once (default: four a core)', countingNumber)
    .option('--browser <n>', 'episodes in pages at once; 0 takes none', wholeNumber, 0)
    .option('--health <port>', 'answer probes at /healthz and /readyz, on all addresses of this machine', portNumber)
    .option('--lease <seconds>', 'silence after which others take over what it holds', countingNumber, 20)
    .option(...workersOption)
    .option(...jsonOption)
    .action(async options => finish((await import('./worker.ts')).worker(output, options)));
}
