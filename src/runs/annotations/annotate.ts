import { join } from 'node:path';
import { createAnnotator, type AnnotateOptions } from '../../analysis/signals/annotate-episodes.ts';
import type { Signal } from '../../analysis/signals/signal.ts';
import { signals as builtIn } from '../../analysis/signals/signals.ts';
import type { EpisodeSource, StoredEpisode } from '../../core/episode/journal.ts';
import { invalidOption } from '../../core/errors.ts';
import type { GivenParts } from '../host/given.ts';
import type { Host } from '../host/host.ts';
import { openRun } from '../folder/folder.ts';
import { chooseSignals, signalIds } from '../registry/signals.ts';
import { readHeader, storeKey, writeAnnotations, type AnnotationsHeader } from './annotations-file.ts';
import { openForkWorlds } from './fork-worlds.ts';

interface AnnotateProgress {
  readonly episodes: number;
  readonly total: number;
}

export interface AnnotateRunOptions {
  /** Folder of the run. */
  readonly folder: string;
  readonly host: Host;
  readonly given?: GivenParts | undefined;
  /** Signals, by name or module; all built-in ones when left out. */
  readonly signals?: readonly string[] | undefined;
  /** Plays every episode again, for signals that try its states. */
  readonly forks?: boolean | undefined;
  /** Signals that need forks may be named without them: they say nothing. */
  readonly allowSilent?: boolean;
  onProgress?(progress: AnnotateProgress): void;
}

export interface AnnotatedRun {
  /** The file of annotations, in the folder of the run. */
  readonly file: string;
  readonly episodes: number;
  /** `loops@1`. */
  readonly signals: readonly string[];
  /** Why annotations that were there were not used; null when there were none, or they were used. */
  readonly renewed: string | null;
  /** Whether the annotations were there already. */
  readonly isCached: boolean;
}

export function annotationsPath(folder: string): string {
  return join(folder, 'annotations.jsonl');
}

/** Annotates a run and keeps the result beside its store. What is there and still holds is not computed again. */
export async function annotateRun(options: AnnotateRunOptions): Promise<AnnotatedRun> {
  const { folder, forks = false } = options;
  const asked = await chooseSignals(options.signals);
  requireForks(asked, options);
  const source = openRun(folder);
  try {
    const file = annotationsPath(folder);
    const found = readHeader(file);
    const ids = await signalIds(asked, options.signals);
    const kept = keptBeside(asked, found, options);
    const chosen = [...asked, ...kept.signals];
    const header: AnnotationsHeader = {
      format: 1,
      store: storeKey(source),
      signals: [...ids, ...(await signalIds(kept.signals))],
      forks: forks || kept.forks,
    };
    const total = countEpisodes(source);
    const old = whyOld(found, { ...header, signals: ids, forks });
    const done = { file, episodes: total, signals: ids };
    if (old === null) return { ...done, renewed: null, isCached: true };
    const how = { ...options, forks: header.forks };
    await writeAnnotations(file, header, annotatedLines(how, { source, signals: chosen, total }));
    return { ...done, renewed: old === '' ? null : old, isCached: false };
  } finally {
    source.close();
  }
}

/** Built-in signals that the file has and nobody asked for now: they are computed with the others, and stay. */
function keptBeside(
  asked: readonly Signal[],
  found: AnnotationsHeader | null,
  { signals: named }: AnnotateRunOptions,
): { readonly signals: readonly Signal[]; readonly forks: boolean } {
  if (found === null || named === undefined) return { signals: [], forks: false };
  const known = found.signals.flatMap(id => builtIn.find(signalName(id)) ?? []);
  const kept = known.filter(({ name }) => !asked.some(signal => signal.name === name));
  return { signals: kept, forks: found.forks && kept.some(({ needsForks }) => needsForks === true) };
}

interface OpenedRun {
  readonly source: EpisodeSource;
  readonly signals: readonly Signal[];
  /** Episodes that it has. */
  readonly total: number;
}

/** The lines of the file. */
async function* annotatedLines(
  options: AnnotateRunOptions,
  { source, signals, total }: OpenedRun,
): AsyncGenerator<string> {
  let done = 0;
  const onEpisode = (): void => options.onProgress?.({ episodes: ++done, total });
  const worlds = await openForkWorlds(options);
  try {
    const open = worlds === null ? {} : { openWorld: worlds.open };
    yield* writtenLines({ episodes: counted(source, onEpisode), signals, ...open });
  } finally {
    await worlds?.close();
  }
}

/** Annotates episodes, then their groups, each with its line break. */
export async function* writtenLines({ episodes, ...options }: AnnotateOptions): AsyncGenerator<string> {
  const annotator = createAnnotator(options);
  for (const stored of episodes) yield `${JSON.stringify(await annotator.episode(stored))}\n`;
  for (const { lines } of annotator.groups()) for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** Why annotations must be computed: '' when there are none, null when they hold. */
function whyOld(found: AnnotationsHeader | null, wanted: AnnotationsHeader): string | null {
  if (found === null) return '';
  if (found.store !== wanted.store) return 'the run has other episodes now';
  const missing = wanted.signals.filter(id => !found.signals.includes(id));
  const other = missing.find(id => found.signals.some(one => signalName(one) === signalName(id)));
  if (other !== undefined)
    return `they are of ${found.signals.find(one => signalName(one) === signalName(other))}, now it is ${other}`;
  if (missing.length > 0) return `they lack ${missing.join(', ')}`;
  return wanted.forks && !found.forks ? 'they were made without forks' : null;
}

/** The name of a signal without its version. */
export function signalName(id: string): string {
  return id.slice(0, id.lastIndexOf('@'));
}

/** A signal that was asked for by name and can say nothing is an error, not an empty result. */
function requireForks(chosen: readonly Signal[], options: AnnotateRunOptions): void {
  const { signals, forks = false, allowSilent = false } = options;
  if (forks || allowSilent || signals === undefined) return;
  const silent = chosen.find(({ needsForks }) => needsForks === true);
  if (silent === undefined) return;
  throw invalidOption(
    `The signal "${silent.name}" tries the states of an episode, and --forks is not given.`,
    'Add --forks: every episode is then played again in its environment.',
  );
}

function countEpisodes(source: EpisodeSource): number {
  return Iterator.from(source.summaries()).reduce(count => count + 1, 0);
}

function* counted(source: EpisodeSource, onEpisode: () => void): Generator<StoredEpisode> {
  for (const stored of source.episodes()) {
    yield stored;
    onEpisode();
  }
}
