import { existsSync, readFileSync } from 'node:fs';
import { invalidOption } from '../../core/errors.ts';
import { count } from '../../core/text.ts';
import { taskRungs } from '../../forge/pool/admit-task.ts';
import type { Skill } from '../../forge/pool/curriculum.ts';
import { forgeTasks, writeTasks, type ForgeResult, type TrialOptions } from '../../runs/forge.ts';
import { spendingSchema } from '../../runs/settings/model-config.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { columns, wrap, type ExitCode, type Output } from '../terminal/output.ts';

export interface ForgeRequest {
  readonly app: string;
  readonly out: string;
  readonly seeds: number;
  readonly nodes: number;
  readonly student?: string;
  readonly band?: readonly [number, number];
  readonly trials?: number;
  readonly curriculum?: boolean;
  /** A file with a query a line. */
  readonly queries?: string;
  readonly budgetDollars?: number;
  readonly budgetTokens?: number;
  readonly json?: boolean;
}

const defaultTrials = 8;

export async function forge(output: Output, request: ForgeRequest): Promise<ExitCode> {
  const { app, seeds, nodes, out, json = false } = request;
  let admitted = 0;
  const result = await forgeTasks({
    app,
    seeds,
    nodes,
    queries: request.queries === undefined ? undefined : readQueries(request.queries),
    student: studentOf(request),
    models: { host: createSystemHost(), folder: out, spending: spendingSchema.parse(budgetOf(request)) },
    onTask({ done, all, template, admission }) {
      if (admission.admitted) admitted++;
      if (json) output.json({ kind: 'task', template, ...admission });
      output.progress(`forging ${template} (${done} of ${all}, ${admitted} admitted) …`);
    },
  });
  output.progress('');
  const tried = result.tasks.length + result.dropped.length;
  if (!json) {
    tellQueries(output, result);
    tellDropped(output, result);
  }
  if (result.tasks.length === 0) {
    if (json) output.json({ kind: 'forged', tried, admitted: 0 });
    else output.line(`${output.paint.red(output.paint.bold('nothing admitted'))}  ${count(tried, 'task')} tried`);
    return 1;
  }
  const path = await writeTasks(out, result);
  const { tasks, templates, coverage, skills, noise } = result;
  if (json)
    output.json({
      kind: 'forged',
      path,
      tried,
      admitted: tasks.length,
      templates,
      coverage,
      skills,
      noise,
      queries: result.queries,
    });
  else tellResult(output, result, { path, out });
  return 0;
}

/** A query a line; empty lines, and lines that begin with #, are left out. */
function readQueries(path: string): readonly string[] {
  if (!existsSync(path)) throw invalidOption(`There is no file ${path}.`, 'Expected a text file with a query a line.');
  const lines = readFileSync(path, 'utf8').split('\n');
  const queries = lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'));
  if (queries.length > 0) return queries;
  throw invalidOption(`${path} has no query.`, 'Expected a query a line, such as: Lend a book to a reader.');
}

/** What became of each query. */
function tellQueries({ line, paint, width }: Output, { queries }: ForgeResult): void {
  if (queries === null) return;
  line(paint.dim('Queries'));
  for (const match of queries) {
    const what = 'template' in match ? match.template : paint.red(match.problem);
    line(`  ${wrap(`“${match.query}” → ${what}`, width - 2, '    ')}`);
  }
  line();
}

function budgetOf({ budgetDollars, budgetTokens }: ForgeRequest): object {
  return { dollars: budgetDollars ?? null, tokens: budgetTokens ?? null };
}

function studentOf({ student, band, trials, curriculum = false }: ForgeRequest): TrialOptions | undefined {
  if (student !== undefined) return { name: student, band, trials: trials ?? defaultTrials, curriculum };
  const flag = band !== undefined ? '--band' : trials !== undefined ? '--trials' : curriculum ? '--curriculum' : null;
  if (flag === null) return undefined;
  throw invalidOption(`${flag} was given, but no student.`, 'Name one, such as --student runs/one/student.json.');
}

/** Says how many tasks each rung dropped, and why. */
function tellDropped(output: Output, { dropped, tasks }: ForgeResult): void {
  const { paint } = output;
  // Without a student nobody was asked for a pass rate.
  const asked = Object.keys(taskRungs).filter(
    rung => rung !== 'pass rate in band' || dropped.some(fall => fall.rung === rung),
  );
  const rows = asked.map(rung => {
    const here = dropped.filter(fall => fall.rung === rung);
    const [first] = here;
    return [rung, String(here.length), paint.dim(first === undefined ? '' : `${first.template}: ${first.detail}`)];
  });
  output.line(paint.dim('Dropped, by rung'));
  for (const line of columns(rows, [1])) output.line(`  ${wrap(line, output.width - 2, '    ')}`);
  output.line(`  ${paint.bold('admitted')}  ${tasks.length}`);
  output.line();
}

function tellResult(output: Output, result: ForgeResult, { path, out }: { path: string; out: string }): void {
  const { paint } = output;
  const { tasks, templates, steps, skills, noise } = result;
  if (skills !== null) tellSkills(output, skills);
  if (noise !== null && noise.next > noise.level) {
    const advice = `The student passes ${percent(noise.passRate)} at noise level ${noise.level}: go on with noise=${noise.next}.`;
    output.line(advice);
    output.line();
  }
  tellCoverage(output, result);
  for (const { template, instruction } of tasks.slice(0, 3)) {
    output.line(`  ${paint.bold(template)}`);
    output.line(paint.dim(`  ${wrap(`“${instruction}”`, output.width - 2, '  ')}`));
  }
  output.line();
  const longest = Math.max(...steps);
  output.line(
    `${paint.green(paint.bold('forged'))}  ${count(tasks.length, 'task')} of ${templates.admitted} of ${count(templates.all, 'template')}, up to ${count(longest, 'step')}: ${path}`,
  );
  output.line(paint.dim(`Next: espalier collect forge:${out} --out runs/forged`));
}

const mostSkills = 8;

/** What the student should train on next. */
function tellSkills(output: Output, skills: readonly Skill[]): void {
  const frontier = skills.filter(({ isFrontier }) => isFrontier);
  output.line(
    output.paint.dim(
      `Between never and always: ${frontier.length} of ${count(skills.length, 'template')}, weakest first`,
    ),
  );
  const rows = frontier
    .slice(0, mostSkills)
    .map(({ template, passRate, tries }) => [template, percent(passRate ?? 0), `of ${count(tries, 'task')}`]);
  for (const line of columns(rows, [1])) output.line(`  ${line}`);
  output.line();
}

function tellCoverage(output: Output, { coverage }: ForgeResult): void {
  const { commands, controls, screens } = coverage;
  const rows = Object.entries({ commands, controls, screens }).map(([what, { used, known, missing }]) => [
    what,
    percent(known === 0 ? 0 : used / known),
    `${used} of ${known}`,
    output.paint.dim(
      missing.length === 0 ? '' : `not used: ${missing.slice(0, 3).join('; ')}${missing.length > 3 ? ' …' : ''}`,
    ),
  ]);
  output.line(output.paint.dim('Coverage of the app'));
  for (const line of columns(rows, [1])) output.line(`  ${wrap(line, output.width - 2, '    ')}`);
  output.line();
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
