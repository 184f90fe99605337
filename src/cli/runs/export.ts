import type { Manifest } from '../../dataset/rows/manifest.ts';
import type { DatasetFormat } from '../../dataset/table-writer.ts';
import { count } from '../../core/text.ts';
import type { PromptForm } from '../../models/prompt/step-request.ts';
import type { Speech } from '../../models/prompt/transcript.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';
import { selectionText } from '../terminal/select.ts';
import { exportRun, type Exported, type Keep } from '../../runs/export.ts';

export interface ExportRequest {
  readonly run: string;
  readonly out?: string;
  readonly format?: readonly DatasetFormat[];
  readonly table?: readonly string[];
  readonly signal?: readonly string[];
  readonly tokens?: readonly string[];
  /** What makes token ids where no model was asked. */
  readonly tokenizer?: string;
  /** An estimator of advantages. */
  readonly advantage?: string;
  readonly advantageOption?: Readonly<Record<string, unknown>>;
  /** Formats of other tools to write whole episodes in, instead of rows. */
  readonly as?: readonly string[];
  /** A student whose chances of each action are written. */
  readonly weigh?: string;
  /** Steps that are not learned, by what signals say of them. */
  readonly mask?: readonly string[];
  readonly keep?: Keep;
  readonly bins?: 'task' | 'template';
  readonly round?: number;
  readonly where?: string;
  readonly window?: number;
  /** Folder of a tokenizer, and the tokens of a row that the trainer takes. */
  readonly for?: string;
  readonly maxLength?: number;
  readonly form?: PromptForm;
  readonly speech?: Speech;
  readonly json?: boolean;
}

const episodesBetweenWords = 100;
/** Tables about a run. Nobody trains on them. */
const aboutRuns: ReadonlySet<string> = new Set(['episodes', 'signals']);

export async function exportRows(output: Output, request: ExportRequest): Promise<ExitCode> {
  const { as } = request;
  if (as !== undefined) return (await import('./export-trajectories.ts')).exportAs(output, { ...request, as });
  const { run, out, format, tokens, keep, bins, round, window, form, json } = request;
  const { folder, manifest, beside, selection, withoutForks, fit } = await exportRun({
    folder: run,
    host: createSystemHost(),
    out,
    formats: format,
    tables: request.table,
    signals: request.signal,
    tokens,
    tokenizer: request.tokenizer,
    advantage: request.advantage,
    advantageOptions: request.advantageOption,
    weigh: request.weigh,
    mask: request.mask,
    keep,
    bins,
    round,
    where: request.where,
    window,
    tokenizerFolder: request.for,
    maxLength: request.maxLength,
    form,
    speech: request.speech,
    onProgress({ stage, episodes, rows }) {
      if (episodes % episodesBetweenWords !== 0) return;
      const done = stage === 'archive' ? 'looking for the best' : `${count(rows, 'row')}`;
      output.progress(`exporting: ${count(episodes, 'episode')} read, ${done} …`);
    },
  });
  output.progress('');
  if (selection !== undefined) output.note(selectionText(selection));
  if (withoutForks !== undefined)
    output.note(`Without ${withoutForks.join(' and ')}: they need espalier annotate ${run} --forks first.`);
  const { files } = manifest;
  const training = files.filter(({ table }) => !aboutRuns.has(table)).reduce((sum, { rows }) => sum + rows, 0);
  if (json === true) output.json({ folder, ...manifest, ...(fit === undefined ? {} : { fit }) });
  else {
    const { paint, line } = output;
    for (const text of summaryLines({ manifest, fit, run }, output)) line(text);
    line(`Written to ${paint.bold(folder)}`);
    if (request.table === undefined) line(paint.dim(`Next: espalier train ${folder} --out student.json`));
  }
  for (const name of emptyTables(manifest, request)) output.note(`${name} has no rows: ${await aboutTable(name)}`);
  // Tables that were chosen by name may hold no training rows on purpose.
  if (training > 0 || request.table !== undefined) return 0;
  output.note(whyNoRows(manifest, beside));
  return 1;
}

/** Tables that were asked for, and that nothing in the run is for. */
function emptyTables({ files }: Manifest, { table: asked = [] }: ExportRequest): readonly string[] {
  return asked.filter(name => files.some(file => file.table === name && file.rows === 0));
}

async function aboutTable(name: string): Promise<string> {
  const { exporters } = await import('../../dataset/tables/tables.ts');
  return `nothing here is what it takes. ${exporters.need(name).about}`;
}

interface Summary extends Pick<Exported, 'manifest'> {
  readonly fit: Exported['fit'] | undefined;
  readonly run: string;
}

function summaryLines({ manifest, fit, run }: Summary, output: Output): string[] {
  const { files, archive, images, masked } = manifest;
  const share = `${archive.filled} of ${count(archive.bins, 'bin')} filled`;
  return [
    ...fileLines(files, output),
    '',
    `Archive: ${archive.entries} trajectories kept of ${archive.offered}, ${share}.`,
    ...requestLines(manifest),
    ...certificationLines(manifest, run).map(text => output.paint.yellow(text)),
    ...(images === undefined ? [] : [`Screenshots: ${count(images.length, 'picture')} in images.`]),
    ...tokenLines(manifest),
    ...creditLines(manifest),
    ...(masked === undefined ? [] : [`Not learned: ${count(masked.steps, 'step')}, by ${masked.by.join(' and ')}.`]),
    ...fitLines(fit),
  ];
}

function fileLines(files: Manifest['files'], { paint }: Output): string[] {
  const heads = ['file', 'rows', 'bytes', 'sha256'].map(head => paint.dim(head));
  const rows = files.map(file => [
    file.name,
    file.rows.toLocaleString('en'),
    file.bytes.toLocaleString('en'),
    paint.dim(file.sha256.slice(0, 12)),
  ]);
  return columns([heads, ...rows], [1, 2]);
}

/** Where the requests of the rows come from, and which tools are missing. */
function requestLines({ counts, prompt }: Manifest): string[] {
  const total = (source: string): number =>
    Object.values(counts).reduce((sum, { request }) => sum + (request?.[source] ?? 0), 0);
  const [recorded, written] = [total('recorded'), total('written')];
  if (recorded + written === 0) return [];
  const missing = prompt?.withoutTools ?? [];
  return [
    `Requests: ${recorded.toLocaleString('en')} as models got them, ${written.toLocaleString('en')} as a model would get them.`,
    ...(missing.length === 0
      ? []
      : [`Without tools of the environment, as it cannot be opened: ${missing.join(', ')}.`]),
  ];
}

function whyNoRows({ certification }: Manifest, { passed, corrections }: Exported['beside']): string {
  const { leaves } = certification?.uncertified ?? { leaves: { missing: 0, broken: 0, diverged: 0 } };
  const uncertified = leaves.missing + leaves.broken + leaves.diverged;
  if (uncertified > 0) return 'There are no training rows: what passed is not certified.';
  const beside = [
    ...(passed === 0 ? [] : [`the ${count(passed, 'episode')} that passed`]),
    ...(corrections === 0 ? [] : [`the ${count(corrections, 'correction')}`]),
  ];
  if (beside.length === 0) return 'There are no training rows: nothing passed, and nothing was corrected.';
  return `There are no training rows: ${beside.toReversed().join(' and ')} are of held-out templates or of evaluations, which are never trained on. Collect on templates of the training split.`;
}

/** Says how many episodes were left out because they are not certified, and how to certify them. */
function certificationLines({ certification }: Manifest, run: string): string[] {
  if (certification === undefined) return [];
  const { leaves, corrections } = certification.uncertified;
  const { missing, broken, diverged } = leaves;
  const left = missing + broken + diverged;
  if (left + corrections === 0) return [];
  const parts = [`${missing} not replayed yet`, `${broken} whose replay broke`, `${diverged} whose replay differs`];
  return [
    `Not certified, and left out: ${count(left, 'leaf', 'leaves')} that passed (${parts.join(', ')}), ${count(corrections, 'correction')}.`,
    ...(missing + broken > 0 ? [`Certify them with: espalier certify ${run}, then export again.`] : []),
  ];
}

function tokenLines({ tokens }: Manifest): string[] {
  if (tokens === undefined) return [];
  const { calls, sampled, left, tokenizer } = tokens;
  const unit = tokenizer === undefined ? 'call' : 'question';
  const reasons = Object.entries(left).map(([why, number]) => `  ${count(number, unit)} left out: ${why}.`);
  if (tokenizer !== undefined) {
    const made = `Tokens: ${count(sampled, 'token')} of the student’s answers to ${count(calls, unit)}`;
    return [`${made}, made by the tokenizer ${tokenizer}. Log probabilities of tokens are not known.`, ...reasons];
  }
  const why = calls + reasons.length === 0 ? [noCalls] : [];
  return [`Tokens: ${count(sampled, 'token')} sampled by the student in ${count(calls, 'call')}.`, ...reasons, ...why];
}

/** Why an export has no tokens where nothing was left out. */
const noCalls =
  '  The student of these episodes asked no model, so no server gave token ids. Add --tokenizer bytes to write the bytes of each request and answer as ids, or collect with a student such as openai:<model>@<url>.';

/** What a trainer makes of the rows, and what to do where it would go wrong quietly. */
function fitLines(fit: Exported['fit']): string[] {
  if (fit === undefined) return [];
  const { maxLength, tables } = fit;
  const lines = tables.flatMap(({ table, rows, fitting, median, longest, surviving, lost }) => [
    `${table}: ${fitting} of ${count(rows, 'row')} fit ${maxLength.toLocaleString('en')} tokens (median ${median.toLocaleString('en')}, longest ${longest.toLocaleString('en')}); ${surviving} targets survive the chat template.`,
    ...Object.entries(lost).map(([why, number]) => `  ${count(number, 'row')}: ${why}.`),
  ]);
  const tooLong = tables.some(({ rows, fitting }) => fitting < rows);
  const isLost = tables.some(({ rows, surviving }) => surviving < rows);
  return [
    ...lines,
    ...(tooLong
      ? [
          '  Longer rows are cut at their end, where the target is: raise max_length of the trainer, or export with a smaller --window.',
        ]
      : []),
    ...(isLost
      ? [
          '  Export with --speech text, and ask models so: --set student.speech=text. Or take a tokenizer whose template writes tool calls.',
        ]
      : []),
  ];
}

/** What became of groups, and why some have no advantages. */
function creditLines({ credit }: Manifest): string[] {
  if (credit === undefined) return [];
  const { estimator, groups, credited, trajectories, unverified, alone = 0, left } = credit;
  const reasons = Object.entries(left).map(([why, number]) => `  ${count(number, 'group')} left out: ${why}.`);
  return [
    `Advantages: ${estimator}, ${count(trajectories, 'trajectory', 'trajectories')} in ${credited} of ${count(groups, 'group')}.`,
    ...reasons,
    ...(alone === 0
      ? []
      : [`  ${count(alone, 'group')} of one trajectory: nothing to compare with. Collect with --trials 8.`]),
    ...(unverified === 0
      ? []
      : [`  ${count(unverified, 'try', 'tries')} without a verdict: broken or given up, and compared with nothing.`]),
  ];
}
