import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { actionSchema } from '../../src/core/action.ts';
import { diff } from '../../src/core/diff.ts';
import type { Json } from '../../src/core/json.ts';
import type { SearchReport } from '../../src/agents/page-search/search-agents.ts';
import type { FoundPath } from '../../src/agents/page-search/solution-paths.ts';

/** Null where the state is not known. */
const pathsSchema = z.array(z.string()).nullable();

/** What one search came to. */
const searchSchema = z.object({
  task: z.string(),
  round: z.int(),
  nodes: z.int(),
  /** Nodes that it was allowed; null in logs that do not tell. */
  budget: z.int().nullable().default(null),
  /** What weighed the actions: two searches with the same prior and budget are the same. Null in logs that do not tell. */
  prior: z.string().nullable().default(null),
  /** Nodes until the first solution; null when none was found. */
  nodesToSolve: z.int().nullable(),
  states: z.int(),
  verifierCalls: z.int(),
  walked: z.int(),
  /** Steps and verdicts that ended with an error. */
  failures: z.int(),
  /** Whether the search ended because its time was over. */
  isOverdue: z.boolean(),
  /** Steps of the path, the finish left out; null when none was found. */
  steps: z.int().nullable(),
  /** Steps of the path as it was found. */
  foundSteps: z.int().nullable(),
  /** Paths of the app's state that the solution changes. */
  changes: pathsSchema,
  /** Paths of the state that the task passes without changing: another way to solve it leaves them alone. */
  needless: z.array(z.string()),
  /** Values that the instruction gives and that the path leaves out: it does less than asked. */
  missing: z.array(z.string()).default([]),
  /** Other ways to solve it. */
  others: z.array(z.object({ actions: z.array(actionSchema), changes: pathsSchema, needless: z.array(z.string()) })),
});
export type SearchEntry = z.infer<typeof searchSchema>;

/** More paths say little more. */
const mostPaths = 50;

type Searched = Pick<SearchEntry, 'task' | 'round' | 'budget' | 'prior'>;

export function entryOf(report: SearchReport, { task, round, budget, prior }: Searched): SearchEntry {
  const { path, found, others, start, missing, nodes, nodesToSolve, states, verifierCalls, walked, failures } = report;
  const { isOverdue } = report;
  const changesOf = (one: FoundPath | null) => changedPaths(start, one?.state ?? null);
  const ways = [path, ...others, found].map(changesOf);
  // What every way changes is needed, as far as is known.
  const needlessIn = (changes: readonly string[] | null): string[] =>
    (changes ?? []).filter(one => ways.some(way => way !== null && !way.includes(one))).slice(0, mostPaths);
  const changes = changesOf(path);
  return {
    task,
    round,
    nodes,
    budget,
    prior,
    nodesToSolve,
    states,
    verifierCalls,
    walked,
    failures,
    isOverdue,
    steps: path?.steps.length ?? null,
    foundSteps: found?.steps.length ?? null,
    changes: changes?.slice(0, mostPaths) ?? null,
    needless: needlessIn(changes),
    missing: [...missing],
    others: others.map(other => {
      const changed = changesOf(other);
      const actions = other.steps.map(({ action }) => action);
      return { actions, changes: changed?.slice(0, mostPaths) ?? null, needless: needlessIn(changed) };
    }),
  };
}

function changedPaths(before: string | null, after: string | null): readonly string[] | null {
  if (before === null || after === null || before === '' || after === '') return null;
  return diff(JSON.parse(before) as Json, JSON.parse(after) as Json).map(({ path }) => path);
}

/** Adds a line at once: a study that is killed keeps what it has. */
export function addEntry(file: string, entry: SearchEntry): void {
  appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/** The last search of each task in each round. A line that was cut by a kill is left out: its episode runs again. */
export function readEntries(file: string): readonly SearchEntry[] {
  if (!existsSync(file)) return [];
  const latest = new Map<string, SearchEntry>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const entry = searchSchema.safeParse(parsed(line));
    if (entry.success) latest.set(`${entry.data.round} ${entry.data.task}`, entry.data);
  }
  return [...latest.values()];
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
