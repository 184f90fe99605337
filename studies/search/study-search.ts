import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import { invalidOption } from '../../src/core/errors.ts';
import { count } from '../../src/core/text.ts';
import { writeWhole } from '../../src/runs/folder/folder.ts';
import { arms, runSearchStudy, type SearchStudy } from './search-study.ts';
import type { StudyApp } from './study-apps.ts';
import type { SearchStudyChoices } from './study-choices.ts';
import { aboutArm, reportText } from './study-report.ts';
import { resumeStudy } from './study-stages.ts';
import { budgets, tableOf, type KindRow, type StudyTable } from './study-table.ts';
import type { StudyProgress } from './study-progress.ts';
import { comparisonCells, comparisonTable, comparisonText, type ComparisonTable } from './arms/comparison-table.ts';
import { runComparison, type Comparison } from './arms/comparison.ts';
import { compareSeeds } from './arms/seeds.ts';
import { differenceTexts, seedsCells, seedsTable, seedsText, type SeedsTable } from './arms/seeds-table.ts';
import type { Host } from '../../src/runs/host/host.ts';
import { createSystemHost } from '../../src/system/workers/host.ts';
import { columns, type ExitCode, type Output } from '../../src/cli/terminal/output.ts';
import { durationText } from '../../src/cli/terminal/progress.ts';
import { stoppable } from '../../src/cli/terminal/stop.ts';

export interface SearchStudyRequest {
  readonly environments: readonly string[];
  readonly out: string;
  readonly apps?: readonly string[];
  readonly tasks?: readonly string[];
  readonly most?: number;
  readonly nodes?: number;
  readonly taskSeconds?: number;
  readonly minutes?: number;
  readonly solutions?: number;
  readonly rounds?: number;
  readonly deepen?: number;
  readonly guide?: string;
  readonly weight?: number;
  readonly teach?: string;
  readonly tour?: number;
  readonly seed?: number;
  readonly seeds?: number;
  readonly holdOut?: readonly string[];
  readonly pages: number;
  readonly resume?: boolean;
  readonly compare?: boolean;
  readonly json?: boolean;
}

/** Sums over many rows take long, and are no user's code. */
const beside = [new URL('./', import.meta.url).href];

/** Searches the tasks of apps, trains a student on what passed, and writes a table. */
export async function studySearch(output: Output, request: SearchStudyRequest): Promise<ExitCode> {
  const { out, pages, json = false } = request;
  const choices = request.resume === true ? resumedChoices(output, request) : newChoices(request);
  const host = createSystemHost({ workers: 0 });
  const onProgress = createStudyProgress(output, host.clock);
  const clicked = new Map<string, number>();
  const onTour = ({ id }: StudyApp, clicks: number): void => {
    const all = clicked
      .set(id, clicks)
      .values()
      .reduce((sum, own) => sum + own, 0);
    output.progress(
      clicked.size === 1 ? `tour of ${id}: ${all} clicks` : `tours of ${clicked.size} apps: ${all} clicks`,
    );
  };
  if (choices.compare === true) return compareArms(output, { ...request, choices, host, onProgress, onTour });
  const onResults = (study: SearchStudy): void => writeTable(out, tableOf(study));
  const given = { choices, folder: out, pages, host, onProgress, onTour, onResults };
  const found = await stoppable(output, ({ signal }) => runSearchStudy({ ...given, signal }), { beside });
  output.progress('');
  const table = tableOf(found);
  if (json) output.json({ ...table });
  else tell(output, table, out);
  if (!found.isComplete) output.note(`stopped; espalier study wai --out ${out} --resume goes on.`);
  return found.isComplete && table.trajectories > 0 ? 0 : 1;
}

interface CompareRequest extends Pick<SearchStudyRequest, 'out' | 'pages' | 'json'> {
  readonly choices: SearchStudyChoices;
  readonly host: Host;
  onProgress(progress: StudyProgress): void;
  onTour(app: StudyApp, clicks: number): void;
}

/** Compares search alone, imitation and SRC at equal cost. */
async function compareArms(output: Output, { out, json = false, ...request }: CompareRequest): Promise<ExitCode> {
  const { seeds } = request.choices;
  const told = seeds === undefined ? toldOnce : toldOfSeeds(seeds);
  const onResults = (found: readonly Comparison[]): void => {
    const { table, text } = told(found);
    writeWhole(join(out, 'compare.json'), `${JSON.stringify(table, null, 2)}\n`);
    writeWhole(join(out, 'compare.md'), text);
  };
  const compare = async ({ signal }: AbortController): Promise<readonly Comparison[]> => {
    const options = { ...request, folder: out, signal };
    if (seeds !== undefined) return compareSeeds({ ...options, onResults });
    return [await runComparison({ ...options, onResults: now => onResults([now]) })];
  };
  const found = await stoppable(output, compare, { beside });
  output.progress('');
  const { table, lines } = told(found);
  if (json) output.json({ ...table });
  else {
    for (const text of lines) output.line(text);
    output.line();
    output.line(`${output.paint.bold('Report:')} ${join(out, 'compare.md')}`);
  }
  if (!table.isComplete) output.note(`stopped; espalier study wai --out ${out} --resume goes on.`);
  return table.isComplete && found.some(({ collected }) => collected.start.rows + collected.search.rows > 0) ? 0 : 1;
}

/** What a comparison writes down and says. */
interface ToldComparison {
  readonly table: ComparisonTable | SeedsTable;
  readonly text: string;
  readonly lines: readonly string[];
}

function toldOnce([comparison]: readonly Comparison[]): ToldComparison {
  const table = comparisonTable(comparison as Comparison);
  const lines = columns(comparisonCells(table), [2, 3, 4, 5, 6, 9]);
  return { table, text: comparisonText(table), lines };
}

function toldOfSeeds(seeds: number): (comparisons: readonly Comparison[]) => ToldComparison {
  return comparisons => {
    const table = seedsTable(comparisons, seeds);
    const lines = [...columns(seedsCells(table), [2, 3, 4, 6, 8]), '', ...differenceTexts(table)];
    return { table, text: seedsText(table), lines };
  };
}

function writeTable(out: string, table: StudyTable): void {
  writeWhole(join(out, 'study.json'), `${JSON.stringify(table, null, 2)}\n`);
  writeWhole(join(out, 'report.md'), reportText(table));
}

const millisecondsLive = 500;
const millisecondsNoted = 30_000;

/** Tells how far a study is: often on a terminal, now and then elsewhere. */
function createStudyProgress(output: Output, clock: Clock): (progress: StudyProgress) => void {
  const pause = output.isLive ? millisecondsLive : millisecondsNoted;
  let next = 0;
  return progress => {
    if (clock.now() < next) return;
    next = clock.now() + pause;
    if (output.isLive) output.progress(progressText(progress));
    else output.note(progressText(progress));
  };
}

/** `round 1, gmail: 12 of 180 tasks · 7 solved · 6.1 nodes/s · about 40 min left`. */
function progressText({ phase, app, tasks, done, solved, nodesPerSecond, secondsLeft }: StudyProgress): string {
  return [
    `${phase}, ${app}: ${done} of ${count(tasks, 'task')}`,
    `${solved} solved`,
    `${nodesPerSecond.toFixed(1)} nodes/s`,
    ...(secondsLeft === null ? [] : [`about ${durationText(secondsLeft)} left`]),
  ].join(' · ');
}

/** The choices of a study that goes on; says what is not as it was. */
function resumedChoices(output: Output, request: SearchStudyRequest): SearchStudyChoices {
  const { environments, out, tasks, apps, most, nodes, taskSeconds, minutes, solutions, rounds, deepen } = request;
  const { guide, weight, tour, teach, seed, seeds } = request;
  const asked = {
    apps,
    kinds: tasks,
    most,
    nodes,
    taskSeconds,
    minutes,
    solutions,
    rounds,
    deepen,
    guide,
    weight,
    tour,
    teach,
    seed,
    seeds,
  };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const [place] = environments;
  const { choices, changes } = resumeStudy(out, {
    ...given,
    ...(place === undefined ? {} : { place }),
    ...(request.holdOut === undefined ? {} : { holdOut: request.holdOut }),
  });
  const what = changes.length === 0 ? 'with the options it has' : `with ${changes.join('; ')}`;
  output.note(`The study in ${out} goes on ${what}.`);
  return choices;
}

function newChoices(request: SearchStudyRequest): SearchStudyChoices {
  const { environments, apps, tasks, most, nodes = 100, taskSeconds, minutes, solutions = 2, rounds = 2 } = request;
  const { deepen = 3, holdOut = [], compare = false, guide, weight, tour = 200, teach, seed = 1, seeds } = request;
  const [place, other] = environments;
  if (place === undefined || other !== undefined)
    throw invalidOption(
      `${count(environments.length, 'folder')} given to study.`,
      'Expected one: espalier study wai <folder of apps>, or an environment such as miniwob:<folder>.',
    );
  if (teach !== undefined && !compare)
    throw invalidOption(
      'search.teach names the student of a comparison, and there is no --compare.',
      'Add --compare, or leave it out: a study of rounds takes a model as search.guide.',
    );
  if (seeds !== undefined && !compare)
    throw invalidOption('--seeds is of comparisons, and there is no --compare.', 'Add --compare, or leave it out.');
  return {
    place,
    apps: apps ?? null,
    kinds: tasks ?? null,
    most: most ?? null,
    nodes,
    taskSeconds: taskSeconds ?? null,
    minutes: minutes ?? null,
    // A comparison trains on one solution of each task in all arms.
    solutions: compare ? 1 : solutions,
    rounds,
    holdOut,
    seed,
    ...(compare ? { compare } : { deepen }),
    tour,
    ...(guide === undefined ? {} : { guide }),
    ...(weight === undefined ? {} : { weight }),
    ...(teach === undefined ? {} : { teach }),
    ...(seeds === undefined ? {} : { seeds }),
  };
}

function tell(output: Output, table: StudyTable, out: string): void {
  const { paint, line } = output;
  line(
    `${paint.bold(String(table.trajectories))} certified trajectories on ${table.tasksSolved} of ${count(table.tasksTried, 'training task')}, ${count(table.rows, 'row')}`,
  );
  line(paint.dim(`${table.nodes} nodes, ${table.verifierCalls} verifier calls, ${table.walked} pages walked again`));
  tellRows(output, 'training tasks', table.training);
  for (const arm of arms) tellRows(output, `held out, ${aboutArm[arm]}`, table.heldOut[arm]);
  if (table.leftOut.length > 0) line(`left out: ${count(table.leftOut.length, 'task')} with a bad verifier`);
  line();
  line(`${paint.bold('Report:')} ${join(out, 'report.md')}`);
}

function tellRows({ paint, line }: Output, title: string, rows: readonly KindRow[]): void {
  if (rows.length === 0) return;
  line();
  const heads = [title, 'kind', 'tried', 'solved', ...budgets.map(most => `≤ ${most}`)].map(head => paint.dim(head));
  const cells = rows.map(({ app, kind, tried, solved, within }) => [
    app,
    kind,
    ...[tried, solved, ...within].map(String),
  ]);
  for (const text of columns([heads, ...cells], [2, 3, 4, 5, 6])) line(text);
}
