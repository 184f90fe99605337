import type { Board, EntrantResult } from '../../analysis/leaderboard/board.ts';
import { costText, costTitles, shownCosts } from '../../analysis/leaderboard/site/texts.ts';
import { makeBoard } from '../../analysis/leaderboard/make-board.ts';
import type { RankCorrelation } from '../../analysis/leaderboard/validity/correlations.ts';
import { validityOf, type Validity } from '../../analysis/leaderboard/validity/validity.ts';
import { estimateText } from '../../analysis/estimate.ts';
import { count } from '../../core/text.ts';
import { readGridConfig, type GridConfig } from '../../runs/leaderboard/grid-config.ts';
import { readGrid } from '../../runs/leaderboard/read-grid.ts';
import { runGrid, type GridRun } from '../../runs/leaderboard/run-grid.ts';
import { writeBoard } from '../../runs/leaderboard/write-board.ts';
import { spentText } from '../../runs/models/spending.ts';
import { packageVersion } from '../../system/about.ts';
import { createSystemHost } from '../../system/workers/host.ts';
import { columns, wrap, type ExitCode, type Output } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { stoppable } from '../terminal/stop.ts';

export interface LeaderboardRequest {
  readonly grid: string;
  readonly out: string;
  readonly workers?: number;
  /** False to write the site from what was run. */
  readonly run: boolean;
  readonly json?: boolean;
}

/** Runs a grid of students, harnesses and environments, and writes its ranking as a static site. */
export async function leaderboard(output: Output, request: LeaderboardRequest): Promise<ExitCode> {
  const { grid: file, out, json = false } = request;
  const config = readGridConfig(file);
  const ran = request.run ? await runCells(output, config, request) : null;
  const grid = await readGrid(out, config, (cells, of) =>
    output.progress(`reading: ${cells} of ${count(of, 'cell')} …`),
  );
  output.progress('');
  const board = makeBoard(grid);
  const validity = validityOf(grid);
  const written = writeBoard(out, { board, grid, validity }, packageVersion());
  if (json) output.json({ ...board, validity });
  else tell(output, board, validity);
  if (!json) for (const path of [written.page, written.figures, written.trials]) output.line(`Written to ${path}`);
  if (ran?.stopped === true)
    output.note(
      'stopped before the end, so this is a part of the board; go on with the same espalier leaderboard again.',
    );
  const isWhole = board.episodes === board.planned && ran?.stopped !== true;
  return isWhole && board.entrants.every(({ honest }) => honest.rate !== null) ? 0 : 1;
}

async function runCells(output: Output, config: GridConfig, request: LeaderboardRequest): Promise<GridRun> {
  const host = createSystemHost(request);
  let onProgress = createProgress(output, host.clock, 'running');
  const ran = await stoppable(output, ({ signal }) =>
    runGrid({
      config,
      folder: request.out,
      host,
      signal,
      onCell({ entrant, environment }, place, of) {
        onProgress = createProgress(output, host.clock, `cell ${place + 1} of ${of}, ${entrant} in ${environment}`);
      },
      onProgress: meter => onProgress(meter),
    }),
  );
  output.progress('');
  if (ran.spent.calls > 0) output.note(spentText(ran.spent));
  if (ran.exhausted !== null) output.note(ran.exhausted);
  return ran;
}

function tell(output: Output, board: Board, validity: Validity | null): void {
  const { line, paint, width } = output;
  const { title, entrants, episodes, tasks, cost, flags } = board;
  line(
    `${paint.bold(title)}: ${count(entrants.length, 'entrant')}, ${count(tasks, 'task')}, ${count(episodes, 'episode')}`,
  );
  line();
  const costs = shownCosts(entrants);
  const heads = ['', 'student', 'harness', 'passed', 'gamed', 'broken', ...costs, 'front'].map(head => paint.dim(head));
  const rows = entrants.map(entrant => [
    rankText(entrant),
    entrant.student,
    entrant.harness,
    estimateText(entrant.honest),
    String(entrant.gamed),
    String(entrant.honest.errored + entrant.honest.uncertified),
    ...costs.map(name => costText(name, entrant.costs[name])),
    entrant.dominated === null && entrant.honest.rate !== null ? '*' : '',
  ]);
  for (const text of columns([heads, ...rows], [4, 5, ...costs.map((_, index) => 6 + index)])) line(text);
  line();
  line(
    paint.dim(
      wrap(
        `Gamed passes count as failures. Ranks in brackets: when tasks are drawn again. Costs are of an episode; the front is against ${costTitles[cost]}.`,
        width,
        '',
      ),
    ),
  );
  const gamed = flags.filter(({ kind }) => kind === 'gamed').length;
  if (flags.length > 0)
    line(
      paint.yellow(
        `Logs: ${count(gamed, 'gamed pass', 'gamed passes')}, ${flags.length - gamed} suspect; see the page.`,
      ),
    );
  if (validity !== null) tellValidity(output, validity);
}

/** Whether the ranking says something about other tasks. */
function tellValidity({ line, paint, width }: Output, { predictions, subsets, warnings }: Validity): void {
  line();
  const heads = ['ranks on', 'and on', 'Spearman', 'Kendall'].map(head => paint.dim(head));
  const rows = predictions.map(({ one, other, spearman, kendall }) => [
    one,
    other,
    correlationText(spearman),
    correlationText(kendall),
  ]);
  if (rows.length > 0) for (const text of columns([heads, ...rows])) line(text);
  const smallest = subsets?.smallest ?? null;
  if (smallest !== null)
    line(
      wrap(
        `${smallest.templates.length} of ${count(smallest.of, 'template')} rank the same: Kendall ${smallest.kendall?.toFixed(2) ?? '–'} on seeds that they were not chosen on.`,
        width,
        '  ',
      ),
    );
  for (const { kind, text } of warnings) line(paint.yellow(wrap(`${kind}: ${text}`, width, '  ')));
  line();
}

function correlationText(found: RankCorrelation | null): string {
  return found === null ? '–' : `${found.value.toFixed(2)} (${found.low.toFixed(2)}…${found.high.toFixed(2)})`;
}

function rankText({ rank, ranks: { low, high } }: EntrantResult): string {
  return `${rank} (${low === high ? low : `${low}–${high}`})`;
}
