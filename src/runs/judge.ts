import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { judgeQuality, type JudgeQuality } from '../analysis/judge-quality.ts';
import type { Sampling } from '../core/chat/chat.ts';
import { inTime } from '../core/clock.ts';
import type { EpisodeSource } from '../core/episode/journal.ts';
import { foldEpisode, type Shot } from '../core/episode/record.ts';
import { EspalierError } from '../core/errors.ts';
import { wholeLines } from '../core/json.ts';
import type { ModuleShape } from '../core/naming/registry.ts';
import { defaultLimits } from '../episode/cursor/budget.ts';
import type { Spent } from '../models/endpoints/ledger.ts';
import { checkedJudge, createJudge, finishedEpisode, type FinishedEpisode, type Judge } from '../agents/judge.ts';
import type { JudgeConfig } from './config/judge-named.ts';
import type { ModelConfig, SpendingConfig } from './settings/model-config.ts';
import { openRun } from './folder/folder.ts';
import type { Host } from './host/host.ts';
import { readPromptFolder } from './settings/prompt-files.ts';
import { withModels, type Spending } from './models/spending.ts';
import { hashModule } from '../modules/module-hash.ts';
import { loadPlugin } from './registry/load-plugin.ts';
import { verifiers } from './registry/verifiers.ts';

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
  /** The picture that it finished on, where the judge is shown one. Read when it is asked about: pictures are large. */
  readonly shot: Shot | null;
  readonly passed: boolean;
}

export interface JudgeRunOptions {
  /** Folder of the run. */
  readonly folder: string;
  readonly judge: JudgeConfig;
  /** Only this round; all of them when left out. */
  readonly round?: number | undefined;
  /** Questions at once. */
  readonly concurrency: number;
  readonly spending: SpendingConfig;
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
  onProgress?(progress: { readonly judged: number; readonly cases: number }): void;
}

/** What a judge said of the finished episodes of a run, held against the verifier. */
export interface JudgedRun {
  /** The model that judged, or the name of the judge. */
  readonly judge: string;
  /** Where its opinions are kept. */
  readonly file: string;
  /** Episodes to judge, and those that were judged. */
  readonly cases: number;
  readonly judged: number;
  /** What went wrong with single episodes. */
  readonly failures: readonly string[];
  readonly quality: JudgeQuality;
  readonly spent: Spent;
  /** Why the budget or an endpoint stopped it; null when neither did. */
  readonly exhausted: string | null;
}

/** Lets a judge look at the finished episodes of a run; those it has judged before are not judged again. */
export async function judgeRun(options: JudgeRunOptions): Promise<JudgedRun> {
  const { judge: config, folder } = options;
  const file = join(folder, 'judgements.jsonl');
  const store = openRun(folder);
  try {
    const cases = casesOf(store, options);
    const found = await withModels(options, spending => judgeCases({ config, file, cases, store, spending, options }));
    const { judge, lines, failures, spent, exhausted } = found;
    const quality = judgeQuality(lines);
    const judged = lines.length;
    return { judge, file, cases: cases.length, judged, failures, quality, spent, exhausted };
  } finally {
    store.close();
  }
}

/** What finished and was verified: nothing else can be held against the verifier. */
function casesOf(store: EpisodeSource, { round, judge }: JudgeRunOptions): Case[] {
  const cases: Case[] = [];
  for (const stored of store.episodes(round === undefined ? {} : { round })) {
    const { verdict } = stored.end;
    const record = foldEpisode(stored);
    const finished = verdict === null ? null : finishedEpisode(record);
    if (verdict === null || finished === null) continue;
    const shot = judge.kind === 'model' && judge.observe === 'text' ? null : record.shot(stored.end.leaf);
    cases.push({ episode: stored.head.key, finished, shot, passed: verdict.pass });
  }
  return cases;
}

interface Judging {
  readonly config: JudgeConfig;
  readonly file: string;
  readonly cases: readonly Case[];
  readonly store: EpisodeSource;
  readonly spending: Spending;
  readonly options: JudgeRunOptions;
}

interface Judged {
  readonly judge: string;
  readonly lines: readonly Line[];
  readonly failures: readonly string[];
  readonly exhausted: string | null;
  readonly spent: Spent;
}

async function judgeCases(judging: Judging): Promise<Judged> {
  const { config, file, cases, store, spending, options } = judging;
  const { judge, name, version } = await openJudge(config, { spending, host: options.host });
  dropTornLine(file);
  // Who was shown a picture was asked something else.
  const promptOf = ({ shot }: Case): string => (shot === null ? version : `${version} with a picture`);
  const prompts = new Map(cases.map(each => [each.episode, promptOf(each)]));
  const isOurs = (line: Line): boolean => line.judge === name && line.prompt === prompts.get(line.episode);
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
      const found = await opinionOn(judge, each, store.attachment).catch(errorOf);
      if (found instanceof EspalierError) {
        if (!spending.signal.aborted) failures.push(`${each.episode}: ${found.message}`);
        continue;
      }
      const line = { ...found, judge: name, prompt: promptOf(each) };
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      spending.models.save();
      known.set(each.episode, line);
      options.onProgress?.({ judged: known.size, cases: cases.length });
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work)).catch((cause: unknown) => {
    if (!spending.signal.aborted) throw cause;
  });
  const lines = cases.flatMap(({ episode }) => known.get(episode) ?? []);
  return { judge: name, lines, failures, exhausted: spending.exhausted(), spent: spending.models.spent() };
}

interface OpenJudge {
  readonly judge: Judge;
  readonly name: string;
  /** Hash of what it goes by: its prompt, or its module and what that imports. Opinions of another version are not its own. */
  readonly version: string;
}

async function openJudge(
  config: JudgeConfig,
  { spending, host }: { readonly spending: Spending; readonly host: Host },
): Promise<OpenJudge> {
  if (config.kind === 'module') {
    const { create } = await loadPlugin<Judge>(config.file, verifiers.module as ModuleShape);
    const judge = checkedJudge(create());
    const { timers } = host;
    const late = (): EspalierError => tooLate(judge.name);
    const limit = { timers, milliseconds: defaultLimits.waitMilliseconds, signal: spending.hurry, late };
    return {
      judge: { ...judge, judge: async episode => inTime(Promise.resolve(judge.judge(episode)), limit) },
      name: judge.name,
      version: hashModule(config.file),
    };
  }
  const { texts, hashes } = readPromptFolder(config.prompts);
  const { model } = await spending.models.open(config, 'verifier');
  const prompt = { text: texts.judge, hash: hashes.judge };
  const judge = createJudge({ model, prompt, sampling: samplingOf(config), signal: spending.hurry });
  return { judge, name: config.model, version: hashes.judge };
}

function tooLate(name: string): EspalierError {
  return new EspalierError({
    boundary: 'verifier',
    code: 'deadline',
    message: `The judge "${name}" did not answer in ${defaultLimits.waitMilliseconds} ms.`,
    expected: 'Expected an opinion in time.',
  });
}

function samplingOf({ temperature, maxTokens }: ModelConfig): Sampling {
  return { ...(temperature === null ? {} : { temperature }), ...(maxTokens === null ? {} : { maxTokens }) };
}

/** What a judge could not do is told; what we cannot do is thrown. */
function errorOf(cause: unknown): EspalierError {
  if (cause instanceof EspalierError) return cause;
  throw cause;
}

async function opinionOn(
  judge: Judge,
  { episode, finished, shot, passed }: Case,
  picture: EpisodeSource['attachment'],
): Promise<Omit<Line, 'judge' | 'prompt'>> {
  const data = shot === null ? null : picture(shot.hash);
  const image = shot === null || data === null ? undefined : { ...shot, data: Uint8Array.from(data) };
  const { pass, confidence, reason, call } = await judge.judge({ ...finished, image });
  const usage = call?.reply.usage ?? null;
  return { episode, pass, confidence, reason, passed, tokens: usage === null ? null : usage.prompt + usage.completion };
}

/** A last line that was cut when the program was killed: that episode is judged again. */
function dropTornLine(file: string): void {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const whole = wholeLines(bytes);
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
