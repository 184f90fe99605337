import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { judgeQuality, type JudgeQuality, type Share } from '../../analysis/judge-quality.ts';
import type { Sampling } from '../../core/chat/chat.ts';
import { foldEpisode } from '../../core/episode/record.ts';
import { EspalierError } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import type { Spent } from '../../policies/models/ledger.ts';
import { createJudge, finishedEpisode, type FinishedEpisode, type Judge } from '../../verifiers/judge.ts';
import { columns, type ExitCode, type Output } from '../output.ts';
import { openRun } from '../run/folder.ts';
import { stoppable } from '../run/verbs/stop.ts';
import { said } from '../verb.ts';
import { createSystemClock, createSystemTimers } from '../system-clock.ts';
import { modelSchema, spendingSchema, type ModelConfig } from './model-config.ts';
import { askingOf, modelNamed, spendingOf, type ModelFlags } from './model-flags.ts';
import { readPromptFolder } from './prompt-files.ts';
import { spentText, withModels, type Spending } from './spending.ts';

export interface JudgeRequest extends ModelFlags {
  readonly run: string;
  readonly judge: string;
  readonly round?: number;
  readonly temperature?: number;
  readonly concurrency: number;
  readonly json?: boolean;
}

/** One line of the file that opinions are kept in; asked again, only what is missing is judged. */
const lineSchema = z.strictObject({
  judge: z.string(),
  prompt: z.string(),
  episode: z.string(),
  pass: z.boolean(),
  confidence: z.number().min(0).max(1),
  reason: z.string(),
  passed: z.boolean(),
  tokens: z.int().nonnegative().nullable(),
});
type Line = z.infer<typeof lineSchema>;

interface Case {
  readonly episode: string;
  readonly finished: FinishedEpisode;
  readonly passed: boolean;
}

export async function judgeRun(output: Output, request: JudgeRequest): Promise<ExitCode> {
  const config = configOf(request);
  const file = join(request.run, 'judgements.jsonl');
  const cases = casesOf(request);
  const found = await stoppable(output, controller => {
    const setting = {
      spending: spendingSchema.parse(said(spendingOf(request))),
      folder: request.run,
      clock: createSystemClock(),
      timers: createSystemTimers(),
      signal: controller.signal,
    };
    return withModels(setting, spending => judgeCases(output, { config, file, cases, spending, request }));
  });
  output.progress('');
  const quality = judgeQuality(found.lines);
  if (request.json === true)
    output.json({ judge: config.model, cases: cases.length, failures: found.failures, quality });
  else tell(output, { quality, name: config.model, file });
  for (const failure of found.failures.slice(0, 3)) output.note(failure);
  if (found.exhausted !== null) output.note(found.exhausted);
  output.note(spentText(found.spent));
  return found.failures.length > 0 || found.lines.length < cases.length ? 1 : 0;
}

function configOf(request: JudgeRequest): ModelConfig {
  const named = modelNamed(request.judge);
  if (named === null) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `"${request.judge}" names no model.`,
      expected: 'Expected one, such as openai:qwen3@http://127.0.0.1:8000/v1.',
    });
  }
  return modelSchema.parse({ ...named, ...said({ ...askingOf(request), temperature: request.temperature }) });
}

/** What finished and was verified: nothing else can be held against the verifier. */
function casesOf({ run, round }: JudgeRequest): Case[] {
  const store = openRun(run);
  try {
    const cases: Case[] = [];
    for (const stored of store.episodes(round === undefined ? {} : { round })) {
      const { verdict } = stored.end;
      const finished = verdict === null ? null : finishedEpisode(foldEpisode(stored));
      if (verdict !== null && finished !== null)
        cases.push({ episode: stored.head.key, finished, passed: verdict.pass });
    }
    return cases;
  } finally {
    store.close();
  }
}

interface Judging {
  readonly config: ModelConfig;
  readonly file: string;
  readonly cases: readonly Case[];
  readonly spending: Spending;
  readonly request: JudgeRequest;
}

interface Judged {
  readonly lines: readonly Line[];
  readonly failures: readonly string[];
  readonly exhausted: string | null;
  readonly spent: Spent;
}

async function judgeCases(output: Output, judging: Judging): Promise<Judged> {
  const { config, file, cases, spending, request } = judging;
  const { texts, hashes } = readPromptFolder(config.prompts);
  const { model } = await spending.models.open(config, 'verifier');
  const prompt = { text: texts.judge, hash: hashes.judge };
  const judge = createJudge({ model, prompt, sampling: samplingOf(config), signal: spending.hurry });
  dropTornLine(file);
  const isOurs = (line: Line): boolean => line.judge === config.model && line.prompt === hashes.judge;
  const known = new Map(
    readLines(file)
      .filter(isOurs)
      .map(line => [line.episode, line]),
  );
  const failures: string[] = [];
  const next = cases.filter(({ episode }) => !known.has(episode)).values();
  const work = async (): Promise<void> => {
    for (const each of next) {
      if (spending.signal.aborted) return;
      const found = await opinionOn(judge, each).catch(errorOf);
      if (found instanceof EspalierError) {
        if (!spending.signal.aborted) failures.push(`${each.episode}: ${found.message}`);
        continue;
      }
      const line = { ...found, judge: config.model, prompt: hashes.judge };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
      spending.models.save();
      known.set(each.episode, line);
      output.progress(`judging ${known.size} of ${cases.length}`);
    }
  };
  await Promise.all(Array.from({ length: request.concurrency }, work)).catch((cause: unknown) => {
    if (!spending.signal.aborted) throw cause;
  });
  const lines = cases.flatMap(({ episode }) => known.get(episode) ?? []);
  return { lines, failures, exhausted: spending.exhausted(), spent: spending.models.spent() };
}

function samplingOf({ temperature, maxTokens }: ModelConfig): Sampling {
  return { ...(temperature === null ? {} : { temperature }), ...(maxTokens === null ? {} : { maxTokens }) };
}

/** What a judge could not do is told; what we cannot do is thrown. */
function errorOf(cause: unknown): EspalierError {
  if (cause instanceof EspalierError) return cause;
  throw cause;
}

async function opinionOn(judge: Judge, { episode, finished, passed }: Case): Promise<Omit<Line, 'judge' | 'prompt'>> {
  const { pass, confidence, reason, call } = await judge.judge(finished);
  const { usage } = call.reply;
  return { episode, pass, confidence, reason, passed, tokens: usage === null ? null : usage.prompt + usage.completion };
}

/** A last line that was cut when the program was killed: that episode is judged again. */
function dropTornLine(file: string): void {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const whole = bytes.lastIndexOf('\n') + 1;
  if (whole < bytes.length) truncateSync(file, whole);
}

function readLines(file: string): Line[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(text => {
      try {
        const parsed = lineSchema.safeParse(JSON.parse(text));
        return parsed.success ? [parsed.data] : [];
      } catch {
        return [];
      }
    });
}

interface Told {
  readonly quality: JudgeQuality;
  readonly name: string;
  readonly file: string;
}

function tell({ line, paint }: Output, { quality, name, file }: Told): void {
  const { n, counts, precision, recall, accuracy, auc, brier, calibrationError, bins } = quality;
  line(`${paint.bold(name)} against the verifier: ${count(n, 'finished episode')}`);
  line();
  const rows = [
    ['precision', shareText(precision), 'of what it passed, the verifier passes'],
    ['recall', shareText(recall), 'of what the verifier passes, it passed'],
    ['accuracy', shareText(accuracy), ''],
    ['AUC', numberText(auc), '0.5 is chance'],
    ['Brier', numberText(brier), '0 is best'],
    ['calibration error', numberText(calibrationError), ''],
    ['wrongly passed', String(counts.falsePasses), ''],
    ['wrongly failed', String(counts.falseFailures), ''],
  ];
  for (const text of columns(rows.map(([head = '', value = '', about = '']) => [head, value, paint.dim(about)])))
    line(text);
  line();
  const heads = ['chance it gave', 'episodes', 'passed'].map(head => paint.dim(head));
  const filled = bins.filter(bin => bin.n > 0);
  const table = filled.map(({ low, high, n: size, passed }) => [`${low}–${high}`, String(size), shareText(passed)]);
  for (const text of columns([heads, ...table], [1])) line(text);
  line();
  line(`Kept in ${paint.bold(file)}`);
}

function shareText({ rate, interval, n }: Share): string {
  if (rate === null) return '–';
  const percent = (share: number): string => `${Math.round(share * 100)}`;
  return `${percent(rate)} % (${percent(interval.low)}–${percent(interval.high)}) of ${n}`;
}

function numberText(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}
