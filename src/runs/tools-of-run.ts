import type { ToolInfo } from '../core/contracts.ts';
import { unknownEnvironment, type EspalierError } from '../core/errors.ts';
import type { EpisodeSource } from '../core/episode/journal.ts';
import type { ToolsOf } from '../dataset/requests/offers.ts';
import { harnessEnvironment, harnessTools } from './folder/harness-tools.ts';
import { environments } from '../catalog.ts';
import { familyOf } from './environments/families.ts';
import type { ActionSet } from './environments/offered-actions.ts';
import { openEnvironment } from './environments/open-environment.ts';
import { givenEnvironment } from './environments/worlds.ts';
import { allConfigs } from './folder/folder.ts';
import { servedEnvironments } from './folder/served.ts';
import type { GivenParts } from './host/given.ts';
import type { Host } from './host/host.ts';

/** A run whose episodes are exported. */
interface ExportedRun {
  readonly folder: string;
  readonly host: Host;
  readonly given?: GivenParts | undefined;
}

/** The tools of environments, and of the agents that the proxy recorded. */
export async function toolsOfRun(options: ExportedRun, source: EpisodeSource): Promise<ToolsOf> {
  const found = await findTools(options);
  return (environment, at) =>
    environment === harnessEnvironment ? { only: harnessTools(source.summaries()) } : found(environment, at);
}

/** An environment that cannot be opened any more matters only when its tools were called. */
async function findTools({ folder, host, given }: ExportedRun): Promise<ToolsOf> {
  const configs = allConfigs(folder);
  const named = [...configs.flatMap(config => config.environments), ...servedEnvironments(folder)];
  const drawn = new Set(configs.flatMap(config => (config.browser === null ? [] : config.environments)));
  const offeredIn = new Map(configs.map(({ round, actions }) => [round, actions]));
  const names = new Set(named.length === 0 ? environments.map(({ id }) => id) : named);
  const tools = new Map<string, EnvironmentTools>();
  let failure: unknown = null;
  for (const name of names) {
    try {
      const object = givenEnvironment(name, given);
      const environment = object ?? (await openEnvironment(name, { host }));
      const browses = drawn.has(name) || familyOf(name)?.family.served === 'pages';
      const { tools: own, hasScreen = true } = environment;
      tools.set(environment.id, { tools: own, hasScreen, browses });
      if (object === null) await environment.close?.();
    } catch (cause) {
      failure ??= cause;
    }
  }
  return (environment, round) => {
    const found = tools.get(environment);
    if (found !== undefined) return offeredTools(found, offeredIn.get(round) ?? 'all');
    throw failure ?? unopenable(environment, [...tools.keys()]);
  };
}

interface EnvironmentTools {
  readonly tools: readonly ToolInfo[];
  readonly hasScreen: boolean;
  readonly browses: boolean;
}

/** The tools that agents had in a round: rows show what was offered there. */
function offeredTools({ tools, hasScreen, browses }: EnvironmentTools, actions: ActionSet): ReturnType<ToolsOf> {
  if (actions === 'tools' || !hasScreen) return { only: tools };
  return { tools: actions === 'screen' ? [] : tools, browses };
}

function unopenable(id: string, known: readonly string[]): EspalierError {
  return unknownEnvironment(
    `Episodes of "${id}" call its tools, and the run does not say how to open that environment.`,
    `Expected episodes of ${known.join(', ')}; or serve "${id}" once more with this folder as --out, which writes that down.`,
  );
}
