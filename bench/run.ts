import { collectBench } from './collect.ts';
import { exportBench } from './export.ts';
import { forkBench } from './fork.ts';
import { mailBench } from './mail.ts';
import type { Bench, Figure } from './measure.ts';
import { plannerBench } from './planner.ts';
import { rollbackBench } from './rollback.ts';
import { storeBench } from './store.ts';

const benches: readonly Bench[] = [
  mailBench,
  forkBench,
  rollbackBench,
  plannerBench,
  storeBench,
  exportBench,
  collectBench,
];

/** What can be asked for: a group, or a figure. */
export const benchNames: readonly string[] = benches.flatMap(({ group, figures }) => [group, ...figures]);

export interface BenchRun {
  /** Groups or figures; a figure is measured together with its group. */
  readonly names: readonly string[];
  onResult(figure: Figure): void;
}

export async function runBenches({ names, onResult }: BenchRun): Promise<void> {
  for (const { group, figures, run } of benches) {
    const wanted = (name: string): boolean => names.length === 0 || names.includes(group) || names.includes(name);
    if (!figures.some(wanted)) continue;
    for await (const result of run()) if (wanted(result.name)) onResult(result);
  }
}
