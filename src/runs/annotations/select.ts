import { signalsAsked, signalValues, vocabularyOf } from '../../analysis/signals/signal-values.ts';
import type { Annotated } from '../../analysis/signals/signal.ts';
import { episodeFields } from '../../analysis/filter/episode-fields.ts';
import { readCondition, type Condition } from '../../analysis/filter/where.ts';
import type { EpisodeSource, EpisodeSummary } from '../../core/episode/journal.ts';
import { EspalierError, invalidOption } from '../../core/errors.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import { integrityScore, type IntegrityOf } from '../../analysis/integrity.ts';
import { integrityIn } from '../folder/integrity-file.ts';
import { signals } from '../../analysis/signals/signals.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { chooseSignals } from '../registry/signals.ts';
import { annotateRun, annotationsPath, type AnnotateRunOptions } from './annotate.ts';
import { readAnnotations, readHeader } from './annotations-file.ts';

export interface SelectOptions
  extends Pick<AnnotateRunOptions, 'folder' | 'host' | 'given' | 'signals' | 'onProgress'> {
  /** `signal.lucky < 0.5 and steps <= 12`. */
  readonly where: string;
}

/** Which episodes meet a condition. */
export interface Selection {
  /** The same source with these episodes alone. */
  readonly source: EpisodeSource;
  /** The condition as it was given. */
  readonly where: string;
  readonly selected: number;
  readonly total: number;
  /** Episodes left out because they have no value for what the condition asks. */
  readonly undecided: number;
}

/** Finds the episodes of a run that meet a condition. What its signals say is computed first where it is not there yet. */
export async function selectEpisodes(source: EpisodeSource, options: SelectOptions): Promise<Selection> {
  const known = await chooseSignals(namesWithModules(options.signals));
  const integrityOf = integrityIn(options.folder);
  const condition = readCondition(options.where, new Map([...vocabularyOf(known), ['integrity', 'number']]));
  if (integrityOf === null && condition.names.includes('integrity')) throw notChecked(options.folder);
  const valueOf = await valuesFor(condition, options);
  const keys = new Set<string>();
  let undecided = 0;
  let total = 0;
  for (const summary of source.summaries()) {
    total++;
    const values = valueOf(summary);
    const found = condition.test(
      name =>
        episodeFields[name]?.value(summary) ??
        (name === 'integrity' ? scoreOf(summary, integrityOf) : values.get(name)) ??
        null,
    );
    if (found === null) undecided++;
    else if (found) keys.add(idOf(summary.head));
  }
  return { source: restrict(source, keys), where: options.where, selected: keys.size, total, undecided };
}

function scoreOf(summary: EpisodeSummary, integrityOf: IntegrityOf | null): number | null {
  const { environment, template } = summary.head.task;
  const isCertified = summary.end.certification !== 'none' && !lacksCertificate(summary, summary.end.leaf);
  const parts = integrityOf?.({ environment, template, isCertified }) ?? null;
  return parts === null ? null : integrityScore(parts);
}

function notChecked(folder: string): EspalierError {
  return invalidOption(
    `Nothing was tried against the verifiers of ${folder}, so its episodes have no integrity.`,
    `Expected espalier check <env> --into ${folder} first.`,
  );
}

/** All built-in signals may be asked, and the modules that were named. */
function namesWithModules(given: readonly string[] = []): readonly string[] {
  return [...signals.names, ...given.filter(isModulePath)];
}

type ValuesOf = (summary: EpisodeSummary) => ReadonlyMap<string, number>;

/** The values of the names that the condition uses, for each episode. */
async function valuesFor({ names }: Condition, options: SelectOptions): Promise<ValuesOf> {
  const wanted = namesWithModules(options.signals);
  const asked = signalsAsked(names, await chooseSignals(wanted));
  if (asked.length === 0) return () => new Map();
  const { folder, host, given, onProgress } = options;
  const file = annotationsPath(folder);
  const { forks } = readHeader(file) ?? { forks: false };
  const silent = asked.find(({ needsForks }) => needsForks === true);
  if (silent !== undefined && !forks) throw withoutForks(silent.name, folder);
  const progress = onProgress === undefined ? {} : { onProgress };
  await annotateRun({ folder, host, given, signals: wanted, forks, allowSilent: true, ...progress });
  const said = annotationsOf(file, new Set(asked.map(({ name }) => name)));
  return ({ head }) => {
    const own = [...(said.get(idOf(head)) ?? []), ...(said.get(idOf({ run: head.run, key: head.task.id })) ?? [])];
    return signalValues(names, asked, own);
  };
}

/** What these signals said, by episode; of groups, by task. */
function annotationsOf(file: string, signalNames: ReadonlySet<string>): ReadonlyMap<string, readonly Annotated[]> {
  const said = new Map<string, Annotated[]>();
  for (const { run, episode, group = '', annotations } of readAnnotations(file)) {
    const own = annotations.filter(({ signal }) => signalNames.has(signal));
    if (own.length === 0) continue;
    const id = idOf({ run, key: episode ?? group });
    const known = said.get(id);
    if (known === undefined) said.set(id, own);
    else known.push(...own);
  }
  return said;
}

function idOf({ run, key }: { readonly run: string; readonly key: string }): string {
  return `${run} ${key}`;
}

function restrict(source: EpisodeSource, keys: ReadonlySet<string>): EpisodeSource {
  const isWanted = ({ head }: EpisodeSummary): boolean => keys.has(idOf(head));
  return {
    attachment: source.attachment,
    *episodes(filter) {
      for (const stored of source.episodes(filter)) if (isWanted(stored)) yield stored;
    },
    *summaries(filter) {
      for (const summary of source.summaries(filter)) if (isWanted(summary)) yield summary;
    },
  };
}

function withoutForks(name: string, folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `The condition asks the signal "${name}", which plays episodes again, and ${folder} was annotated without that.`,
    expected: `Run espalier annotate ${folder} --forks first.`,
  });
}
