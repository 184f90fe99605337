import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { writeReport } from '../../analysis/report/write-report.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import type { EpisodeFilter, EpisodeOutline, EpisodePage, PagePlace, StudioSource } from '../api/api.ts';
import type { SignalCount } from '../api/api-episodes.ts';
import { annotationsPath } from '../../runs/annotations/annotate.ts';
import { countLabels } from '../../runs/annotations/count-labels.ts';
import { exportRun } from '../../runs/export.ts';
import type { FleetWindow } from '../api/api-fleet.ts';
import type { Host } from '../../runs/host/host.ts';
import { readReport } from '../../runs/report.ts';
import { archiveMap } from './archive-map.ts';
import { compareRuns } from './compare-runs.ts';
import {
  certificationText,
  createSignals,
  mostSteps,
  outlineSteps,
  requireStep,
  shortText,
  stepDetail,
} from './episode-details.ts';
import { readViews, removeView, saveView } from './filters/saved-views.ts';
import { stepAdvantages } from './filters/step-advantages.ts';
import { findRuns, requireStore } from './find-runs.ts';
import { createLearning } from './learning/learning.ts';
import { createMemories } from './memories.ts';
import { openStudioRun, type OpenedRun } from './opened-run.ts';
import { previewRows } from './previews/preview-rows.ts';
import { previewTokens } from './previews/preview-tokens.ts';
import { createReviewList } from './review-list.ts';
import { runTasks } from './run-tasks.ts';
import { stepColumns } from './step-columns.ts';
import { createTakeOvers } from './take-over/take-overs.ts';
import { whyNotKept } from './take-over/why-not-kept.ts';
import type { RunComparison } from '../api/api-compare.ts';
import { isOfStudent } from './episode-rows.ts';
import { levelsIn } from './evaluation-levels.ts';

export interface StudioSourceOptions {
  /** Folder of a run, or a folder with runs in it. */
  readonly folder: string;
  readonly host: Host;
  readonly machine: string;
  readonly version: string;
  /** To show beside the runs. */
  readonly fleet?: FleetWindow | null;
  /** Ids that are hard to guess. */
  createId(): string;
}

/** The runs in a folder, for the studio: read from their stores, and written to only through the journal. */
export function createStudioSource(options: StudioSourceOptions): StudioSource {
  const { folder, host } = options;
  const runs = new Map<string, OpenedRun>();
  const look = (): boolean => {
    let hasNews = false;
    for (const path of findRuns(folder)) {
      const id = relative(folder, path) || basename(path);
      const known = runs.get(id);
      if (known?.isReplaced() === false) continue;
      void known?.close();
      runs.set(id, openStudioRun({ id, name: id, folder: path, host, version: (known?.summary().version ?? -1) + 1 }));
      hasNews = true;
    }
    return hasNews;
  };
  const run = (id: string): OpenedRun => {
    const found = runs.get(id);
    if (found === undefined) throw noRun(id, [...runs.keys()]);
    return found;
  };
  const takeOvers = createTakeOvers({
    ...options,
    run,
    runs: () => runs.values(),
    record: (id, episode) => run(id).record(episode),
    screen: (id, episode, node) => run(id).index.listing.screen(episode, node),
  });
  look();
  for (const found of runs.values()) found.refresh();
  return {
    takeOvers,
    reviews: createReviewList({ run, runs: () => runs.values() }),
    fleet: async () => (await options.fleet?.look()) ?? null,
    memories: createMemories(folder),
    learning: createLearning({ host, run, runs: () => runs.values() }),
    runs: () => [...runs.values()].map(found => found.summary()),
    episodes: (id, filter, place) => pageOf(run(id), filter, place),
    ...filtersOf(run),
    compare: (left, right) => compareOpened(run(left), run(right)),
    ...episodesOf(run, host),
    report: id => drawReport(run(id), options),
    archive: id => archiveMap(run(id).index),
    tasks: id => runTasks(run(id)),
    exportRows: id => exportOpened(run(id), host),
    refresh() {
      // A folder that is gone has no new runs; the card of each run says that it was deleted.
      const hasRuns = existsSync(folder) && look();
      const news = [...runs.values()].map(found => found.refresh());
      return hasRuns || news.includes(true);
    },
    isReading: () => [...runs.values()].some(found => found.isReading()),
    async close() {
      await takeOvers.close();
      await Promise.all([...runs.values()].map(found => found.close()));
    },
  };
}

async function exportOpened({ folder }: OpenedRun, host: Host): ReturnType<StudioSource['exportRows']> {
  requireStore(folder);
  const { folder: written, manifest } = await exportRun({ folder, host });
  return { folder: written, files: manifest.files.map(({ name, rows }) => ({ name, rows })) };
}

type Filters = Pick<StudioSource, 'failures' | 'signals' | 'advantages' | 'views' | 'saveView' | 'removeView'>;

function filtersOf(run: (id: string) => OpenedRun): Filters {
  const existing = (id: string): string => {
    requireStore(run(id).folder);
    return run(id).folder;
  };
  return {
    failures: id => run(id).causes.groups(),
    signals: id => signalCounts(run(id).folder),
    advantages({ run: id, episode, node }) {
      requireStep(run(id).record(episode), episode, node);
      return stepAdvantages(run(id).index, episode, node);
    },
    views: id => readViews(run(id).folder),
    saveView: (id, view) => saveView(existing(id), view),
    removeView: (id, name) => removeView(existing(id), name),
  };
}

type Episodes = Pick<StudioSource, 'outline' | 'texts' | 'step' | 'screen' | 'changes' | 'picture' | 'rows' | 'tokens'>;

function episodesOf(run: (id: string) => OpenedRun, host: Host): Episodes {
  const signalsOf = createSignals();
  return {
    outline: (id, episode) => outlineOf(run(id), episode),
    texts: ({ run: id, episode, from, count }) => run(id).index.listing.texts(episode, from, count).map(shortText),
    step: ({ run: id, episode, node }) =>
      stepDetail(run(id).index.listing, run(id).record(episode), { attempt: episode, node, signalsOf }),
    screen: ({ run: id, episode, node }) => run(id).index.listing.screen(episode, node),
    async changes({ run: id, episode, node }) {
      const record = run(id).record(episode);
      requireStep(record, episode, node);
      return run(id).worlds.changes(record, node);
    },
    picture: (id, hash) => run(id).index.listing.attachment(hash),
    rows: (id, place) => previewRows({ folder: run(id).folder, host, index: run(id).index }, place),
    tokens: (id, episode) => previewTokens(run(id).index.listing, run(id).record(episode)),
  };
}

async function pageOf(run: OpenedRun, filter: EpisodeFilter, place: PagePlace): Promise<EpisodePage> {
  const { where, failure, ...rest } = filter;
  const byWhere = where === undefined ? null : await run.where(where);
  const byCause = failure === undefined ? null : run.causes.ids(failure);
  const only = byWhere !== null && byCause !== null ? byWhere.intersection(byCause) : (byWhere ?? byCause);
  return run.index.page(rest, place, only ?? undefined);
}

function compareOpened({ index }: OpenedRun, other: OpenedRun): RunComparison {
  const collected = index.rows().filter(row => row.phase === 'collect' && isOfStudent(row));
  return compareRuns(index.rows(), other.index.rows(), levelsIn(index, collected));
}

function signalCounts(folder: string): readonly SignalCount[] {
  const file = annotationsPath(folder);
  if (!existsSync(file)) return [];
  return countLabels(file).map(({ signal, label, episodes }) => ({ signal, label, episodes }));
}

function outlineOf(run: OpenedRun, episode: number): EpisodeOutline {
  const { listing } = run.index;
  const row = run.index.row(episode);
  const columns = row.taken > mostSteps ? listing.columns(episode) : null;
  const record = columns === null ? run.record(episode) : foldEpisode(columns);
  const { head, end } = record;
  return {
    row,
    teacher: head.teacher,
    message: end.message,
    leaf: end.leaf,
    certified: certificationText(record),
    steps: columns === null ? outlineSteps(record) : [],
    columns: columns === null ? null : stepColumns(columns),
    verdict: end.verdict,
    noTakeOver: record.tree.root === '' ? 'The task of this episode did not open.' : null,
    notKept: whyNotKept({ head: record.head, phase: record.head.phase }),
    agents: run.agents.offered(head.phase),
  };
}

function drawReport({ folder, index }: OpenedRun, { machine, version }: StudioSourceOptions): string {
  const data = readReport({ folder, command: `espalier report ${folder}`, machine, version });
  return writeReport(data, { pictures: index.listing.attachment });
}

function noRun(id: string, known: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'not-found',
    message: `There is no run "${id}" here.`,
    expected: `Expected one of: ${known.slice(0, 10).join(', ')}.`,
  });
}
