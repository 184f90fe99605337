import { browserBench } from './browser.ts';
import { collectBench } from './collect.ts';
import { containBench } from './contain/contain.ts';
import { exportBench } from './export.ts';
import { forkBench } from './fork.ts';
import { mailBench } from './mail.ts';
import type { Bench, BenchFolders, Figure } from './measure.ts';
import { miniwobBench } from './miniwob.ts';
import { modelsBench } from './models/models.ts';
import { plannerBench } from './planner.ts';
import { rollbackBench } from './rollback.ts';
import { soakBench } from './soak.ts';
import { storeBench } from './store.ts';
import { waiBench } from './wai.ts';

const benches: readonly Bench[] = [
  mailBench,
  forkBench,
  rollbackBench,
  plannerBench,
  storeBench,
  exportBench,
  collectBench,
  browserBench,
  waiBench,
  miniwobBench,
  containBench,
  soakBench,
  modelsBench,
];

/** What can be asked for: a group, or a figure. */
export const benchNames: readonly string[] = benches.flatMap(({ group, figures }) => [group, ...figures]);

export interface BenchRun {
  /** Groups or figures; a figure is measured together with its group. */
  readonly names: readonly string[];
  readonly folders: BenchFolders;
  onResult(figure: Figure): void;
}

export async function runBenches({ names, folders, onResult }: BenchRun): Promise<void> {
  for (const { group, figures, onDemand, run } of benches) {
    const isDue = names.length === 0 && onDemand !== true;
    const wanted = (name: string): boolean =>
      isDue || names.includes(group) || names.includes(name) || names.includes(name.split(' ', 1)[0] as string);
    if (!figures.some(wanted)) continue;
    for await (const result of run(folders)) if (wanted(result.name)) onResult(result);
  }
}
