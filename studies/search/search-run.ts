import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { addEntry, entryOf, readEntries, type SearchEntry } from './search-log.ts';
import type { Action } from '../../src/core/action.ts';
import { describeLack, lacksCertificate, type Certifiable } from '../../src/core/episode/certificate.ts';
import type { Policy } from '../../src/core/episode/agents.ts';
import type { EpisodeEnd } from '../../src/core/episode/events.ts';
import { foldEpisode, type EpisodeRecord } from '../../src/core/episode/record.ts';
import { createSearchPolicy } from '../../src/agents/page-search/search-agents.ts';
import { openSearch } from '../../src/runs/agents/search/search-config.ts';
import type { AppMap } from '../../src/agents/page-search/app-map.ts';
import type { FeatureWeights } from '../../src/agents/page-search/words/feature-weights.ts';
import { collectRun } from '../../src/runs/collect.ts';
import { readConfig, type ConfigDraft } from '../../src/runs/config/config.ts';
import { openRun } from '../../src/runs/folder/folder.ts';
import type { GivenParts } from '../../src/runs/host/given.ts';
import type { Host } from '../../src/runs/host/host.ts';
import type { ProgressCounter } from '../../src/runs/plan/progress-counter.ts';
import type { StudyApp } from './study-apps.ts';

/** Who solves tasks: the search, guided by a student or by words alone; paths that it found before; or a student without search. */
export type Solver =
  | {
      readonly kind: 'search';
      readonly nodes: number;
      /** Nodes of tasks that have others. */
      readonly budgets?: ReadonlyMap<string, number>;
      readonly guide: Guide | null;
      /** What a tour of the app found; null for none. */
      readonly map: AppMap | null;
      /** Longest search of a task; null for no limit. */
      readonly seconds: number | null;
      /** Different paths to look for. */
      readonly solutions: number;
    }
  | { readonly kind: 'paths'; readonly paths: ReadonlyMap<string, readonly Action[]> }
  | { readonly kind: 'student'; readonly file: string }
  | AgentSolver;

/** Any agents, as a config names them. */
export interface AgentSolver extends Pick<ConfigDraft, 'student' | 'teacher' | 'strategy' | 'limits'> {
  readonly kind: 'agents';
  /** Those that the config calls objects. */
  readonly given?: GivenParts;
}

/** A student beside words, and what its probabilities weigh. */
export interface Guide {
  /** As `search:<nodes>,<guide>` takes it. */
  readonly file: string;
  /** Tells it from others. */
  readonly name: string;
  readonly weight: number;
  /** What features of words count; null for what was set by hand. */
  readonly features: FeatureWeights | null;
}

export interface SearchRunOptions {
  /** Folder of the run of this app. */
  readonly folder: string;
  readonly app: StudyApp;
  readonly round: number;
  readonly tasks: readonly string[];
  readonly solver: Solver;
  readonly seed: number;
  /** Pages at once. */
  readonly pages: number;
  readonly host: Host;
  readonly signal: AbortSignal;
  /** When the work has to end, by the clock: no other task is begun then. A search that was cut would count as one that failed. */
  readonly end: number;
  onProgress(counter: ProgressCounter): void;
  onSearch(entry: SearchEntry): void;
}

/** What became of a task in one round. */
export interface TaskResult {
  readonly task: string;
  readonly round: number;
  readonly outcome: 'passed' | 'failed' | 'discarded' | 'errored';
  /** Passed, and replayed in a fresh page with the same result. */
  readonly isCertified: boolean;
  /** Steps of the episode, the finish included. */
  readonly steps: number;
  /** Times that the episode itself asked the verifier; its agents are not counted. */
  readonly verdicts: number;
  /** What broke; null when nothing did. */
  readonly problem: string | null;
  /** Null for a student without search. */
  readonly search: SearchEntry | null;
}

/** Solves tasks of an app as one round of a run: journalled, certified, and gone on with where it stopped. False when stopped, not at its end. */
export async function runSolver(options: SearchRunOptions): Promise<boolean> {
  const { folder, app, round, tasks, solver, seed, pages, host, signal, end, onProgress } = options;
  mkdirSync(folder, { recursive: true });
  const { kind: _kind, given, ...agents } = solver.kind === 'agents' ? solver : await agentsOf(solver, options);
  const config = readConfig(
    { run: app.id, environments: [app.name], tasks: [...tasks], round, seed, concurrency: pages, ...agents },
    'the study',
  );
  const mayBegin = (): boolean => host.clock.now() < end;
  const { stopped } = await collectRun({ config, folder, host, given, signal, mayBegin, onProgress });
  return !stopped || (!signal.aborted && !mayBegin());
}

async function agentsOf(solver: Exclude<Solver, AgentSolver>, options: SearchRunOptions): Promise<AgentSolver> {
  const strategy = { kind: 'linear' };
  if (solver.kind === 'student')
    return { kind: 'agents', student: { kind: 'learned', file: solver.file, temperature: 0 }, strategy };
  const policy = await policyOf(solver, options);
  return { kind: 'agents', student: { kind: 'object', name: 'search' }, strategy, given: { policy } };
}

/** Walks a path that a search has found before, and finishes. */
function createPathPolicy(actions: readonly Action[]): Policy {
  return {
    name: 'search',
    privileged: true,
    needs: 'forks',
    act: ({ path }) => ({ action: actions[path.length] ?? { kind: 'finish' } }),
  };
}

type PolicyFor = (head: { readonly task: { readonly id: string } } | null) => Policy;

async function policyOf(
  solver: Exclude<Solver, { kind: 'student' | 'agents' }>,
  { folder, round, host: { clock }, onSearch }: SearchRunOptions,
): Promise<PolicyFor> {
  if (solver.kind === 'paths') return head => createPathPolicy(solver.paths.get(head?.task.id ?? '') ?? []);
  const { nodes, budgets, guide, map, seconds, solutions } = solver;
  const prior = priorName(guide, map);
  const { file = null, weight = 0, features = null } = guide ?? {};
  const make = await openSearch({ kind: 'search', nodes, guide: file, weight }, { features, map });
  const startTime = (): (() => boolean) => {
    const end = seconds === null ? Infinity : clock.now() + 1000 * seconds;
    return () => clock.now() >= end;
  };
  return head => {
    const task = head?.task.id ?? '';
    const budget = budgets?.get(task) ?? nodes;
    return createSearchPolicy({
      ...make(),
      nodes: budget,
      solutions,
      startTime,
      onSearch(report) {
        const entry = entryOf(report, { task, round, budget, prior });
        addEntry(searchesFile(folder), entry);
        onSearch(entry);
      },
    });
  };
}

/** Tells searches with different priors apart: a student without weight and without learned words changes nothing. */
export function priorName(guide: Guide | null, map: AppMap | null = null): string {
  const mapped = map === null ? '' : ' and map';
  if (guide === null || (guide.weight === 0 && guide.features === null)) return `words${mapped}`;
  const words = `${guide.features === null ? 'words' : 'learned words'}${mapped}`;
  return `${words} and ${guide.name}, weight ${guide.weight}`;
}

function searchesFile(folder: string): string {
  return join(folder, 'searches.jsonl');
}

/** Everything that a run has solved or tried so far, in the order of its episodes. */
export function readResults(folder: string): readonly TaskResult[] {
  const searches = new Map(readEntries(searchesFile(folder)).map(entry => [`${entry.round} ${entry.task}`, entry]));
  const store = openRun(folder);
  try {
    const results: TaskResult[] = [];
    for (const stored of store.episodes({ phase: 'collect' })) {
      const record = foldEpisode(stored);
      const { head, end } = record;
      results.push({
        task: head.task.id,
        round: head.round,
        outcome: end.outcome,
        isCertified: end.outcome === 'passed' && end.leaf !== null && !lacksCertificate(record, end.leaf),
        steps: end.counts.taken,
        verdicts: verdictsOf(record),
        problem: problemOf(record),
        search: searches.get(`${head.round} ${head.task.id}`) ?? null,
      });
    }
    return results;
  } finally {
    store.close();
  }
}

/** The verifier is asked about every finish, and about an end without one. */
function verdictsOf({ tree, end }: EpisodeRecord): number {
  const finishes = tree.leaves().filter(({ outcome }) => outcome.end === 'terminated');
  const isAtFinish = finishes.some(({ id }) => id === end.leaf);
  return finishes.length + (end.verdict !== null && !isAtFinish ? 1 : 0);
}

type Ended = Pick<EpisodeEnd, 'outcome' | 'leaf' | 'boundary' | 'message' | 'certification'>;

/** What broke. A path that passed and has no certificate is not counted as solved: without the reason it would be lost without a word. */
export function problemOf(record: Certifiable & { readonly end: Ended }): string | null {
  const { outcome, leaf, boundary, message } = record.end;
  if (boundary !== null) return `${boundary}: ${message ?? ''}`;
  if (outcome !== 'passed' || leaf === null || !lacksCertificate(record, leaf)) return null;
  return `passed, but is not certified: ${describeLack(record, leaf)}`;
}
