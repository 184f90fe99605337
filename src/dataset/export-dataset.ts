import type { Edition } from '../models/prompt/prompts.ts';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createCallReader } from '../core/episode/call-log.ts';
import type { Certificate } from '../core/episode/certificate.ts';
import type { EpisodeFilter, EpisodeSource } from '../core/episode/journal.ts';
import { foldEpisode, type EpisodeRecord } from '../core/episode/record.ts';
import type { Split } from '../core/records.ts';
import { createArchive, type Archive, type ArchiveOptions } from './archive/archive.ts';
import { candidatesOf } from './rows/candidate.ts';
import { createCertificationTally } from './certification-tally.ts';
import { advantageTable } from './tables/advantage-table.ts';
import { createCreditLedger, type ChosenEstimator, type CreditLedger } from './credit/ledger.ts';
import type { Row, Table } from './rows/columns.ts';
import { createRightActions, type RightActions } from './rows/preferences-checked.ts';
import { hasPlaces, placedRows, withPlaces } from './rows/places.ts';
import { hasPictures, pictured, withImages } from './rows/images.ts';
import { manifestHead, manifestName, readManifest, writeManifest, type Manifest } from './rows/manifest.ts';
import { createPictureFiles, dropStalePictures, placePictures, type PictureFiles } from './picture-files.ts';
import type { ToolsOf } from './requests/offers.ts';
import type { PromptForm } from '../models/prompt/step-request.ts';
import type { Speech } from '../models/prompt/transcript.ts';
import { createRequests, type Requests } from './requests/requests.ts';
import { createTableWriter, fileName, type DatasetFormat } from './table-writer.ts';
import { exporters, usualTables, type ExportedEpisode, type Exporter } from './tables/tables.ts';
import { tokenFormats, type TokenFormat } from './tokens/formats.ts';
import { createTokenRows } from './tokens/token-rows.ts';
import { tokenizers } from './tokens/tokenizers.ts';
import type { StepMask } from './tables/step-mask.ts';
import { asWriteError } from './rows/write-error.ts';

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
  /** The tables to write; the usual ones unless given. */
  readonly tables?: readonly Exporter[];
  /** Trainers to write rows of tokens for, by name or the format itself; none unless given. */
  readonly tokens?: readonly (string | TokenFormat)[];
  /** What makes token ids, by name, of episodes for which no server gave any; without one, such episodes have no rows of tokens. */
  readonly tokenizer?: string;
  /** Also the table `advantages`, and advantages in rows of tokens; none unless given. */
  readonly advantage?: ChosenEstimator;
  /** Steps of an episode that are not learned; none unless given. */
  readonly mask?: StepMask;
  readonly filter?: Omit<EpisodeFilter, 'phase'>;
  /** Splits that training rows are taken from. */
  readonly splits?: readonly Split[];
  /** The tools that a model would be offered. Needed when episodes call tools. */
  readonly toolsOf?: ToolsOf;
  /** Characters of screens before old ones are left out of requests that are written; as in the options of models. */
  readonly window?: number;
  /** Edition of the built-in prompts; the newest unless given. */
  readonly edition?: Edition;
  /** How such requests are written; as chats unless given. */
  readonly form?: PromptForm;
  /** How their answers are said; by tool calls unless given. */
  readonly speech?: Speech;
  readonly archive?: ArchiveOptions;
  onProgress?(progress: ExportProgress): void;
}

const builtInTables: readonly Pick<Table, 'name'>[] = [
  ...exporters.entries,
  ...tokenFormats.entries.map(({ table }) => table),
  { name: 'advantages' },
  { name: 'weighed' },
];
const allFormats: readonly DatasetFormat[] = ['jsonl', 'parquet'];

/** Writes the rows of finished episodes to files, and a manifest that says what is in them. */
export function exportDataset(options: ExportOptions): Manifest {
  const { folder, filter = {}, formats = allFormats, splits = ['train'] } = options;
  const { tables = usualTables, tokens = [] } = options;
  const source = asOfNow(options.source, filter);
  const ledger =
    options.advantage === undefined ? null : createCreditLedger(options.advantage, createCallReader(source.attachment));
  const plan: ExportPlan = {
    ...options,
    formats,
    splits,
    tables: ledger === null ? tables : [...tables, advantageTable(ledger)],
    ledger,
    tokens: [...new Set(tokens.map(format => (typeof format === 'string' ? tokenFormats.need(format) : format)))],
    source,
  };
  const { archive, right, isPictured, isLocated, certification } = fillArchive(plan);
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
      ...writeRows({ ...plan, isPictured, isLocated, right }, archive, partial),
    };
    writeFileSync(join(partial, manifestName), writeManifest(manifest));
    putInPlace(folder, partial, manifest);
    return manifest;
  } catch (cause) {
    throw asWriteError(folder, cause);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

type Episodes = Pick<EpisodeSource, 'episodes' | 'attachment'>;
type ExportPlan = Omit<ExportOptions, 'source' | 'tokens'> &
  Required<Pick<ExportOptions, 'formats' | 'splits' | 'tables'>> & {
    readonly source: Episodes;
    readonly tokens: readonly TokenFormat[];
    readonly ledger: CreditLedger | null;
  };

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
  readonly right: RightActions;
  /** Whether any episode that is trained on has pictures. */
  readonly isPictured: boolean;
  /** Whether any certificate of such an episode knows where elements are. */
  readonly isLocated: boolean;
  readonly certification: Manifest['certification'];
}

function fillArchive({ source, filter, splits, archive: options, ledger, onProgress }: ExportPlan): FilledArchive {
  const archive = createArchive(options);
  const certificates = createCertificationTally();
  const right = createRightActions();
  let [isPictured, isLocated] = [false, false];
  let read = 0;
  for (const stored of source.episodes({ ...filter, phase: 'collect' })) {
    if (isForTraining(stored, splits)) {
      isPictured ||= hasPictures(stored, source.attachment);
      isLocated ||= hasPlaces(stored);
      const record = foldEpisode(stored);
      certificates.add(record);
      right.add(record);
      ledger?.add(record);
      for (const candidate of candidatesOf(record)) archive.offer(candidate);
    }
    onProgress?.({ stage: 'archive', episodes: ++read, rows: 0 });
  }
  return { archive, right, isPictured, isLocated, certification: certificates.figures() };
}

type RowsPlan = ExportPlan & Pick<FilledArchive, 'isPictured' | 'isLocated' | 'right'>;
type Written = Pick<Manifest, 'runs' | 'files' | 'prompt' | 'counts' | 'images' | 'tokens' | 'credit' | 'masked'>;

function writeRows(plan: RowsPlan, archive: Archive, folder: string): Written {
  const { source, filter, formats, splits, isPictured, isLocated, onProgress } = plan;
  const pictures = isPictured ? createPictureFiles(folder) : null;
  const requests = createRequests(plan);
  const tokenizer = plan.tokenizer === undefined ? null : tokenizers.need(plan.tokenizer);
  const tokens = createTokenRows({ source, formats: plan.tokens, ledger: plan.ledger, tokenizer, requests });
  const sheetOf = (table: Table, isDrawn: boolean) =>
    createTableWriter(isDrawn ? withImages(table) : table, { formats, folder });
  const drawn = (table: Exporter): boolean => isPictured && table.pictured;
  const placed = (table: Exporter): boolean => isLocated && table.located === true;
  const own = plan.tables.map(table => ({
    table,
    ...sheetOf(placed(table) ? withPlaces(table) : table, drawn(table)),
  }));
  const tokenSheets = tokens.tables.map(table => ({ table, ...sheetOf(table, false) }));
  const sheets = [...own, ...tokenSheets];
  const exported = createExportedEpisodes(archive, requests, plan);
  const runs = new Set<string>();
  let read = 0;
  let rows = 0;
  let masked = 0;
  const put = (write: (row: Row) => void, added: Iterable<Row>): void => {
    for (const row of added) {
      write(row);
      rows++;
    }
  };
  try {
    for (const stored of source.episodes(filter)) {
      const record = foldEpisode(stored);
      const isTrained = isForTraining(record, splits);
      const episode = exported(record, isTrained);
      runs.add(record.head.run);
      for (const { table, write } of own) {
        if (!isTrained && table.episodes === 'training') continue;
        const made = placed(table) ? placedRows(table.rows(episode), episode) : table.rows(episode);
        put(write, pictures !== null && drawn(table) ? picturedRows(made, table, pictures) : made);
      }
      const byTable = new Map(isTrained ? tokens.rowsOf(record, episode.masked) : []);
      masked += episode.masked.size;
      for (const { table, write } of tokenSheets) put(write, byTable.get(table) ?? []);
      onProgress?.({ stage: 'rows', episodes: ++read, rows });
    }
    return {
      runs: [...runs].toSorted(),
      files: sheets.flatMap(({ finish }) => finish()),
      prompt: promptFigures(requests),
      counts: Object.fromEntries(sheets.map(({ table, counts }) => [table.name, counts()])),
      ...(pictures === null ? {} : { images: pictures.list() }),
      ...(plan.tokens.length === 0 ? {} : { tokens: tokens.figures() }),
      ...(plan.ledger === null ? {} : { credit: plan.ledger.figures() }),
      ...(plan.mask === undefined ? {} : { masked: { by: plan.mask.by, steps: masked } }),
    };
  } finally {
    for (const { abandon } of sheets) abandon();
  }
}

/** Episodes with what the archive kept of them; requests are written when a table asks for them. */
function createExportedEpisodes(
  archive: Archive,
  requests: Requests,
  { right, mask }: Pick<RowsPlan, 'right' | 'mask'>,
): (record: EpisodeRecord, isTrained: boolean) => ExportedEpisode {
  const leavesOf = Map.groupBy(archive.entries(), ({ run, episode }) => idOf(run, episode));
  return (record, isTrained) => {
    const kept = isTrained ? (leavesOf.get(idOf(record.head.run, record.head.key)) ?? []) : [];
    const leaves = new Set(kept.map(({ leaf }) => leaf));
    return {
      record,
      archived: leaves.size === 0 ? [] : candidatesOf(record).filter(({ leaf }) => leaves.has(leaf)),
      requests,
      masked: (isTrained ? mask?.of(record) : undefined) ?? new Set(),
      isRight: node => right.has(record, node),
      passesFrom: node => right.passesFrom(record, node),
      passing: () => right.passing(record),
    };
  };
}

/** The pictures of a row are on disk before the row is. */
function* picturedRows(rows: Iterable<Row>, table: Table, pictures: PictureFiles): Iterable<Row> {
  for (const row of rows) yield pictured(row, table, pictures.add);
}

function promptFigures({ style, withoutTools }: Requests): Manifest['prompt'] {
  const { form, prompts, speech, window } = style;
  return {
    ...(form === 'compact' ? { form } : {}),
    speech,
    window,
    act: prompts.hashes.act,
    withoutTools: withoutTools(),
  };
}

function idOf(run: string, episode: string): string {
  return JSON.stringify([run, episode]);
}

/** The manifest comes last: until then the old one does not fit the new files, and readers notice. */
function putInPlace(folder: string, partial: string, { files, images = [] }: Manifest): void {
  placePictures(folder, partial, images);
  const names = files.map(({ name }) => name);
  const builtIn = builtInTables.flatMap(table => allFormats.map(format => fileName(table, format)));
  for (const name of [...builtIn, ...ownFilesIn(folder)])
    if (!names.includes(name)) rmSync(join(folder, name), { force: true });
  for (const name of [...names, manifestName]) renameSync(join(partial, name), join(folder, name));
  dropStalePictures(folder, images);
}

/** Files of tables that an earlier export here has written for a user's modules. */
function ownFilesIn(folder: string): string[] {
  if (!existsSync(join(folder, manifestName))) return [];
  try {
    return readManifest(folder).files.map(({ name }) => basename(name));
  } catch {
    // What cannot be read names nothing to remove.
    return [];
  }
}
