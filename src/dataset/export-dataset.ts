import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EspalierError } from '../core/errors.ts';
import type { Certificate } from '../core/episode/certificate.ts';
import type { EpisodeFilter, EpisodeSource } from '../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import type { Split } from '../core/records.ts';
import { createArchive, type Archive, type ArchiveOptions } from './archive.ts';
import { candidatesOf } from './candidate.ts';
import { createCertificationTally } from './certification-tally.ts';
import type { Row, Table } from './export/columns.ts';
import { correctionRows, corrections } from './export/corrections.ts';
import { episodeRow, episodes } from './export/episodes.ts';
import { hasPictures, pictured, withImages } from './export/images.ts';
import { nextActionRows, nextActions } from './export/next-actions.ts';
import { preferenceRows, preferences } from './export/preferences.ts';
import { manifestHead, manifestName, writeManifest, type Manifest } from './manifest.ts';
import { createPictureFiles, dropStalePictures, placePictures, type PictureFiles } from './picture-files.ts';
import type { ToolsOf } from './requests/offers.ts';
import { createRequests, type Requests } from './requests/requests.ts';
import { createSheet, fileName, type DatasetFormat } from './sheet.ts';
import { tokenFormats, type TokenFormat } from './tokens/formats.ts';
import { createTokenRows } from './tokens/token-rows.ts';

export interface ExportProgress {
  readonly stage: 'archive' | 'rows';
  /** Episodes read in this stage. */
  readonly episodes: number;
  readonly rows: number;
}

export interface ExportOptions {
  readonly source: EpisodeSource;
  /** Made when it is not there; files of an earlier export in it are replaced. */
  readonly folder: string;
  readonly formats?: readonly DatasetFormat[];
  /** Trainers to write rows of tokens for; none unless given. */
  readonly tokens?: readonly TokenFormat[];
  readonly filter?: Omit<EpisodeFilter, 'phase'>;
  /** Splits that training rows are taken from. */
  readonly splits?: readonly Split[];
  /** The tools that a model would be offered. Needed when episodes call tools. */
  readonly toolsOf?: ToolsOf;
  /** Characters of screens before old ones are left out of requests that are written; as in the options of models. */
  readonly window?: number;
  readonly archive?: ArchiveOptions;
  onProgress?(progress: ExportProgress): void;
}

const tables: readonly Table[] = [nextActions, corrections, preferences, episodes];
const tokenTables: readonly Table[] = Object.values(tokenFormats).map(({ table }) => table);
const allFormats: readonly DatasetFormat[] = ['jsonl', 'parquet'];

/** Writes the rows of finished episodes to files, and a manifest that says what is in them. */
export function exportDataset(options: ExportOptions): Manifest {
  const { folder, filter = {}, formats = allFormats, splits = ['train'], tokens = [] } = options;
  const plan: ExportPlan = {
    ...options,
    formats,
    splits,
    tokens: [...new Set(tokens)],
    source: asOfNow(options.source, filter),
  };
  const { archive, isPictured, certification } = fillArchive(plan);
  // On the same disk as the folder itself, so that a file is put in place in one go.
  const partial = join(folder, '.partial');
  try {
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    const { run = null, round = null, outcome = null } = filter;
    const manifest: Manifest = {
      ...manifestHead,
      filter: { run, round, outcome, splits },
      archive: archive.figures(),
      ...(certification === undefined ? {} : { certification }),
      ...writeRows({ ...plan, isPictured }, archive, partial),
    };
    writeFileSync(join(partial, manifestName), writeManifest(manifest));
    putInPlace(folder, partial, manifest);
    return manifest;
  } catch (cause) {
    throw isSystemError(cause) ? unwritable(folder, cause) : cause;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

type Episodes = Pick<EpisodeSource, 'episodes' | 'attachment'>;
type ExportPlan = Omit<ExportOptions, 'source'> &
  Required<Pick<ExportOptions, 'formats' | 'splits' | 'tokens'>> & { readonly source: Episodes };

/** Only what has ended and was certified by now: a run that goes on would add more between the archive and the rows. */
function asOfNow(source: EpisodeSource, filter: EpisodeFilter): Episodes {
  const ended = new Map<string, readonly Certificate[]>();
  for (const { head, certificates } of source.summaries(filter)) ended.set(idOf(head.run, head.key), certificates);
  return {
    attachment: source.attachment,
    *episodes(wanted) {
      for (const stored of source.episodes(wanted)) {
        const certificates = ended.get(idOf(stored.head.run, stored.head.key));
        if (certificates !== undefined) yield { ...stored, certificates };
      }
    },
  };
}

/** Evaluation is never trained on, nor are templates that are held out, unless their split is asked for. */
function isForTraining({ head }: Pick<EpisodeRecord, 'head'>, splits: readonly Split[]): boolean {
  return head.phase === 'collect' && splits.includes(head.task.split);
}

interface FilledArchive {
  readonly archive: Archive;
  /** Whether any episode that is trained on has pictures. */
  readonly isPictured: boolean;
  readonly certification: Manifest['certification'];
}

function fillArchive({ source, filter, splits, archive: options, onProgress }: ExportPlan): FilledArchive {
  const archive = createArchive(options);
  const certificates = createCertificationTally();
  let isPictured = false;
  let read = 0;
  for (const stored of source.episodes({ ...filter, phase: 'collect' })) {
    if (isForTraining(stored, splits)) {
      isPictured ||= hasPictures(stored, source.attachment);
      const record = foldEpisode(stored);
      certificates.add(record);
      for (const candidate of candidatesOf(record)) archive.offer(candidate);
    }
    onProgress?.({ stage: 'archive', episodes: ++read, rows: 0 });
  }
  return { archive, isPictured, certification: certificates.figures() };
}

type RowsPlan = ExportPlan & Pick<FilledArchive, 'isPictured'>;
type Written = Pick<Manifest, 'runs' | 'files' | 'prompt' | 'counts' | 'images' | 'tokens'>;

function writeRows(plan: RowsPlan, archive: Archive, folder: string): Written {
  const { source, filter, formats, splits, isPictured, onProgress } = plan;
  const pictures = isPictured ? createPictureFiles(folder) : null;
  const tokens = createTokenRows(source, plan.tokens);
  const sheets = [...tables, ...tokens.tables].map(table => {
    const hasImages = isPictured && table !== episodes && !tokens.tables.includes(table);
    return { table, ...createSheet(hasImages ? withImages(table) : table, { formats, folder }) };
  });
  const requests = createRequests(plan);
  const rowsOf = createTrainingRows(archive, requests, pictures);
  const runs = new Set<string>();
  let read = 0;
  let rows = 0;
  try {
    for (const stored of source.episodes(filter)) {
      const record = foldEpisode(stored);
      const training = isForTraining(record, splits) ? new Map([...rowsOf(record), ...tokens.rowsOf(record)]) : null;
      runs.add(record.head.run);
      for (const { table, write } of sheets) {
        const added = table === episodes ? [episodeRow(record)] : (training?.get(table) ?? []);
        for (const row of added) {
          write(row);
          rows++;
        }
      }
      onProgress?.({ stage: 'rows', episodes: ++read, rows });
    }
    return {
      runs: [...runs].toSorted(),
      files: sheets.flatMap(({ finish }) => finish()),
      prompt: promptFigures(requests),
      counts: Object.fromEntries(sheets.map(({ table, counts }) => [table.name, counts()])),
      ...(pictures === null ? {} : { images: pictures.list() }),
      ...(plan.tokens.length === 0 ? {} : { tokens: tokens.figures() }),
    };
  } finally {
    for (const { abandon } of sheets) abandon();
  }
}

type RowsByTable = ReadonlyMap<Table, Iterable<Row>>;

/** The rows of an episode that is trained on, by table; none is made before it is asked for. */
function createTrainingRows(
  archive: Archive,
  requests: Requests,
  pictures: PictureFiles | null,
): (record: EpisodeRecord) => RowsByTable {
  const leavesOf = Map.groupBy(archive.entries(), ({ run, episode }) => idOf(run, episode));
  return record => {
    const kept = leavesOf.get(idOf(record.head.run, record.head.key)) ?? [];
    const leaves = new Set(kept.map(({ leaf }) => leaf));
    const archived = leaves.size === 0 ? [] : candidatesOf(record).filter(({ leaf }) => leaves.has(leaf));
    const rows: RowsByTable = new Map([
      [nextActions, nextActionRows(archived, requests)],
      [corrections, correctionRows(record, requests)],
      [preferences, preferenceRows(record, requests)],
    ]);
    if (pictures === null) return rows;
    return new Map([...rows].map(([table, made]) => [table, picturedRows(made, table, pictures)]));
  };
}

/** The pictures of a row are on disk before the row is. */
function* picturedRows(rows: Iterable<Row>, table: Table, pictures: PictureFiles): Iterable<Row> {
  for (const row of rows) yield pictured(row, table, pictures.add);
}

function promptFigures({ style, withoutTools }: Requests): Manifest['prompt'] {
  const { prompts, speech, window } = style;
  return { speech, window, act: prompts.hashes.act, withoutTools: withoutTools() };
}

function idOf(run: string, episode: string): string {
  return JSON.stringify([run, episode]);
}

/** The manifest comes last: until then the old one does not fit the new files, and readers notice. */
function putInPlace(folder: string, partial: string, { files, images = [] }: Manifest): void {
  placePictures(folder, partial, images);
  const names = files.map(({ name }) => name);
  const stale = [...tables, ...tokenTables].flatMap(table => allFormats.map(format => fileName(table, format)));
  for (const name of stale) if (!names.includes(name)) rmSync(join(folder, name), { force: true });
  for (const name of [...names, manifestName]) renameSync(join(partial, name), join(folder, name));
  dropStalePictures(folder, images);
}

function isSystemError(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && 'syscall' in cause;
}

function unwritable(folder: string, cause: NodeJS.ErrnoException): EspalierError {
  return new EspalierError({
    boundary: 'store',
    code: cause.code === 'ENOSPC' || cause.code === 'EDQUOT' ? 'disk-full' : 'unavailable',
    message: `The rows cannot be written to ${folder}: ${cause.message}.`,
    expected: 'Expected a folder that can be written to, with room for them.',
    cause,
  });
}
