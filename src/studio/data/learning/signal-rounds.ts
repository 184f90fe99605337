import { chartFile, chartFileSpots } from '../../../analysis/report/chart-file.ts';
import type { Chart, ChartPoint } from '../../../analysis/report/figures/chart.ts';
import { isByPerson } from '../../../core/episode/events.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { RateView, SignalChartRequest, SignalRounds } from '../../api/api-learning.ts';
import { annotateRun, annotationsPath } from '../../../runs/annotations/annotate.ts';
import { readAnnotations, readHeader } from '../../../runs/annotations/annotations-file.ts';
import type { Host } from '../../../runs/host/host.ts';
import { signals as known } from '../../../analysis/signals/signals.ts';
import type { OpenedRun } from '../opened-run.ts';
import { shareOf } from './run-learning.ts';

/** Larger runs are annotated by espalier annotate: it would hold up the server. */
const mostAnnotated = 1000;
const mostLabels = 200;

/** In how many episodes of each round a label of a signal was said. */
export async function signalRounds({ folder, index }: OpenedRun, host: Host): Promise<SignalRounds> {
  const rows = index.rows().filter(row => row.phase === 'collect' && row.round > 0 && !isByPerson(row));
  const rounds = [...new Set(rows.map(({ round }) => round))].toSorted((one, other) => one - other);
  if (rounds.length === 0) return { rounds: [], labels: [], missing: 'Nothing was collected in rounds.' };
  const file = annotationsPath(folder);
  const header = readHeader(file);
  if (index.rows().length <= mostAnnotated) {
    const forks = header?.forks ?? false;
    await annotateRun({ folder, host, signals: known.names, forks, allowSilent: true });
  } else if (header === null) return { rounds, labels: [], missing: `Run espalier annotate ${folder} first.` };
  const roundOf = new Map(rows.map(({ run, key, round }) => [`${run} ${key}`, round]));
  const { all, counts } = countByRound(labelsByEpisode(file), roundOf);
  const labels = [...counts].slice(0, mostLabels).map(([name, own]) => {
    const [signal = '', label = ''] = name.split('\n');
    const rates = rounds.map(round => rateOf(own.get(round) ?? 0, all.get(round) ?? 0));
    return { signal, label, rates, points: chartFileSpots(chartOf(rounds, { signal, label, rates })) };
  });
  return { rounds, labels: labels.toSorted(byName), missing: null };
}

/** What was said of each episode. The comparison of a task stands in lines of its own after the others. */
function labelsByEpisode(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const said = new Map<string, Set<string>>();
  for (const { run, episode, annotations } of readAnnotations(file)) {
    if (episode === null) continue;
    const own = said.get(`${run} ${episode}`) ?? new Set();
    said.set(`${run} ${episode}`, own);
    for (const { signal, label } of annotations) own.add(`${signal}\n${label}`);
  }
  return said;
}

interface RoundCounts {
  /** Episodes of each round. */
  readonly all: ReadonlyMap<number, number>;
  /** By signal and label, in how many episodes of each round it was said. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

function countByRound(
  said: ReadonlyMap<string, ReadonlySet<string>>,
  roundOf: ReadonlyMap<string, number>,
): RoundCounts {
  const all = new Map<number, number>();
  const counts = new Map<string, Map<number, number>>();
  for (const [episode, names] of said) {
    const round = roundOf.get(episode);
    if (round === undefined) continue;
    all.set(round, (all.get(round) ?? 0) + 1);
    for (const name of names) {
      const own = counts.get(name) ?? new Map<number, number>();
      counts.set(name, own);
      own.set(round, (own.get(round) ?? 0) + 1);
    }
  }
  return { all, counts };
}

function rateOf(passed: number, of: number): RateView {
  const { rate, low, high } = shareOf(passed, of);
  return { rate: rate ?? 0, low, high, passed, of };
}

type Named = SignalRounds['labels'][number];

function byName(one: Named, other: Named): number {
  return `${one.signal} ${one.label}` < `${other.signal} ${other.label}` ? -1 : 1;
}

/** Draws a label over the rounds, as the learning curves are drawn. */
export function signalChart({ rounds, labels }: SignalRounds, { signal, label }: SignalChartRequest): string {
  const found = labels.find(own => own.signal === signal && own.label === label);
  if (found === undefined) throw noLabel(signal, label);
  return chartFile(chartOf(rounds, found));
}

function chartOf(rounds: readonly number[], { signal, label, rates }: Omit<Named, 'points'>): Chart {
  const points = rates.flatMap((rate, place): ChartPoint[] => {
    const x = rounds[place];
    if (x === undefined || rate.of === 0) return [];
    return [{ x, estimate: { ...shareOf(rate.passed, rate.of), rate: rate.rate }, at: `round ${x}` }];
  });
  const [first = 0, last = 1] = [rounds[0], rounds.at(-1)];
  const most = 10;
  const step = Math.max(1, Math.ceil((last - first) / most));
  const ticks = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, place) => first + place * step);
  if (ticks.at(-1) !== last) ticks.push(last);
  const title = `${signal}: ${label}`;
  return { title, axis: 'Round', ticks, rules: [], series: [{ label, index: 0, points }] };
}

function noLabel(signal: string, label: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unavailable',
    message: `The signal "${signal}" said no "${label}" in this run.`,
    expected: 'Expected a label that the learning view lists.',
  });
}
