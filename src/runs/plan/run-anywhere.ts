import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { runEpisodes, type RunOptions, type RunTotals } from '../../episode/engine.ts';
import { isElsewhere } from '../environments/families.ts';
import type { FleetRun, WorkerNeeds } from '../host/fleet.ts';
import { isObjectName } from '../host/given.ts';
import type { Host } from '../host/host.ts';

/** What other machines are told of a run. */
export type SharedRun = Pick<FleetRun, 'name' | 'identity' | 'job' | 'needs' | 'spending' | 'atOnce'>;

/** Runs a plan: on the fleet of this machine where there is one, else here. Null runs here whatever there is. */
export function runAnywhere(
  { fleet }: Pick<Host, 'fleet'>,
  options: RunOptions,
  shared: SharedRun | null,
): Promise<RunTotals> {
  if (fleet === undefined || shared === null) return runEpisodes(options);
  const { plan, journal, certifies = true, signal, mayBegin, onProgress, onSkip } = options;
  return fleet.run({
    ...shared,
    plan,
    journal,
    certifies,
    signal: signal ?? new AbortController().signal,
    mayBegin: () => mayBegin?.() ?? true,
    onProgress: progress => onProgress?.(progress),
    onSkip: head => onSkip?.(head),
  });
}

interface Needing {
  readonly environments: readonly string[];
  readonly browser: unknown;
  /** Whether some agent asks models. */
  readonly asksModels: boolean;
}

/** What the episodes of a run keep busy. */
export function needsOf({ environments, browser, asksModels }: Needing): WorkerNeeds {
  if (browser !== null || environments.some(isElsewhere)) return 'browser';
  return asksModels ? 'model' : 'core';
}

interface Bearing {
  readonly environments: readonly string[];
  readonly concurrency: number;
  /** The models that are asked; null for none. */
  readonly model: string | null;
}

/** Endpoints and worlds of others bear so many episodes at once, however many machines there are. */
export function placesOf({ environments, concurrency, model }: Bearing): FleetRun['atOnce'] {
  if (model === null && !environments.some(isElsewhere)) return null;
  return { most: concurrency, placeOf: ({ task }) => model ?? task.environment };
}

/** Refuses agents and environments that only this program has. */
export function requireShareable(environments: readonly string[], kinds: readonly string[]): void {
  const isHere = kinds.some(kind => ['object', 'studio', 'human'].includes(kind));
  if (isHere || environments.some(isObjectName)) throw notShareable();
}

function notShareable(): EspalierError {
  return invalidOption(
    'A person, or an object of this program, takes part in this run: other machines cannot ask them.',
    'Expected agents and environments with names or modules, or a run without --fleet.',
  );
}
