import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Cost } from '../../../src/agents/page-search/cost-meter.ts';
import type { TaskResult } from '../search-run.ts';

/** What the agents of an episode have done in forks so far; the last line of a task in a round counts. */
const costSchema = z.object({
  task: z.string(),
  round: z.int(),
  nodes: z.int(),
  steps: z.int(),
  verifierCalls: z.int(),
});
type CostLine = z.infer<typeof costSchema>;

const noCost: Cost = { nodes: 0, steps: 0, verifierCalls: 0 };

/** Adds a line at once: what a study that is killed has spent is known. */
export function addCost(folder: string, line: CostLine): void {
  appendFileSync(costsFile(folder), `${JSON.stringify(line)}\n`);
}

/** All that the episodes of a run and their agents have done in pages. */
export function costOfRun(folder: string, results: readonly TaskResult[]): Cost {
  const inForks = readCosts(folder);
  return sumCosts(
    results.map(({ task, round, steps, verdicts }) =>
      sumCosts([inForks.get(`${round} ${task}`) ?? noCost, { nodes: 0, steps, verifierCalls: verdicts }]),
    ),
  );
}

export function sumCosts(costs: readonly Cost[]): Cost {
  const sum = (pick: (cost: Cost) => number): number => costs.reduce((total, cost) => total + pick(cost), 0);
  return {
    nodes: sum(({ nodes }) => nodes),
    steps: sum(({ steps }) => steps),
    verifierCalls: sum(({ verifierCalls }) => verifierCalls),
  };
}

function readCosts(folder: string): ReadonlyMap<string, Cost> {
  const latest = new Map<string, Cost>();
  const file = costsFile(folder);
  if (!existsSync(file)) return latest;
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = costSchema.safeParse(parsed(text));
    if (line.success) latest.set(`${line.data.round} ${line.data.task}`, line.data);
  }
  return latest;
}

/** A line that was cut by a kill is left out: its episode runs again. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function costsFile(folder: string): string {
  return join(folder, 'costs.jsonl');
}
