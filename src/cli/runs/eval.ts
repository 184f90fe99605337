import { environments as builtIn } from '../../catalog.ts';
import type { Comparison } from '../../analysis/compare.ts';
import { estimateText, percentText, type Estimate } from '../../analysis/estimate.ts';
import { levelWords, type Evaluation, type Level, type LevelEvaluation } from '../../analysis/evaluate.ts';
import { rowOf } from '../../analysis/table.ts';
import type { TrustCount } from '../../analysis/trust/count-trust.ts';
import { count } from '../../core/text.ts';
import { columns, wrap, type ExitCode, type Output } from '../terminal/output.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { spendingSchema, type ModelConfig, type SpendingConfig } from '../../runs/settings/model-config.ts';
import { requireTasksAlone } from './flags.ts';
import { browserBefore } from '../flags/browser-flags.ts';
import { strategyNamed } from '../../runs/config/named-agents.ts';
import { requireEffect } from '../flags/strategy-flags.ts';
import { settingsGiven, settingsInFile, type SettingFlags } from '../settings/given-settings.ts';
import { assign } from '../settings/setting.ts';
import { settingsOf } from '../settings/verb-settings.ts';
import type { ActionSet } from '../../runs/environments/offered-actions.ts';
import { readStrategy, type StrategyConfig } from '../../runs/config/config.ts';
import { spentText } from '../../runs/models/spending.ts';
import { evaluateStudents, type EvaluatedStudents } from '../../runs/evaluate-students.ts';
import type { Evaluated } from '../../runs/evaluate.ts';
import { browserSchema, type BrowserConfig } from '../../runs/settings/browser-config.ts';
import { withFleet, type FleetFlags } from '../fleet/with-fleet.ts';
import { createProgress, durationText } from '../terminal/progress.ts';
import { evaluatedGrid, tellGrid } from './eval-grid.ts';
import { advisingResume, stoppable } from '../terminal/stop.ts';

export interface EvalRequest extends SettingFlags, FleetFlags {
  readonly environments: readonly string[];
  readonly student: string;
  readonly against?: string;
  readonly out: string;
  readonly tasks?: readonly string[];
  readonly instances?: number;
  readonly trials: number;
  readonly levels: readonly Level[];
  readonly round?: number;
  readonly seed: number;
  readonly concurrency: number;
  readonly workers?: number;
  readonly strategy?: string;
  readonly browser?: boolean;
  readonly baselines: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

export async function evaluateStudent(output: Output, request: EvalRequest): Promise<ExitCode> {
  const { baselines, json = false } = request;
  const again = 'the same espalier eval again';
  const settings = readSettings(request, output.note);
  const work = (signal: AbortSignal) => run(output, { ...request, ...settings }, signal);
  const found = await advisingResume(again, () => stoppable(output, ({ signal }) => work(signal)));
  const { spent, exhausted, ...evaluated } = found;
  if (spent.calls > 0) output.note(spentText(spent));
  if (exhausted !== null) output.note(exhausted);
  output.progress('');
  if (json) output.json(withoutTrials(evaluated, baselines && settings.actions !== 'tools'));
  else tell(output, evaluated, request);
  for (const { name, round } of found.known) output.note(`${name} was evaluated before, in round ${round}.`);
  noteBaselines(output, { baselines, ...settings });
  noteUnmade(output, evaluated);
  if (found.stopped) output.note(`stopped before the end, so these figures are of a part; go on with ${again}.`);
  return found.stopped || hasNoVerdict(evaluated.subject) ? 1 : 0;
}

/** Whether every episode errored: then there is no rate, and the evaluation failed. */
function hasNoVerdict(subject: Evaluation | null): boolean {
  return subject !== null && subject.trials.length > 0 && subject.trials.every(({ error }) => error !== undefined);
}

type EvalOrder = Omit<EvalRequest, keyof EvalSettings> & EvalSettings;

function run(output: Output, request: EvalOrder, signal: AbortSignal): Promise<EvaluatedStudents> {
  const { environments, out, instances = 4 } = request;
  requireTasksAlone(request);
  const host = withFleet(createSystemHost(request), request, output);
  return evaluateStudents({
    ...request,
    environments: environments.length === 0 ? builtIn.map(({ id }) => id) : environments,
    folder: out,
    instances,
    host,
    signal,
    onProgress: createProgress(output, host.clock, 'evaluating'),
  });
}

interface EvalSettings {
  readonly browser: BrowserConfig | null;
  /** Undefined for the student alone. */
  readonly strategy: StrategyConfig | undefined;
  readonly asking: Partial<ModelConfig>;
  readonly spending: SpendingConfig;
  readonly actions?: ActionSet;
  readonly contracts?: string | null;
}

function readSettings(request: EvalRequest, note: (text: string) => void): EvalSettings {
  const given = [...settingsInFile(request.config), ...settingsGiven('eval', request, { models: ['student'], note })];
  const named = request.strategy === undefined ? {} : strategyNamed(request.strategy);
  const browser = browserBefore(null, request.browser, given);
  const draft = { strategy: { kind: 'linear', ...named }, student: {}, spending: {}, ...(browser && { browser }) };
  const { student, spending, strategy, ...rest } = assign(draft, given, settingsOf('eval')) as typeof draft;
  requireEffect(strategy, given);
  return {
    ...rest,
    browser: rest.browser === undefined ? null : browserSchema.parse(rest.browser),
    strategy: strategy.kind === 'linear' ? undefined : readStrategy(strategy, 'The evaluation'),
    asking: student,
    spending: spendingSchema.parse(spending),
  };
}

function noteBaselines({ note }: Output, { baselines, actions }: Pick<EvalRequest, 'baselines'> & EvalSettings): void {
  if (!baselines) note('The baselines are missing (--no-baselines): compare the rate with them before you trust it.');
  else if (actions === 'tools') note('The baselines are left out: they act on the screen, and only tools are offered.');
}

function noteUnmade({ note }: Output, { unmade }: Evaluated): void {
  const [first] = unmade;
  if (first === undefined) return;
  note(`Could not be made: ${count(unmade.length, 'task')}. First: ${first.message}, in ${first.task}.`);
}

function withoutTrials({ subject, baselines, against, ...rest }: Evaluated, withBaselines: boolean): object {
  const grid = subject === null ? null : evaluatedGrid(subject);
  const short = ({ trials, ...evaluation }: Evaluation): object => ({ ...evaluation, trials: trials.length });
  return {
    ...rest,
    against: against === null ? null : { ...against, evaluation: short(against.evaluation) },
    subject: subject === null ? null : short(subject),
    ...(grid === null ? {} : { grid }),
    baselines: withBaselines ? baselines.map(short) : null,
  };
}

function tell(output: Output, found: Evaluated, { verbose = false, trials }: EvalRequest): void {
  const { paint, line } = output;
  const { rows, subject, seconds, folder, against } = found;
  if (subject === null) return;
  line(`${paint.bold(subject.student)}, round ${subject.round}: ${durationText(seconds)}`);
  line();
  const other = against === null ? [] : [rowOf(against.evaluation, against.comparison)];
  const all = [...rows.slice(0, 1), ...other, ...rows.slice(1)];
  const shown = levelNames.filter(([level]) => !rarer.has(level) || all.some(row => row[level] !== null));
  const names = shown.map(([, name]) => name);
  const heads = ['', ...names, 'steps', 'student ahead by'].map(head => paint.dim(head));
  const table = all.map(({ steps, subject: comparison, ...row }) => [
    row.name,
    ...shown.map(([level]) => rate(row[level])),
    shown.map(([level]) => steps[level]?.toFixed(1) ?? '–').join(' / '),
    comparison === null ? '' : shown.map(([level]) => differenceText(comparison[level])).join(' / '),
  ]);
  for (const text of columns([heads, ...table])) line(text);
  line();
  const order = names.map(name => name.replace(' templates', '')).join(' / ');
  line(paint.dim(`Rates with 95 % intervals; differences in points, on the same tasks: ${order}.`));
  if (against !== null) tellAgainst(output, against);
  tellErrors(output, [subject, ...(against === null ? [] : [against.evaluation]), ...found.baselines]);
  if (verbose) for (const trust of found.trust) tellTrust(output, trust);
  for (const [name, level] of levelsOf(subject)) {
    if (trials > 1) tellAttempts(output, name, level);
    if (verbose) tellParts(output, name, level);
  }
  const grid = evaluatedGrid(subject);
  if (grid !== null) tellGrid(output, grid);
  line();
  line(paint.dim(`Next: espalier report ${folder}`));
}

const levelNames = [
  ['newInstances', levelWords['new-instances']],
  ['heldOut', levelWords['held-out']],
  ['heldOut2', levelWords['held-out-2']],
  ['heldOut3', levelWords['held-out-3']],
] as const;
/** Left out of the table where they were not evaluated. */
const rarer: ReadonlySet<string> = new Set(['heldOut2', 'heldOut3']);

function levelsOf(evaluation: Evaluation): [string, LevelEvaluation][] {
  return levelNames.flatMap(([level, name]): [string, LevelEvaluation][] => {
    const found = evaluation[level];
    return found === null ? [] : [[name, found]];
  });
}

function rate(estimate: Estimate | null): string {
  return estimate === null ? '–' : `${estimateText(estimate)} of ${estimate.n}`;
}

function differenceText(comparison: Comparison | null): string {
  return comparison === null ? '–' : points(comparison);
}

/** `+12 (3…20)`. */
function points({ difference: { mean, low, high } }: Comparison): string {
  const [middle, from, to] = [mean, low, high].map(value => Math.round(value * 100)) as [number, number, number];
  return `${middle > 0 ? '+' : ''}${middle} (${from}…${to})`;
}

function tellAgainst({ line }: Output, { name, comparison }: NonNullable<Evaluated['against']>): void {
  for (const [key, level] of levelNames) {
    const found = comparison[key];
    if (found === null) continue;
    const { wins, losses, ties } = found;
    line(
      `Against ${name} on ${level}: ${points(found)} points; better on ${wins}, worse on ${losses}, alike on ${ties}.`,
    );
  }
}

function tellErrors({ line, paint, width }: Output, evaluations: readonly Evaluation[]): void {
  for (const { student, trials } of evaluations) {
    const uncertified = trials.filter(trial => trial.uncertified).length;
    const errors = trials.flatMap(({ error }) => error ?? []);
    const told = `${student}: ${count(errors.length, 'episode')} errored and are in no rate. First: ${errors[0]}`;
    if (errors.length > 0) line(paint.yellow(wrap(told, width, '  ')));
    if (uncertified > 0)
      line(paint.yellow(`${student}: ${count(uncertified, 'episode')} passed, not certified, and are in no rate.`));
  }
}

function tellAttempts({ line, paint }: Output, name: string, { attempts }: LevelEvaluation): void {
  line();
  line(paint.dim(`Several trials, ${name}`));
  const heads = ['k', 'one of k passes', 'all of k pass'].map(head => paint.dim(head));
  const rows = attempts.map(({ k, passAtK, passHatK }) => [String(k), percentText(passAtK), percentText(passHatK)]);
  for (const text of columns([heads, ...rows], [0, 1, 2])) line(`  ${text}`);
}

/** The three channels, and all of them together. */
function tellTrust({ line, paint }: Output, { level, score, channels }: TrustCount): void {
  line();
  line(
    paint.dim(
      `Trust in three channels, ${levelWords[level]}; score ${score.toFixed(2)}, the least channel of each episode`,
    ),
  );
  const k = channels[0]?.attempts?.k ?? null;
  const heads = ['channel', 'holds', ...(k === null ? [] : [`one of ${k}`, `all of ${k}`])];
  const rows = channels.map(({ channel, rate: share, low, high, episodes, attempts }) => [
    channel,
    `${percentText(share)} (${Math.round(100 * low)}–${Math.round(100 * high)}) of ${episodes}`,
    ...(attempts === null ? [] : [percentText(attempts.passAtK), percentText(attempts.passHatK)]),
  ]);
  for (const text of columns([heads.map(head => paint.dim(head)), ...rows])) line(`  ${text}`);
}

function tellParts({ line, paint }: Output, name: string, { apps, templates }: LevelEvaluation): void {
  line();
  line(paint.dim(`By app and template, ${name}`));
  const rows = apps.flatMap(({ app, estimate }) => [
    [paint.bold(app), rate(estimate)],
    ...templates.filter(part => part.app === app).map(part => [`  ${part.template}`, rate(part.estimate)]),
  ]);
  for (const text of columns(rows)) line(`  ${text}`);
}
