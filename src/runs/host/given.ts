import type { Environment } from '../../core/contracts.ts';
import type { Policy, Teacher } from '../../core/episode/agents.ts';
import type { EpisodeHead } from '../../core/episode/events.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Strategy } from '../../episode/strategies/strategy.ts';

/** Makes an agent for an episode; for none, it is only asked for its name. */
export type Making<T> = (head: EpisodeHead | null) => T;

/** Objects in the place of names, for runs that a program starts. Configs say `object` where they stand. */
export interface GivenParts {
  /** By their names in the config: `object:<id>`. */
  readonly environments?: ReadonlyMap<string, Environment>;
  readonly policy?: Making<Policy>;
  readonly teacher?: Making<Teacher>;
  readonly strategy?: Strategy;
}

const prefix = 'object:';

/** What a config calls an environment that was given as an object. */
export function objectName({ id }: Environment): string {
  return `${prefix}${id}`;
}

export function isObjectName(name: string): boolean {
  return name.startsWith(prefix);
}

/** Such a run can only go on where its objects are. */
export function notGiven(what: string): EspalierError {
  return invalidOption(
    `${what} was given as an object by the program that began this run, and is not given now.`,
    'Go on with the run from that program, or begin another one with a name or the path of a module.',
  );
}
