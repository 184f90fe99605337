import { join } from 'node:path';
import { defined } from '../../core/json.ts';
import { nothingSpent, type Spent } from '../../models/endpoints/ledger.ts';
import { studentNamed } from '../config/named-agents.ts';
import { evaluateStudents } from '../evaluate-students.ts';
import { openEvaluationStrategy } from '../evaluation/evaluation-strategy.ts';
import type { Host } from '../host/host.ts';
import { requireSuited } from '../jobs/agents.ts';
import type { ProgressCounter } from '../plan/progress-counter.ts';
import { spendingSchema, type SpendingConfig } from '../settings/model-config.ts';
import { modelNamed } from '../settings/model-named.ts';
import { beginGrid, cellsOf, type GridConfig, type PlannedCell } from './grid-config.ts';

export interface RunGridOptions {
  readonly config: GridConfig;
  /** Folder of the board. What it has is not run again. */
  readonly folder: string;
  readonly host: Host;
  readonly signal?: AbortSignal | undefined;
  /** Told before each cell. */
  onCell?(cell: PlannedCell, place: number, of: number): void;
  onProgress?(meter: ProgressCounter): void;
}

export interface GridRun {
  /** Whether it ended before all cells did. */
  readonly stopped: boolean;
  readonly spent: Spent;
  /** Why the budget or an endpoint stopped it; null when neither did. */
  readonly exhausted: string | null;
}

/** Runs every cell that is not complete, each as an evaluation in a folder of its own. */
export async function runGrid(options: RunGridOptions): Promise<GridRun> {
  const { config, folder } = options;
  const cells = cellsOf(config);
  await requireFair(config);
  beginGrid(folder, config);
  const begun = new Set<string>();
  let spent = nothingSpent;
  for (const [place, cell] of cells.entries()) {
    options.onCell?.(cell, place, cells.length);
    const isFirst = !begun.has(cell.environment);
    begun.add(cell.environment);
    const ended = await runCell(options, cell, { spent, baselines: config.baselines && isFirst });
    spent = sum(spent, ended.spent);
    if (ended.stopped || ended.exhausted !== null) return { stopped: true, spent, exhausted: ended.exhausted };
  }
  return { stopped: false, spent, exhausted: null };
}

/** What would be refused in some cell is refused before the first one runs. */
async function requireFair({ students, harnesses, environments }: GridConfig): Promise<void> {
  for (const { student } of students) requireSuited({ student: studentNamed(student), environments });
  for (const { strategy } of harnesses) await openEvaluationStrategy(strategy);
}

interface CellSetting {
  /** By the cells before. */
  readonly spent: Spent;
  readonly baselines: boolean;
}

async function runCell(
  { config, folder, host, signal, onProgress }: RunGridOptions,
  { student: { student, asking }, harness, environment, folder: own }: PlannedCell,
  { spent, baselines }: CellSetting,
): Promise<GridRun> {
  const isModel = modelNamed(student) !== null;
  return evaluateStudents({
    ...config,
    environments: [environment],
    folder: join(folder, own),
    student,
    against: null,
    strategy: harness.strategy,
    asking: isModel ? defined(asking) : {},
    spending: isModel ? left(config.spending, spent) : spendingSchema.parse({}),
    baselines,
    browser: null,
    host,
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

/** What the cells before have left of the budget. */
function left({ dollars, tokens, prices }: SpendingConfig, spent: Spent): SpendingConfig {
  return {
    dollars: dollars === null ? null : Math.max(0, dollars - spent.dollars),
    tokens: tokens === null ? null : Math.max(0, tokens - spent.tokens),
    prices,
  };
}

function sum(one: Spent, other: Spent): Spent {
  return Object.fromEntries(
    Object.entries(one).map(([key, value]) => [key, value + other[key as keyof Spent]]),
  ) as Spent;
}
