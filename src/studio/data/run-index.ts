import { existsSync } from 'node:fs';
import { EspalierError } from '../../core/errors.ts';
import type { EpisodeFilter, EpisodePage, EpisodeRow, Facet, Facets, PagePlace } from '../api/api.ts';
import { openListing, type StoreListing } from '../../store/listing.ts';
import { openRun, runPaths } from '../../runs/folder/folder.ts';
import { indexRow, type IndexedRow } from './episode-rows.ts';

/** The episodes of one run in memory, to filter them at once. The store itself is only read. */
export interface RunIndex {
  readonly listing: StoreListing;
  rows(): readonly IndexedRow[];
  /** Reads what was written since; true when an episode has ended. */
  refresh(): boolean;
  /** Steps that were written since the run was opened, those of open episodes included. Null when there are none since the last look. */
  newSteps(): number | null;
  /** With `only`, of these episodes alone. */
  page(filter: EpisodeFilter, place: PagePlace, only?: ReadonlySet<number>): EpisodePage;
  row(id: number): EpisodeRow;
  /** Not all of it is read yet: the figures of the run are not known. */
  isReading(): boolean;
  /** Grows with every change. */
  version(): number;
  close(): void;
}

/** Rows that are read in one go: a large run is shown before all of it is read. */
const chunk = 20_000;
/** Tasks that are read ahead in one go, so that a search by text finds them in memory. */
const readAhead = 2000;
/** Episodes whose screens are searched before a search gives up. */
const mostSearched = 3000;
const mostFacets = 200;

export function openRunIndex(folder: string): RunIndex {
  // Also brings a store of an earlier version up to date.
  openRun(folder).close();
  const path = runPaths(folder).store;
  const listing = openListing(path);
  const cache = createRowCache(listing);
  const whole = (indexed: IndexedRow): EpisodeRow => {
    const { run: _run, isByHand: _isByHand, task, path: _path, reviews: _reviews, ...row } = indexed;
    return { ...row, instruction: cache.instructionOf(task) };
  };
  return {
    listing,
    rows: cache.rows,
    version: cache.version,
    isReading: cache.isReading,
    refresh() {
      if (!existsSync(path)) throw deleted(folder);
      return cache.refresh();
    },
    newSteps: createStepCount(listing),
    page(filter, { from, count, sort }, only) {
      const isWhole = only === undefined && sort === '' && Object.values(filter).every(value => value === undefined);
      if (isWhole && cache.isReading()) {
        const order = cache.order();
        const rows = order.slice(from, from + count).map(id => whole(cache.row(id)));
        return { total: order.length, all: order.length, from, rows, facets: noFacets, isPartial: false };
      }
      const { chosen, base, isPartial } = choose(only === undefined ? cache : restricted(cache, only), listing, filter);
      const rows = sortRows(chosen, sort)
        .slice(from, from + count)
        .map(whole);
      const facets = facetsOf(base, filter);
      return { total: chosen.length, all: cache.rows().length, from, rows, facets, isPartial };
    },
    row: id => whole(cache.row(id)),
    close: () => listing.close(),
  };
}

/** Counts what is new only: a run may have any number of steps. */
function createStepCount(listing: StoreListing): () => number | null {
  let seen = listing.version();
  let [steps, latest] = [0, listing.latestEvent()];
  return () => {
    const now = listing.version();
    if (now === seen) return null;
    seen = now;
    const found = listing.stepsAfter(latest);
    [steps, latest] = [steps + found.steps, found.latest];
    return steps;
  };
}

const noFacets: Facets = { outcomes: [], templates: [], students: [], causes: [] };

interface RowCache {
  /** All rows; what was not read yet is read now. */
  rows(): readonly IndexedRow[];
  /** The attempts in their order. */
  order(): readonly number[];
  row(id: number): IndexedRow;
  instructionOf(task: number): string;
  isReading(): boolean;
  version(): number;
  refresh(): boolean;
}

/** The rows that were read so far. Only what is new is read again. */
function createRowCache(listing: StoreListing): RowCache {
  const known = new Map<number, IndexedRow>();
  const instructions = new Map<number, string>();
  let order: readonly number[] = [];
  let ordered: readonly IndexedRow[] | null = null;
  let [seen, finished, version, last] = [-1, '', 0, 0];
  const row = (id: number): IndexedRow => {
    const found = known.get(id) ?? indexRow(listing.row(id));
    known.set(id, found);
    return found;
  };
  const instructionOf = (task: number): string => {
    const found = instructions.get(task) ?? listing.taskNumbered(task).instruction;
    instructions.set(task, found);
    return found;
  };
  const readMore = (): boolean => {
    const read = listing.rowsAfter(last, chunk);
    for (const listed of read) known.set(listed.attempt, indexRow(listed));
    last = read.at(-1)?.attempt ?? last;
    return read.length === chunk;
  };
  const rows = (): readonly IndexedRow[] => {
    if (ordered !== null) return ordered;
    while (readMore());
    ordered = order.map(row);
    return ordered;
  };
  const readTasks = (): void => {
    const missing = new Set(rows().map(({ task }) => task)).difference(instructions);
    for (const task of [...missing].slice(0, readAhead)) instructionOf(task);
  };
  return {
    instructionOf,
    row,
    rows,
    order: () => order,
    isReading: () => ordered === null,
    version: () => version,
    refresh() {
      const now = listing.version();
      const key = now === seen ? finished : listing.finished();
      const isNew = key !== finished;
      [seen, finished] = [now, key];
      if (isNew) order = listing.attempts();
      if (isNew && ordered !== null) ordered = order.map(row);
      if (ordered === null) {
        // The first time the table comes before the rest is read.
        if (version > 0 && readMore()) return false;
        if (version > 0 || order.length <= chunk) rows();
        version++;
        return true;
      }
      readTasks();
      if (isNew) version++;
      return isNew;
    },
  };
}

function restricted(cache: RowCache, only: ReadonlySet<number>): RowCache {
  return { ...cache, rows: () => cache.rows().filter(({ id }) => only.has(id)) };
}

interface Chosen {
  readonly chosen: readonly IndexedRow[];
  /** What the lists of values count in. */
  readonly base: readonly IndexedRow[];
  readonly isPartial: boolean;
}

function choose({ rows, instructionOf }: RowCache, listing: StoreListing, filter: EpisodeFilter): Chosen {
  const base = withText(rows(), filter.text, instructionOf);
  const found = base.filter(createTest(filter));
  const { screen } = filter;
  if (screen === undefined) return { chosen: found, base, isPartial: false };
  const wanted = screen.toLowerCase();
  const searched = found.slice(0, mostSearched);
  const chosen = searched.filter(({ id }) =>
    listing.episode(id).events.some(event => 'screen' in event && event.screen?.toLowerCase().includes(wanted)),
  );
  return { chosen, base, isPartial: searched.length < found.length };
}

/** Each task is looked at once, however many episodes it has. */
function withText(
  rows: readonly IndexedRow[],
  text: string | undefined,
  instructionOf: (task: number) => string,
): readonly IndexedRow[] {
  if (text === undefined) return rows;
  const wanted = text.toLowerCase();
  const has = (own: string | null): boolean => own?.toLowerCase().includes(wanted) === true;
  const tasks = new Map<number, boolean>();
  const isTold = ({ task }: IndexedRow): boolean => {
    const known = tasks.get(task) ?? has(instructionOf(task));
    tasks.set(task, known);
    return known;
  };
  return rows.filter(row => has(row.key) || has(row.cause) || isTold(row));
}

function createTest(filter: EpisodeFilter): (row: IndexedRow) => boolean {
  const { outcome, template, student, phase, cause, actor, cost } = filter;
  return row =>
    (outcome === undefined || row.outcome === outcome) &&
    (template === undefined || row.path === template) &&
    (student === undefined || row.student === student) &&
    (phase === undefined || row.phase === phase) &&
    (cause === undefined || row.cause === cause) &&
    (cost === undefined || row.cost >= cost) &&
    (actor === undefined || (actor === 'human' ? row.isByHand : row.corrections > 0));
}

/** Each list leaves its own filter out, so that another value can be chosen. */
function facetsOf(rows: readonly IndexedRow[], filter: EpisodeFilter): Facets {
  const counted = (without: keyof EpisodeFilter, valueOf: (row: IndexedRow) => string | null): Facet[] => {
    const fits = createTest({ ...filter, [without]: undefined });
    const counts = new Map<string, number>();
    for (const row of rows) {
      const value = valueOf(row);
      if (value !== null && fits(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const found = [...counts].map(([value, count]) => ({ value, count }));
    return found.toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value)).slice(0, mostFacets);
  };
  return {
    outcomes: counted('outcome', row => row.outcome),
    templates: counted('template', row => row.path),
    students: counted('student', row => row.student),
    causes: counted('cause', row => row.cause),
  };
}

function sortRows(rows: readonly IndexedRow[], sort: string): readonly IndexedRow[] {
  switch (sort) {
    case 'cost':
    case 'steps':
    case 'seconds':
    case 'corrections':
      return rows.toSorted((a, b) => b[sort] - a[sort]);
    case 'latest':
      return rows.toSorted((a, b) => b.id - a.id);
    default:
      return rows;
  }
}

function deleted(folder: string): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: 'unavailable',
    message: `The store of ${folder} was deleted while it was open.`,
    expected: 'Put it back, or close this run.',
  });
}
