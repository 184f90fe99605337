import { createForkWorld } from '../../analysis/signals/fork-world.ts';
import type { ForkWorld } from '../../analysis/signals/signal.ts';
import type { StateEnvironment } from '../../core/contracts.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import type { RunConfig } from '../config/config.ts';
import { openWorlds, type OpenedWorlds } from '../environments/worlds.ts';
import { readEvaluationRecord } from '../evaluation/evaluation-record.ts';
import { allConfigs } from '../folder/folder.ts';
import type { GivenParts } from '../host/given.ts';
import type { Host } from '../host/host.ts';

interface ForkWorldsOptions {
  /** Folder of the run. */
  readonly folder: string;
  readonly host: Host;
  readonly given?: GivenParts | undefined;
  /** Whether episodes are played again. */
  readonly forks?: boolean | undefined;
}

export interface ForkWorlds {
  /** Plays an episode again. */
  open(episode: EpisodeRecord): ForkWorld;
  close(): Promise<void>;
}

/** Opens the environments of a run; null where forks are not asked for. Who opens them closes them. */
export async function openForkWorlds(options: ForkWorldsOptions): Promise<ForkWorlds | null> {
  const { folder, host, given, forks = false } = options;
  if (!forks) return null;
  const configs = allConfigs(folder);
  const names = [...new Set(configs.flatMap(({ environments }) => environments))];
  const contractsFor = contractsByEpisode(folder, configs);
  const modules = new Set([null, ...configs.map(config => config.contracts), contractsFor.evaluated]);
  const opened = new Map<string | null, OpenedWorlds>();
  const close = async (): Promise<void> => {
    await Promise.all([...opened.values()].map(worlds => worlds.close()));
  };
  try {
    for (const contracts of modules)
      opened.set(
        contracts,
        await openWorlds(names, { stateful: true, browser: null, concurrency: 1, host, given, contracts }),
      );
  } catch (cause) {
    await close();
    throw cause;
  }
  return {
    open(record) {
      // Steps that a contract refused are refused again.
      const environment = opened.get(contractsFor.episode(record))?.worlds.get(record.head.task.environment);
      if (environment === undefined || !('verifier' in environment)) throw noState(record);
      // Bounded by states, never by time: what is said must not depend on the machine.
      const planner = createPlanner({ clock: host.clock, maxNodes: 5000, maxMilliseconds: Infinity, patience: 4 });
      return createForkWorld({ record, environment: environment as StateEnvironment, planner });
    },
    close,
  };
}

/** The module of contracts that an episode was held to: that of its round, or that of the evaluation. */
function contractsByEpisode(folder: string, configs: readonly RunConfig[]) {
  const byRound = new Map(configs.map(({ round, contracts }) => [round, contracts]));
  const evaluated = readEvaluationRecord(folder).contracts ?? null;
  return {
    evaluated,
    episode: ({ head }: EpisodeRecord): string | null =>
      head.phase === 'evaluate' ? evaluated : (byRound.get(head.round) ?? null),
  };
}

function noState({ head }: EpisodeRecord): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `${head.key} was played in ${head.task.environment}, whose states cannot be forked here.`,
    expected: 'Annotate without --forks, or collect in a built-in app, a forged one or an app of yours.',
  });
}
