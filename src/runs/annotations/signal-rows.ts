import type { Annotated, Signal } from '../../analysis/signals/signal.ts';
import { signals } from '../../analysis/signals/signals.ts';
import { EspalierError } from '../../core/errors.ts';
import type { SaidBefore, SignalRows } from '../../dataset/tables/signals.ts';
import { isModulePath } from '../../modules/load-module.ts';
import { chooseSignals } from '../registry/signals.ts';
import { annotateRun, annotationsPath, type AnnotateRunOptions } from './annotate.ts';
import { readAnnotations, readHeader } from './annotations-file.ts';

export interface ChosenSignalRows extends SignalRows {
  /** Signals that say nothing because the run was annotated without forks. */
  readonly silent: readonly string[];
}

type Options = Pick<AnnotateRunOptions, 'folder' | 'host' | 'given' | 'signals'>;

/** What the table of signals is made from. Signals that compare episodes or play them again are read from the annotations of the run. */
export async function signalRows({ folder, host, given, signals: names }: Options): Promise<ChosenSignalRows> {
  const chosen = await chooseSignals(names);
  const kept = chosen.filter(({ group, forks }) => group !== undefined || forks !== undefined);
  if (kept.length === 0) return { asked: chosen, silent: [] };
  const file = annotationsPath(folder);
  const { forks } = readHeader(file) ?? { forks: false };
  const silent = forks ? [] : kept.filter(({ needsForks }) => needsForks === true).map(({ name }) => name);
  if (names !== undefined && silent[0] !== undefined) throw withoutForks(silent[0], folder);
  // All built-in ones: a file with fewer would be computed again by the next who asks.
  const wanted = [...signals.names, ...(names ?? []).filter(isModulePath)];
  await annotateRun({ folder, host, given, signals: wanted, forks, allowSilent: true });
  return { asked: chosen.filter(signal => !kept.includes(signal)), said: saidBefore(file, kept), silent };
}

function saidBefore(file: string, kept: readonly Signal[]): SaidBefore {
  const names = new Set(kept.map(({ name }) => name));
  const episodes = new Map<string, readonly Annotated[]>();
  const tasks = new Map<string, readonly Annotated[]>();
  for (const { run, episode, group = '', annotations } of readAnnotations(file)) {
    const own = annotations.filter(({ signal }) => names.has(signal));
    if (own.length === 0) continue;
    const [known, id] = episode === null ? [tasks, `${run} ${group}`] : [episodes, `${run} ${episode}`];
    known.set(id, [...(known.get(id) ?? []), ...own]);
  }
  return {
    ofEpisode: (run, episode) => episodes.get(`${run} ${episode}`) ?? [],
    ofTask: (run, task) => tasks.get(`${run} ${task}`) ?? [],
  };
}

function withoutForks(name: string, folder: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `The signal "${name}" plays episodes again, and ${folder} was annotated without that.`,
    expected: `Run espalier annotate ${folder} --forks first, then export again.`,
  });
}
