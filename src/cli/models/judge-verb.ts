import { resolve } from 'node:path';
import type { Share } from '../../analysis/judge-quality.ts';
import { count } from '../../core/text.ts';
import { judgeNamed } from '../../runs/config/judge-named.ts';
import { spendingSchema } from '../../runs/settings/model-config.ts';
import { judgeRun, type JudgedRun } from '../../runs/judge.ts';
import { spentText } from '../../runs/models/spending.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../terminal/output.ts';
import { stoppable } from '../terminal/stop.ts';
import { said } from '../terminal/verb.ts';

export interface JudgeRequest {
  readonly run: string;
  readonly judge: string;
  readonly round?: number;
  readonly temperature?: number;
  readonly observe?: 'text' | 'both';
  readonly maxTokens?: number;
  readonly deadline?: number;
  readonly prompts?: string;
  readonly budgetDollars?: number;
  readonly budgetTokens?: number;
  readonly prices?: string;
  readonly concurrency: number;
  readonly json?: boolean;
}

export async function judge(output: Output, request: JudgeRequest): Promise<ExitCode> {
  const { run: folder, round, concurrency, json = false } = request;
  const found = await stoppable(output, ({ signal }) =>
    judgeRun({
      folder,
      judge: judgeNamed(request.judge, askingOf(request)),
      round,
      concurrency,
      spending: spendingSchema.parse(spendingOf(request)),
      host: createSystemHost(),
      signal,
      onProgress: ({ judged, cases }) => output.progress(`judging ${judged} of ${cases}`),
    }),
  );
  output.progress('');
  const { judge: name, cases, judged, failures, quality, exhausted, spent } = found;
  if (json) output.json({ judge: name, cases, failures, quality });
  else tell(output, found);
  for (const failure of failures.slice(0, 3)) output.note(failure);
  if (exhausted !== null) output.note(exhausted);
  output.note(spentText(spent));
  return failures.length > 0 || judged < cases ? 1 : 0;
}

function askingOf({ observe, deadline, maxTokens, prompts, temperature }: JudgeRequest): Record<string, unknown> {
  return said({
    observe,
    deadline,
    maxTokens,
    prompts: prompts === undefined ? undefined : resolve(prompts),
    temperature,
  });
}

function spendingOf({ budgetDollars: dollars, budgetTokens: tokens, prices }: JudgeRequest): object {
  return said({ dollars, tokens, prices: prices === undefined ? undefined : resolve(prices) });
}

function tell({ line, paint }: Output, { quality, judge: name, file }: JudgedRun): void {
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
