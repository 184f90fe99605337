import type { Action } from '../../core/action.ts';
import type { Session } from '../../core/contracts.ts';
import type { Review, SearchingPolicy, SearchingTeacher } from '../../core/episode/agents.ts';
import { createCostMeter, type CostMeter } from './cost-meter.ts';
import type { FoundStep } from './explorer.ts';
import { searchTree, type SearchResult } from './levin-search.ts';
import type { Prior } from './prior.ts';
import { chooseWay, createMissingValues } from './named-values.ts';
import { shortenPath } from './shorten-path.ts';
import type { FoundPath } from './solution-paths.ts';

export interface SearchAgentOptions {
  readonly prior: Prior;
  /** Actions that each search may try. */
  readonly nodes: number;
  /** Different paths that the policy looks for; it walks the first. 1 unless told. */
  readonly solutions?: number;
  /** Begins the time of one search; the answer says whether it is over. Without it only the nodes count. */
  startTime?(): () => boolean;
  /** Told of every search that the policy made. */
  onSearch?(report: SearchReport): void;
  /** Counts everything that is done in pages; once its limit is reached, nothing is searched any more. */
  readonly meter?: CostMeter;
}

export interface SearchReport extends SearchResult {
  /** The path as it was found, before needless steps were left out. */
  readonly found: FoundPath | null;
  /** What the verifier read where the search began; null where the session does not say. */
  readonly start: string | null;
  /** Values that the instruction gives and that the path leaves out, though the verifier passes. */
  readonly missing: readonly string[];
}

/** Longer paths are not tried. */
const mostSteps = 12;
const temperatures = [1, 2] as const;

/** Finds a path that passes, and walks it: demonstrations without a model. It knows the verdict of states, and no state. */
export function createSearchPolicy(options: SearchAgentOptions): SearchingPolicy {
  let path: readonly FoundStep[] = [];
  return {
    name: 'search',
    privileged: true,
    needs: 'forks',
    patient: true,
    async act({ observation, path: walked }, session) {
      const next = path[walked.length];
      if (next !== undefined && next.screen === observation.text) return { action: next.action };
      const counted = options.meter?.count(session) ?? session;
      const isAtEnd = walked.length > 0 && walked.length === path.length;
      if (isAtEnd && (await counted.verify()).pass) return { action: { kind: 'finish' } };
      const found = await search(counted, options);
      if (found === null) return { action: { kind: 'finish', infeasible: true } };
      path = [...walked.map(({ action, text, screen }) => ({ action, text, screen })), ...found];
      return { action: found[0]?.action ?? { kind: 'finish' } };
    },
  };
}

/** Searches in a session whose costs are counted. */
async function search(
  session: Session,
  { prior, nodes, solutions = 1, startTime, onSearch, meter = createCostMeter() }: SearchAgentOptions,
): Promise<readonly FoundStep[] | null> {
  if (meter.isSpent()) return null;
  const isLate = startTime?.() ?? (() => false);
  const isOverdue = (): boolean => isLate() || meter.isSpent();
  const maxNodes = Math.min(nodes, meter.actionsLeft());
  const result = await searchTree(session, {
    prior,
    maxNodes,
    maxSteps: mostSteps,
    temperatures,
    solutions,
    isOverdue,
  });
  meter.addNodes(result.nodes);
  const start = (await session.judgedState?.()) ?? null;
  const missingIn = createMissingValues(session.task.instruction, start);
  const first = result.path === null ? null : await shortenPath(session, result.path);
  const ways = first === null ? [] : [first, ...(await shortenOthers(session, first, result.others))];
  const { path, others, missing } = chooseWay(ways, missingIn);
  onSearch?.({ ...result, path, others, found: result.path, start, missing });
  return path?.steps ?? null;
}

/** Other paths without needless steps; those that come to the same are left out. */
async function shortenOthers(
  session: Session,
  path: FoundPath,
  others: readonly FoundPath[],
): Promise<readonly FoundPath[]> {
  const different = new Map([[textOf(path), path]]);
  for (const other of others) {
    const shorter = await shortenPath(session, other);
    if (!different.has(textOf(shorter))) different.set(textOf(shorter), shorter);
  }
  return [...different.values()].slice(1);
}

function textOf({ steps }: FoundPath): string {
  return JSON.stringify(steps.map(({ text }) => text));
}

/** What a search from a state came to, and what it was allowed. */
interface Looked extends Pick<SearchResult, 'path' | 'nodes'> {
  readonly maxNodes: number;
}

/** Searches each state once: a later question about it is answered from what was found. */
function createLookout({ prior, meter = createCostMeter() }: SearchAgentOptions) {
  const known = new Map<string, Looked>();
  return {
    /** A path that was found before from the state of a session; null when none was. */
    recall: async (session: Session): Promise<FoundPath | null> => known.get(await session.digest())?.path ?? null,
    /** Nodes that a search takes from here; null when it finds nothing with so many. */
    async needed(session: Session, most: number): Promise<number | null> {
      const state = await session.digest();
      const before = known.get(state);
      if (before !== undefined && (before.path !== null || before.maxNodes >= most))
        return before.path !== null && before.nodes <= most ? before.nodes : null;
      if (meter.isSpent()) return null;
      const maxNodes = Math.min(most, meter.actionsLeft());
      const how = { prior, maxNodes, maxSteps: mostSteps, temperatures: [1], isOverdue: () => meter.isSpent() };
      const { path, nodes } = await searchTree(meter.count(session), how);
      meter.addNodes(nodes);
      known.set(state, { path, nodes, maxNodes });
      return path === null ? null : nodes;
    },
  };
}

/**
 * Rejects the first step after which the search needs more nodes than before it, or finds nothing. Where it finds nothing
 * at the start of a branch, it accepts: it knows no better. Corrects with the next step of its own path.
 */
export function createSearchTeacher(options: SearchAgentOptions): SearchingTeacher {
  const { nodes, meter = createCostMeter() } = options;
  const { needed, recall } = createLookout({ ...options, meter });
  return {
    name: 'search',
    privileged: true,
    needs: 'forks',
    patient: true,
    async review({ steps, verdict }, sessions): Promise<Review> {
      if (verdict?.pass === true) return { accept: true };
      let before = await needed(await sessions.at(0), nodes);
      for (const [at, { action, applied }] of steps.entries()) {
        if (action.kind === 'finish') return { accept: false, at, reason: 'the task is not done' };
        if (!applied) return { accept: false, at, reason: 'it was refused' };
        const after = await needed(await sessions.at(at + 1), before ?? nodes);
        // A search that its limit has cut says nothing of the step.
        if (after === null && meter.isSpent()) return { accept: true };
        if (before !== null && after === null)
          return { accept: false, at, reason: `the search finds no way within ${before} nodes after it` };
        before = after;
      }
      return { accept: true };
    },
    async correct(_request, session) {
      const counted = meter.count(session);
      const known = await recall(session);
      const found =
        known === null
          ? await search(counted, { ...options, meter })
          : meter.isSpent()
            ? known.steps
            : (await shortenPath(counted, known)).steps;
      return { action: found === null ? null : nextAction(found) };
    },
  };
}

function nextAction([first]: readonly FoundStep[]): Action {
  return first?.action ?? { kind: 'finish' };
}
