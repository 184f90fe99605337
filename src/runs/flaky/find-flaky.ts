import { environments as builtIn } from '../../catalog.ts';
import { contradictions, walkedPath, type Flaky, type WalkedPath } from '../../analysis/flaky.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import { causeText } from '../../core/errors.ts';
import { pathTo, replayIn, type ReplayPath } from '../../episode/certify/certify.ts';
import { withWorlds, type Worlds } from '../environments/worlds.ts';
import { readEvaluationRecord } from '../evaluation/evaluation-record.ts';
import { allConfigs, openRun } from '../folder/folder.ts';
import type { Host } from '../host/host.ts';

export interface FlakyOptions {
  /** Folders of runs; episodes of the same task are compared across them. */
  readonly folders: readonly string[];
  /** Environments of their episodes; those that the runs name when empty. */
  readonly environments: readonly string[];
  /** How often each path is walked again; 0 for comparing what was recorded alone. */
  readonly replays: number;
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
  onProgress?(episodes: number): void;
}

export interface FoundFlaky {
  readonly flaky: readonly Flaky[];
  /** Episodes with a verdict that were compared. */
  readonly episodes: number;
  /** Walks in fresh sessions. */
  readonly replays: number;
  /** Episodes whose environment was not open, so that they were not walked again. */
  readonly unopened: number;
  /** Walks that broke before their end, by what was said: these prove nothing. */
  readonly broken: readonly string[];
}

/** Finds tasks and verifiers that disagree with themselves: among recorded episodes, and by walking their paths again. */
export async function findFlaky(options: FlakyOptions): Promise<FoundFlaky> {
  const { folders, replays } = options;
  const paths: WalkedPath[] = [];
  const again = { flaky: [] as Flaky[], replays: 0, unopened: 0, broken: [] as string[] };
  for (const folder of folders) {
    const names = options.environments.length > 0 ? options.environments : namesIn(folder);
    const how = { stateful: false, browser: null, concurrency: 1, host: options.host };
    const read = async (worlds: Worlds): Promise<void> => {
      for (const record of recordsIn(folder)) {
        if (options.signal?.aborted === true) return;
        const path = walkedPath(record);
        if (path === null) continue;
        options.onProgress?.(paths.push(path));
        if (replays > 0) await walkAgain(record, { path, worlds, options, found: again });
      }
    };
    await (replays === 0 || names.length === 0 ? read(new Map()) : withWorlds(names, how, read));
  }
  return { ...again, flaky: [...contradictions(paths), ...again.flaky], episodes: paths.length };
}

interface Walk {
  readonly path: WalkedPath;
  readonly worlds: Worlds;
  readonly options: FlakyOptions;
  readonly found: { readonly flaky: Flaky[]; replays: number; unopened: number; readonly broken: string[] };
}

/** Until the first walk that comes out otherwise. */
async function walkAgain(record: EpisodeRecord, { path, worlds, options, found }: Walk): Promise<void> {
  const environment = worlds.get(record.head.task.environment);
  if (environment === undefined) return void found.unopened++;
  const { host, replays, signal = new AbortController().signal } = options;
  const replay: ReplayPath = replayIn(environment, { clock: host.clock, timers: host.timers, signal });
  const recorded = pathTo(record, record.end.leaf);
  const { run, episode, task, template } = path;
  for (let walk = 0; walk < replays && !signal.aborted; walk++) {
    try {
      const came = await replay(recorded);
      found.replays++;
      if (came.certified) continue;
      const { what, step, expected, got } = came;
      const side = what === 'verdict' ? 'verifier' : 'world';
      const where = side === 'verifier' ? what : `${what} after step ${step}`;
      return void found.flaky.push({ run, episode, task, template, side, what: where, expected, got });
    } catch (cause) {
      return void found.broken.push(`${episode}: ${causeText(cause)}`);
    }
  }
}

function* recordsIn(folder: string): Generator<EpisodeRecord> {
  const store = openRun(folder);
  try {
    for (const stored of store.episodes({ wants: ({ end }) => end.verdict !== null })) yield foldEpisode(stored);
  } finally {
    store.close();
  }
}

/** What a run says of its environments: its configs, the modules that it was evaluated on, and built-in apps by their ids. */
function namesIn(folder: string): readonly string[] {
  const configured = allConfigs(folder).flatMap(({ environments }) => environments);
  const { sources = {}, contracts } = readEvaluationRecord(folder);
  const modules = Object.keys(sources).filter(name => name !== contracts);
  const known = new Set([...configured, ...modules]);
  const store = openRun(folder);
  try {
    const ids = new Set(Iterator.from(store.summaries()).map(({ head }) => head.task.environment));
    const apps = builtIn.map(({ id }) => id).filter(id => ids.has(id));
    return [...new Set([...known, ...apps])];
  } finally {
    store.close();
  }
}
