import { lacksCertificate, type Certificate, type Certifiable } from '../../core/episode/certificate.ts';
import type { Clock, Timers } from '../../core/clock.ts';
import type { EpisodeEnd, EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeFilter, EpisodeSource } from '../../core/episode/journal.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import { createCertifier, leavesToCertify } from '../../episode/certify/certifier.ts';
import { distrustReason } from '../../episode/certify/distrust.ts';
import { replayIn } from '../../episode/certify/certify.ts';
import type { Store } from '../../store/store.ts';
import type { GivenParts } from '../host/given.ts';
import type { Host } from '../host/host.ts';
import type { ActionSet } from '../environments/offered-actions.ts';
import type { BrowserConfig } from '../settings/browser-config.ts';
import { environments as builtIn } from '../../catalog.ts';
import { drivenRound } from '../../episode/driven/episodes.ts';
import { allConfigs, closeAfter, findConfig, openRun, openRunForWriting } from '../folder/folder.ts';
import { servedEnvironments } from '../folder/served.ts';
import { withWorlds, type Worlds } from '../environments/worlds.ts';

/** Leaves that were replayed now, by what the replay showed, and those whose environment is not open. */
export type Replayed = Readonly<Record<Certificate['result'] | 'unopened', number>>;

interface ReplayOptions {
  readonly worlds: Worlds;
  readonly filter: EpisodeFilter;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal?: AbortSignal | undefined;
  /** Only these episodes; all of the filter when left out. */
  readonly keys?: ReadonlySet<string> | undefined;
  /** Leaves that did not pass as well. */
  readonly all?: boolean | undefined;
  onCertificate?(head: EpisodeHead, certificate: Certificate): void;
}

/** Replays the leaves in a store that need a certificate and have none: also what a killed run left behind. */
export async function replayMissing(store: Store, options: ReplayOptions): Promise<Replayed> {
  const { worlds, filter, keys, all, clock, timers, concurrency, onCertificate } = options;
  const found = { agreed: 0, diverged: 0, broken: 0, unopened: 0 };
  // Events are read only where a summary says that there is something to do.
  const wanted = new Set<string>();
  for (const { head, end } of store.summaries(filter))
    if (needsReplay(end) && keys?.has(head.key) !== false) wanted.add(head.key);
  if (wanted.size === 0) return found;
  const own = new AbortController();
  const signal = AbortSignal.any([own.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const certifier = createCertifier({
    journal: store,
    clock,
    signal,
    concurrency: () => concurrency,
    onFailure: cause => own.abort(cause),
    onCertificate({ head }, certificate) {
      found[certificate.result]++;
      onCertificate?.(head, certificate);
    },
  });
  for (const stored of store.episodes(filter)) {
    if (signal.aborted) break;
    if (!wanted.has(stored.head.key)) continue;
    const record = foldEpisode(stored);
    const leaves = leavesToCertify(record, all);
    const environment = worlds.get(record.head.task.environment);
    if (environment === undefined) found.unopened += leaves.length;
    else if (leaves.length > 0)
      await certifier.add({ record, replay: replayIn(environment, { clock, timers, signal }), all });
  }
  await certifier.done();
  if (own.signal.aborted) throw own.signal.reason;
  store.flush();
  return found;
}

function needsReplay({ certification, outcome }: EpisodeEnd): boolean {
  return certification === 'by-replay' && outcome !== 'errored';
}

/** Environments whose snapshots the run has found out not to be trusted, by why. */
export function distrustedIn(source: EpisodeSource, filter: EpisodeFilter): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const { head, end, certificates } of source.summaries(filter)) {
    const hasDiverged = certificates.some(({ result }) => result === 'diverged');
    if (hasDiverged && end.counts.rollbacks > 0) reasons.set(head.task.environment, distrustReason(head.key));
  }
  return reasons;
}

/** Whether an episode passed without the certificate that it needs. */
export function isUncertified(summary: Certifiable & { readonly end: EpisodeEnd }): boolean {
  return summary.end.outcome === 'passed' && lacksCertificate(summary, summary.end.leaf);
}

export interface CertifyRunOptions extends Omit<ReplayOptions, 'worlds' | 'filter' | 'keys' | 'clock' | 'timers'> {
  readonly folder: string;
  readonly host: Host;
  readonly given?: GivenParts | undefined;
  /** For episodes of these instead of those that the configs of the run name. */
  readonly environments: readonly string[];
}

/** Certifies what was collected in a run and is not certified, in its own environments, opened as the run did. */
export async function certifyRun(options: CertifyRunOptions): Promise<Replayed> {
  const { folder, concurrency, host, given } = options;
  const { clock, timers } = host;
  const total = { agreed: 0, diverged: 0, broken: 0, unopened: 0 };
  for (const { names, browser, actions, contracts, filter } of jobsOf(options)) {
    // What is compared is text.
    const drawn = browser === null ? null : { ...browser, ...noScreenshots };
    const how = { stateful: false, concurrency, host, given, actions, contracts, browser: drawn };
    await withWorlds(names, how, async worlds => {
      const store = openRunForWriting(folder);
      try {
        const found = await replayMissing(store, { ...options, clock, timers, worlds, filter });
        for (const [result, count] of Object.entries(found)) total[result as keyof Replayed] += count;
      } finally {
        closeAfter(store);
      }
    });
  }
  return total;
}

const noScreenshots = { screenshots: 'none', marks: false } as const;

interface Job {
  readonly names: readonly string[];
  readonly browser: BrowserConfig | null;
  readonly actions: ActionSet;
  readonly contracts: string | null;
  readonly filter: EpisodeFilter;
}

/** One for each round: they may have had other environments, or drawn them otherwise. */
function jobsOf({ folder, environments }: CertifyRunOptions): Job[] {
  const collected = { phase: 'collect' } as const;
  const last = findConfig(folder);
  if (environments.length > 0)
    return [
      {
        names: environments,
        browser: last?.browser ?? null,
        actions: last?.actions ?? 'all',
        contracts: last?.contracts ?? null,
        filter: collected,
      },
    ];
  const configs = allConfigs(folder);
  const served = servedEnvironments(folder);
  const jobs = configs.map(({ environments: names, browser, actions, contracts, run, round }) => ({
    names,
    browser,
    actions,
    contracts,
    filter: { ...collected, run, round },
  }));
  const names = namesOfDriven(folder, served.length > 0 ? served : (last?.environments ?? []));
  if (names === null) return jobs;
  return [
    ...jobs,
    { names, browser: null, actions: 'all', contracts: null, filter: { ...collected, round: drivenRound } },
  ];
}

/**
 * How to open the environments of episodes that a server added: they stand in a round of their own, which has no config. Null when
 * there are none. Where nothing is known, their ids are names if they are built in.
 */
function namesOfDriven(folder: string, known: readonly string[]): readonly string[] | null {
  const store = openRun(folder);
  try {
    const driven = [...store.summaries({ phase: 'collect', round: drivenRound })];
    const ids = [...new Set(driven.map(({ head }) => head.task.environment))];
    if (ids.length === 0) return null;
    if (known.length > 0) return known;
    const unknown = ids.filter(id => !builtIn.some(entry => entry.id === id));
    if (unknown.length > 0) throw unnamed(folder, unknown);
    return ids;
  } finally {
    store.close();
  }
}

function unnamed(folder: string, ids: readonly string[]): EspalierError {
  return invalidOption(
    `${folder} was written by a server, and does not say how to open ${ids.join(', ')}.`,
    `Name the environment as you did then: espalier certify ${folder} <env...>.`,
  );
}
