import type { EpisodeSource } from '../core/episode/journal.ts';
import { invalidOption } from '../core/errors.ts';
import { canaryOf, type Split } from '../core/records.ts';
import { passedGate, verifiedGate } from '../dataset/archive/archive-rules.ts';
import type { ArchiveOptions } from '../dataset/archive/archive.ts';
import { exportDataset, type ExportProgress } from '../dataset/export-dataset.ts';
import { annotations } from '../dataset/tables/signals.ts';
import type { Manifest } from '../dataset/rows/manifest.ts';
import type { DatasetFormat } from '../dataset/table-writer.ts';
import { signalTable, usualTables, type Exporter } from '../dataset/tables/tables.ts';
import { tokenFormats, type TokenFormat } from '../dataset/tokens/formats.ts';
import { tokenizers } from '../dataset/tokens/tokenizers.ts';
import type { PromptForm } from '../models/prompt/step-request.ts';
import type { Speech } from '../models/prompt/transcript.ts';
import type { GivenParts } from './host/given.ts';
import type { Host } from './host/host.ts';
import type { ChosenEstimator } from '../dataset/credit/ledger.ts';
import type { TableFit } from '../dataset/fit/fit.ts';
import { promptCompletionText } from '../dataset/tables/prompt-completion.ts';
import { chooseEstimator } from './registry/estimators.ts';
import { chooseTables, chooseTokenFormats } from './registry/tables.ts';
import { withCanary } from '../dataset/tables/with-canary.ts';
import { withIntegrity } from '../dataset/tables/with-integrity.ts';
import { integrityIn } from './folder/integrity-file.ts';
import { weighedTable } from '../dataset/tables/weighed.ts';
import { weighEpisodes } from './weigh.ts';
import { toolsOfRun } from './tools-of-run.ts';
import { signalRows } from './annotations/signal-rows.ts';
import { createStepMask, readMaskRule, type StepMask } from '../dataset/tables/step-mask.ts';
import type { Signal } from '../analysis/signals/signal.ts';
import { chooseSignals } from './registry/signals.ts';
import { selectEpisodes, type Selection } from './annotations/select.ts';
import { editionOf, openRun, runPaths } from './folder/folder.ts';

export interface ExportRunOptions {
  /** Folder of the run. */
  readonly folder: string;
  readonly host: Host;
  readonly given?: GivenParts | undefined;
  /** `export` in the folder of the run, unless given. */
  readonly out?: string | undefined;
  readonly formats?: readonly DatasetFormat[] | undefined;
  /** Tables to write, by name or module; the usual ones when left out. */
  readonly tables?: readonly string[] | undefined;
  /** Signals of the table `signals`, by name or module: it is written with them beside the others. */
  readonly signals?: readonly string[] | undefined;
  /** Trainers to write rows of tokens for, by name or module. */
  readonly tokens?: readonly string[] | undefined;
  /** What makes token ids, by name, where no server gave any. */
  readonly tokenizer?: string | undefined;
  /** How much each step was worth beside other tries, by the name of an estimator or module; with options of it. */
  readonly advantage?: string | undefined;
  readonly advantageOptions?: Readonly<Record<string, unknown>> | undefined;
  /** A student whose chances of each action are written as the table `weighed`: a file, or small. */
  readonly weigh?: string | undefined;
  /** Steps that are not learned, by what signals say of them: `grades.mask`. */
  readonly mask?: readonly string[] | undefined;
  /** Takes everything that passed, everything that was verified, failures too, or what the archive keeps: the default. */
  readonly keep?: Keep | undefined;
  /** What trajectories compete within in the archive: their task, unless given. */
  readonly bins?: 'task' | 'template' | undefined;
  /** Only this round; all of them when left out. */
  readonly round?: number | undefined;
  /** Splits whose episodes give rows: only what is for training, unless given. */
  readonly splits?: readonly Split[] | undefined;
  /** A condition on episodes: others give no rows. */
  readonly where?: string | undefined;
  /** Characters of screens before old ones are left out of requests that no model got. */
  readonly window?: number | undefined;
  /** Folder of a model’s tokenizer: rows are measured with it, and texts written by its chat template. */
  readonly tokenizerFolder?: string | undefined;
  /** Tokens of a row that the trainer takes; what TRL takes unless it is told otherwise. */
  readonly maxLength?: number | undefined;
  /** How those requests are written: as chats, unless given. */
  readonly form?: PromptForm | undefined;
  /** How their answers are said: by tool calls, unless given. */
  readonly speech?: Speech | undefined;
  onProgress?(progress: ExportProgress): void;
}

export interface Exported {
  readonly folder: string;
  readonly manifest: Manifest;
  /** What gives no rows because it is of held-out templates, or of evaluations. */
  readonly beside: { readonly passed: number; readonly corrections: number };
  /** How many episodes met the condition; left out without one. */
  readonly selection?: Omit<Selection, 'source'>;
  /** Signals that have no rows because the run was annotated without forks; left out when there are none. */
  readonly withoutForks?: readonly string[];
  /** What a trainer with that tokenizer makes of the rows. */
  readonly fit?: { readonly maxLength: number; readonly tables: readonly TableFit[] };
}

/** The longest row that TRL takes by default; it cuts off the end of longer ones. */
const usualLength = 1024;

/** What rows of steps are made from. */
export type Keep = 'all' | 'verified' | 'archive';

/** Writes the training rows of a run. */
export async function exportRun(options: ExportRunOptions): Promise<Exported> {
  const { folder, out = runPaths(folder).export, formats, round, splits, window, form, speech, onProgress } = options;
  const { tables: named, withoutForks } = await tablesOf(options);
  const integrityOf = integrityIn(folder);
  const chosen = integrityOf === null ? named : named.map(table => withIntegrity(table, integrityOf));
  const { tables, fit } = await measured(chosen, options);
  const tokens = await tokenFormatsOf(options);
  const advantage = await estimatorOf(options);
  const mask = await maskOf(options);
  const store = openRun(folder);
  try {
    const { source, ...selection } = await selected(store, options);
    const toolsOf = await toolsOfRun(options, source);
    const weighed =
      options.weigh === undefined ? [] : [weighedTable(await weighEpisodes(options.weigh, source, splits))];
    const manifest = exportDataset({
      source,
      folder: out,
      toolsOf,
      edition: editionOf(folder),
      ...(round === undefined ? {} : { filter: { round } }),
      ...(splits === undefined ? {} : { splits }),
      archive: archiveOptions(options),
      ...(formats === undefined ? {} : { formats }),
      tables: hasCanaries(source) ? [...tables, ...weighed].map(withCanary) : [...tables, ...weighed],
      ...tokens,
      ...(advantage === undefined ? {} : { advantage }),
      ...(mask === undefined ? {} : { mask }),
      ...(window === undefined ? {} : { window }),
      ...(form === undefined ? {} : { form }),
      ...(speech === undefined ? {} : { speech }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    return { folder: out, manifest, beside: countBeside(source), ...selection, ...withoutForks, ...fit() };
  } finally {
    store.close();
  }
}

/** The tables with a meter on them, where the tokenizer of a model was named. */
async function measured(
  tables: readonly Exporter[],
  { tokenizerFolder, maxLength = usualLength }: ExportRunOptions,
): Promise<{ readonly tables: readonly Exporter[]; fit(): Pick<Exported, 'fit'> }> {
  if (tokenizerFolder === undefined) return { tables, fit: () => ({}) };
  const { readChatTemplate } = await import('../dataset/fit/chat-template.ts');
  const { createFitMeter } = await import('../dataset/fit/fit.ts');
  const template = readChatTemplate(tokenizerFolder);
  const meter = createFitMeter(template, maxLength);
  const asText = promptCompletionText(template);
  const written = tables.map(table => (table.name === asText.name ? asText : table));
  return { tables: written.map(meter.watch), fit: () => ({ fit: { maxLength, tables: meter.figures() } }) };
}

async function selected(
  store: EpisodeSource,
  { where, folder, host, given, signals }: ExportRunOptions,
): Promise<{ readonly source: EpisodeSource } & Pick<Exported, 'selection'>> {
  if (where === undefined) return { source: store };
  const { source, ...selection } = await selectEpisodes(store, { where, folder, host, given, signals });
  return { source, selection };
}

interface ChosenTables {
  readonly tables: readonly Exporter[];
  readonly withoutForks?: Pick<Exported, 'withoutForks'>;
}

/** The tables that were named, or the usual ones, with that of the signals that were named. */
async function tablesOf(options: ExportRunOptions): Promise<ChosenTables> {
  const named = options.tables === undefined ? usualTables : await chooseTables(options.tables);
  const { name } = annotations;
  if (options.signals === undefined && !named.some(table => table.name === name)) return { tables: named };
  const { silent, ...rows } = await signalRows(options);
  return {
    tables: [...named.filter(table => table.name !== name), signalTable(rows)],
    ...(silent.length === 0 ? {} : { withoutForks: { withoutForks: silent } }),
  };
}

async function maskOf({ mask, folder, host, given }: ExportRunOptions): Promise<StepMask | undefined> {
  if (mask === undefined) return undefined;
  const rules = mask.map(readMaskRule);
  const names = rules.map(({ signal }) => signal);
  const chosen = await Promise.all(names.map(async name => (await chooseSignals([name]))[0] as Signal));
  return createStepMask(rules, chosen, await signalRows({ folder, host, given, signals: [...new Set(names)] }));
}

async function tokenFormatsOf({
  tokens,
  tokenizer,
}: ExportRunOptions): Promise<{ readonly tokens?: readonly TokenFormat[]; readonly tokenizer?: string }> {
  if (tokens !== undefined) {
    const chosen = tokenizer === undefined ? {} : { tokenizer: tokenizers.need(tokenizer).name };
    return { tokens: await chooseTokenFormats(tokens), ...chosen };
  }
  if (tokenizer === undefined) return {};
  throw invalidOption(
    'There is a tokenizer, but no format of tokens.',
    `Expected --tokens beside --tokenizer: ${tokenFormats.names.join(', ')}.`,
  );
}

async function estimatorOf({
  advantage,
  advantageOptions: options,
}: ExportRunOptions): Promise<ChosenEstimator | undefined> {
  if (advantage !== undefined) return { estimator: await chooseEstimator(advantage), options };
  if (options === undefined) return undefined;
  throw invalidOption(
    'There are options of an estimator, but no estimator.',
    'Expected --advantage <estimator> beside --advantage-option.',
  );
}

function archiveOptions({ keep = 'archive', bins = 'task' }: ExportRunOptions): ArchiveOptions {
  if (keep === 'archive') return { scope: bins };
  return { perBin: 'all', gates: [keep === 'all' ? passedGate : verifiedGate] };
}

/** Whether some of its tasks are of a release. */
function hasCanaries(source: EpisodeSource): boolean {
  for (const { head } of source.summaries({ phase: 'collect' })) if (canaryOf(head.task) !== null) return true;
  return false;
}

function countBeside(source: EpisodeSource): Exported['beside'] {
  const beside = { passed: 0, corrections: 0 };
  for (const { head, end } of source.summaries()) {
    if (head.phase !== 'evaluate' && head.task.split === 'train') continue;
    if (end.outcome === 'passed') beside.passed++;
    beside.corrections += end.counts.corrections;
  }
  return beside;
}
