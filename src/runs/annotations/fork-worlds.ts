import { createForkWorld } from '../../analysis/signals/fork-world.ts';
import type { ForkWorld } from '../../analysis/signals/signal.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import { createPlanner } from '../../policies/planner.ts';
import { withWorlds } from '../environments/worlds.ts';
import { allConfigs } from '../folder/folder.ts';
import type { GivenParts } from '../given.ts';
import type { Host } from '../host.ts';

interface ForkWorldsOptions {
  /** Folder of the run. */
  readonly folder: string;
  readonly host: Host;
  readonly given?: GivenParts | undefined;
  /** Whether episodes are played again. */
  readonly forks?: boolean | undefined;
}

type OpenWorld = (episode: EpisodeRecord) => ForkWorld;

/** Opens the environments of a run, where forks are asked for, and closes them after. */
export async function withForkWorlds<T>(
  { folder, host, given, forks = false }: ForkWorldsOptions,
  work: (openWorld: OpenWorld | null) => Promise<T>,
): Promise<T> {
  if (!forks) return work(null);
  const configs = allConfigs(folder);
  const names = [...new Set(configs.flatMap(({ environments }) => environments))];
  // Steps that a contract refused are refused again.
  const contracts = configs.find(config => config.contracts !== null)?.contracts ?? null;
  return withWorlds(names, { stateful: true, browser: null, concurrency: 1, host, given, contracts }, worlds =>
    work(record => {
      const environment = worlds.get(record.head.task.environment);
      if (environment === undefined || !('verifier' in environment)) throw noState(record);
      // Bounded by states, never by time: what is said must not depend on the machine.
      const planner = createPlanner({ clock: host.clock, maxNodes: 5000, maxMilliseconds: Infinity, patience: 4 });
      return createForkWorld({ record, environment: environment as StateEnvironment, planner });
    }),
  );
}

function noState({ head }: EpisodeRecord): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `${head.key} was played in ${head.task.environment}, whose states cannot be forked here.`,
    expected: 'Annotate without --forks, or collect in a built-in app, a forged one or an app of yours.',
  });
}
