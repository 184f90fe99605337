import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { diff } from '../../../core/diff.ts';
import type { Json } from '../../../core/json.ts';
import type { SearchReport } from '../../../policies/search/search-agents.ts';

/** What one search came to. */
const searchSchema = z.object({
  task: z.string(),
  round: z.int(),
  nodes: z.int(),
  states: z.int(),
  verifierCalls: z.int(),
  walked: z.int(),
  /** Steps of the path, the finish left out; null when none was found. */
  steps: z.int().nullable(),
  /** Steps of the path as it was found. */
  foundSteps: z.int().nullable(),
  /** Paths of the app's state that the solution changes; null where the state is not known. */
  changes: z.array(z.string()).nullable(),
  /** Paths that only the longer way changed, before needless steps were left out. */
  needless: z.array(z.string()),
});
export type SearchEntry = z.infer<typeof searchSchema>;

/** More paths say little more. */
const mostPaths = 50;

export function entryOf(report: SearchReport, { task, round }: Pick<SearchEntry, 'task' | 'round'>): SearchEntry {
  const { path, found, start, nodes, states, verifierCalls, walked } = report;
  const changes = changedPaths(start, path?.state ?? null);
  const known = new Set(changes);
  const needless = (changedPaths(start, found?.state ?? null) ?? []).filter(one => !known.has(one));
  return {
    task,
    round,
    nodes,
    states,
    verifierCalls,
    walked,
    steps: path?.steps.length ?? null,
    foundSteps: found?.steps.length ?? null,
    changes: changes?.slice(0, mostPaths) ?? null,
    needless: needless.slice(0, mostPaths),
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
