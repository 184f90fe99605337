import { InvalidArgumentError, Option, type Command } from 'commander';
import { invalidOption } from '../../core/errors.ts';
import { createFleet } from '../../fleet/controller/fleet.ts';
import type { Host } from '../../runs/host/host.ts';
import { packageRevision } from '../../system/about.ts';
import type { Output } from '../terminal/output.ts';

export interface FleetFlags {
  /** Address of a fleet. */
  readonly fleet?: string;
  readonly priority?: number;
}

/** The options of verbs that run episodes. */
export function addFleetOptions<C extends Command>(command: C): C {
  return command
    .option('--fleet <address>', 'run the episodes on this fleet; --priority <n> orders its runs')
    .addOption(new Option('--priority <n>').argParser(priorityNumber).hideHelp());
}

/** For verbs that read a whole run, which lies here: says what to do instead. */
export function refuseFleet<C extends Command>(command: C, why: string, instead: string): C {
  const refuse = (): never => {
    throw invalidOption(why, instead);
  };
  return command.addOption(new Option('--fleet <address>').argParser(refuse).hideHelp());
}

function priorityNumber(text: string): number {
  const priority = Number(text);
  if (Number.isInteger(priority) && Math.abs(priority) <= 1000) return priority;
  throw new InvalidArgumentError('Expected a whole number from -1000 to 1000.');
}

/** The same machine, with a fleet that runs its episodes where one was named. */
export function withFleet(host: Host, { fleet: address, priority }: FleetFlags, output: Pick<Output, 'note'>): Host {
  if (address === undefined && priority !== undefined)
    throw invalidOption('--priority orders the runs of a fleet.', 'Expected --fleet beside it.');
  if (address === undefined) return host;
  const machine = { ...host, onNotice: output.note };
  return { ...host, fleet: createFleet({ address, machine, priority, version: packageRevision() }) };
}
