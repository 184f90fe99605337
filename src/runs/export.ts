import type { ToolInfo } from '../core/contracts.ts';
import type { EpisodeSource } from '../core/episode/journal.ts';
import { EspalierError } from '../core/errors.ts';
import { passedGate } from '../dataset/archive-rules.ts';
import type { ArchiveOptions } from '../dataset/archive.ts';
import type { ToolsOf } from '../dataset/requests/offers.ts';
import { exportDataset, type ExportProgress } from '../dataset/export-dataset.ts';
import type { Manifest } from '../dataset/manifest.ts';
import type { DatasetFormat } from '../dataset/table-writer.ts';
import { signalTable, usualTables, type Exporter } from '../dataset/tables.ts';
import { harnessEnvironment } from '../server/proxy/record/episode.ts';
import { harnessTools } from '../server/proxy/record/harness-tools.ts';
import { environments } from '../catalog.ts';
import { givenEnvironment } from './environments/worlds.ts';
import type { GivenParts } from './given.ts';
import type { Host } from './host.ts';
import { chooseSignals } from './registry/signals.ts';
import { chooseTables, chooseTokenFormats } from './registry/tables.ts';
import type { ActionSet } from './environments/offered-actions.ts';
import { openEnvironment } from './environments/open-environment.ts';
import { familyOf } from './environments/families.ts';
import { allConfigs, openRun, runPaths } from './folder/folder.ts';
import { servedEnvironments } from './folder/served.ts';

export interface ExportRunOptions {
  /** Folder of the run. */
  readonly folder: string;
  readonly host: Host;
  readonly given?: GivenParts | undefined;
  /** `export` in the folder of the run, unless given. */
  readonly out?: string | undefined;
  readonly formats?: readonly DatasetFormat[] | undefined;
  /** Tables to write, by name or module; the usual ones when left out. */
  readonly tables?: readonly string[] | undefined;
  /** Signals of the table `signals`, by name or module: it is written with them beside the others. */
  readonly signals?: readonly string[] | undefined;
  /** Trainers to write rows of tokens for, by name or module. */
  readonly tokens?: readonly string[] | undefined;
  /** Takes everything that passed, or what the archive keeps of it: the default. */
  readonly keep?: 'all' | 'archive' | undefined;
  /** What trajectories compete within in the archive: their task, unless given. */
  readonly bins?: 'task' | 'template' | undefined;
  /** Only this round; all of them when left out. */
  readonly round?: number | undefined;
  /** Characters of screens before old ones are left out of requests that no model got. */
  readonly window?: number | undefined;
  onProgress?(progress: ExportProgress): void;
}

export interface Exported {
  readonly folder: string;
  readonly manifest: Manifest;
  /** What gives no rows because it is of held-out templates, or of evaluations. */
  readonly beside: { readonly passed: number; readonly corrections: number };
}

/** Writes the training rows of a run. */
export async function exportRun(options: ExportRunOptions): Promise<Exported> {
  const { folder, out = runPaths(folder).export, formats, round, window, onProgress } = options;
  const tables = await tablesOf(options);
  const tokens = options.tokens === undefined ? undefined : await chooseTokenFormats(options.tokens);
  const source = openRun(folder);
  try {
    const found = await findTools(options);
    const toolsOf: ToolsOf = (environment, at) =>
      environment === harnessEnvironment ? { only: harnessTools(source.summaries()) } : found(environment, at);
    const manifest = exportDataset({
      source,
      folder: out,
      toolsOf,
      ...(round === undefined ? {} : { filter: { round } }),
      archive: archiveOptions(options),
      ...(formats === undefined ? {} : { formats }),
      tables,
      ...(tokens === undefined ? {} : { tokens }),
      ...(window === undefined ? {} : { window }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    return { folder: out, manifest, beside: countBeside(source) };
  } finally {
    source.close();
  }
}

/** The tables that were named, or the usual ones, with that of the signals that were named. */
async function tablesOf({ tables, signals }: ExportRunOptions): Promise<readonly Exporter[]> {
  const named = tables === undefined ? usualTables : await chooseTables(tables);
  if (signals === undefined) return named;
  const chosen = signalTable(await chooseSignals(signals));
  return [...named.filter(({ name }) => name !== chosen.name), chosen];
}

function archiveOptions({ keep = 'archive', bins = 'task' }: ExportRunOptions): ArchiveOptions {
  return keep === 'all' ? { perBin: 'all', gates: [passedGate] } : { scope: bins };
}

function countBeside(source: EpisodeSource): Exported['beside'] {
  const beside = { passed: 0, corrections: 0 };
  for (const { head, end } of source.summaries()) {
    if (head.phase !== 'evaluate' && head.task.split === 'train') continue;
    if (end.outcome === 'passed') beside.passed++;
    beside.corrections += end.counts.corrections;
  }
  return beside;
}

/** An environment that cannot be opened any more matters only when its tools were called. */
async function findTools({ folder, host, given }: ExportRunOptions): Promise<ToolsOf> {
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
      const family = familyOf(name);
      const browses = drawn.has(name) || (family !== undefined && !family.toolsOnly);
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
    throw failure ?? unknownEnvironment(environment, [...tools.keys()]);
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

function unknownEnvironment(id: string, known: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unknown-environment',
    message: `Episodes of "${id}" call its tools, and the run does not say how to open that environment.`,
    expected: `Expected episodes of ${known.join(', ')}; or serve "${id}" once more with this folder as --out, which writes that down.`,
  });
}
