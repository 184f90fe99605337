import { existsSync } from 'node:fs';
import { EspalierError } from '../../core/errors.ts';
import type { EpisodeFilter, EpisodePage, EpisodeRow, Facet, Facets, PagePlace } from '../../server/studio/api.ts';
import { openListing, type StoreListing } from '../../store/listing/listing.ts';
import { openRun, runPaths } from '../folder/folder.ts';
import { indexRow, type IndexedRow } from './episode-rows.ts';

/** The episodes of one run in memory, to filter them at once. The store itself is only read. */
export interface RunIndex {
  readonly listing: StoreListing;
  rows(): readonly IndexedRow[];
  /** Reads what was written since; true when there was something. */
  refresh(): boolean;
  page(filter: EpisodeFilter, place: PagePlace): EpisodePage;
  row(id: number): EpisodeRow;
  /** Grows with every change. */
  version(): number;
  close(): void;
}

/** Tasks that are read ahead in one go, so that a search by text finds them in memory. */
const readAhead = 4000;
/** Episodes whose screens are searched before a search gives up. */
const mostSearched = 3000;
const mostFacets = 200;

export function openRunIndex(folder: string): RunIndex {
  // Also brings a store of an earlier version up to date.
  openRun(folder).close();
  const path = runPaths(folder).store;
  const listing = openListing(path);
  const cache = createRowCache(listing);
  const { instructionOf } = cache;
  const whole = ({ run: _run, isByHand: _isByHand, ...row }: IndexedRow): EpisodeRow => ({
    ...row,
    instruction: instructionOf(row.id),
  });
  const choose = createChooser({ rows: cache.rows, instructionOf, listing });
  return {
    listing,
    rows: cache.rows,
    version: cache.version,
    refresh() {
      if (!existsSync(path)) throw deleted(folder);
      return cache.refresh();
    },
    page(filter, { from, count, sort }) {
      const { chosen, isPartial } = choose(filter);
      const sorted = sortRows(chosen, sort);
      return {
        total: chosen.length,
        all: cache.rows().length,
        from,
        rows: sorted.slice(from, from + count).map(whole),
        facets: facetsOf(cache.rows(), filter, instructionOf),
        isPartial,
      };
    },
    row(id) {
      const row = cache.row(id);
      if (row === undefined) throw noEpisode(id);
      return whole(row);
    },
    close: () => listing.close(),
  };
}

interface RowCache {
  rows(): readonly IndexedRow[];
  row(id: number): IndexedRow | undefined;
  instructionOf(id: number): string;
  version(): number;
  refresh(): boolean;
}

/** The rows that were read so far. Only what is new is read again. */
function createRowCache(listing: StoreListing): RowCache {
  const known = new Map<number, IndexedRow>();
  const instructions = new Map<number, string>();
  let ordered: readonly IndexedRow[] = [];
  let [seen, version] = [-1, 0];
  const instructionOf = (id: number): string => {
    const found = instructions.get(id) ?? listing.task(id).instruction;
    instructions.set(id, found);
    return found;
  };
  const read = (): void => {
    if (known.size === 0) for (const listed of listing.rows()) known.set(listed.attempt, indexRow(listed));
    ordered = listing.attempts().map(attempt => {
      const row = known.get(attempt) ?? indexRow(listing.row(attempt));
      known.set(attempt, row);
      return row;
    });
    version++;
  };
  const readTasks = (): void => {
    if (instructions.size >= ordered.length) return;
    const missing = ordered.filter(({ id }) => !instructions.has(id));
    for (const { id } of missing.slice(0, readAhead)) instructionOf(id);
  };
  return {
    instructionOf,
    rows: () => ordered,
    row: id => known.get(id),
    version: () => version,
    refresh() {
      readTasks();
      const now = listing.version();
      if (now === seen) return false;
      seen = now;
      const before = ordered.length;
      read();
      return ordered.length !== before;
    },
  };
}

interface ChooserOptions {
  readonly listing: StoreListing;
  rows(): readonly IndexedRow[];
  instructionOf(id: number): string;
}

type Chooser = (filter: EpisodeFilter) => { readonly chosen: readonly IndexedRow[]; readonly isPartial: boolean };

function createChooser({ rows, instructionOf, listing }: ChooserOptions): Chooser {
  return filter => {
    const fits = createTest(filter, instructionOf);
    const found = rows().filter(fits);
    const { screen } = filter;
    if (screen === undefined) return { chosen: found, isPartial: false };
    const wanted = screen.toLowerCase();
    const searched = found.slice(0, mostSearched);
    const shown = searched.filter(({ id }) =>
      listing.episode(id).events.some(event => 'screen' in event && event.screen?.toLowerCase().includes(wanted)),
    );
    return { chosen: shown, isPartial: searched.length < found.length };
  };
}

function createTest(filter: EpisodeFilter, instructionOf: (id: number) => string): (row: IndexedRow) => boolean {
  const { outcome, template, student, phase, cause, actor, cost } = filter;
  const text = filter.text?.toLowerCase();
  return row =>
    (outcome === undefined || row.outcome === outcome) &&
    (template === undefined || `${row.environment}/${row.template}` === template) &&
    (student === undefined || row.student === student) &&
    (phase === undefined || row.phase === phase) &&
    (cause === undefined || row.cause === cause) &&
    (cost === undefined || row.cost >= cost) &&
    (actor === undefined || (actor === 'human' ? row.isByHand : row.corrections > 0)) &&
    (text === undefined ||
      row.key.toLowerCase().includes(text) ||
      row.cause?.toLowerCase().includes(text) === true ||
      instructionOf(row.id).toLowerCase().includes(text));
}

/** Each list leaves its own filter out, so that another value can be chosen. */
function facetsOf(rows: readonly IndexedRow[], filter: EpisodeFilter, instructionOf: (id: number) => string): Facets {
  const { screen: _screen, ...rest } = filter;
  const counted = (without: keyof EpisodeFilter, valueOf: (row: IndexedRow) => string | null): Facet[] => {
    const fits = createTest({ ...rest, [without]: undefined }, instructionOf);
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
    templates: counted('template', row => `${row.environment}/${row.template}`),
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

function noEpisode(id: number): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-option',
    message: `The run has no finished episode ${id}.`,
    expected: 'Expected the number of an episode from the table.',
  });
}
