import type { OrdinaryPolicy, Policy, SearchingPolicy, SearchingTeacher } from '../../../src/core/episode/agents.ts';
import type { EpisodeHead } from '../../../src/core/episode/events.ts';
import type { AppMap } from '../../../src/agents/page-search/app-map.ts';
import {
  createCostMeter,
  noLimit,
  type CostLimit,
  type CostMeter,
} from '../../../src/agents/page-search/cost-meter.ts';
import { createSearchPolicy, createSearchTeacher } from '../../../src/agents/page-search/search-agents.ts';
import { openSearch } from '../../../src/runs/agents/search/search-config.ts';
import type { AgentSolver } from '../search-run.ts';
import { addCost } from './arm-costs.ts';

export interface ArmOptions {
  /** Folder of the run: its costs are written there. */
  readonly folder: string;
  readonly round: number;
  /** Actions that each search may try. */
  readonly nodes: number;
  /** What a tour of the app found. */
  readonly map: AppMap | null;
  /** Told how many nodes each question took. */
  onNodes(nodes: number): void;
}

/** The search by words alone, with all that it does counted. */
export async function searchSolver({ folder, round, nodes, map, onNodes }: ArmOptions): Promise<AgentSolver> {
  const make = await openSearch({ kind: 'search', nodes, guide: null, weight: 0 }, { map });
  const policy = (head: EpisodeHead | null): SearchingPolicy => {
    const meter = createCostMeter();
    const search = createSearchPolicy({ ...make(), meter });
    return {
      ...search,
      act: (view, session) => told(search.act(view, session), meter, { folder, round, head, onNodes }),
    };
  };
  return {
    kind: 'agents',
    student: { kind: 'object', name: 'search' },
    strategy: { kind: 'linear' },
    given: { policy },
  };
}

export interface TaughtOptions extends ArmOptions {
  /** Who acts. */
  readonly student: OrdinaryPolicy;
  /** For each task, all agents together. */
  readonly limit: CostLimit;
}

/** As many as the longest path of a search has steps: a student that knows nothing is led all the way. */
const interventions = 12;

/** Speculative rollback correction: the student acts, the search teaches, and both share a limit. */
export async function taughtSolver(options: TaughtOptions): Promise<AgentSolver> {
  const { folder, round, nodes, map, student, limit, onNodes } = options;
  const make = await openSearch({ kind: 'search', nodes, guide: null, weight: 0 }, { map });
  // Both agents of an episode are made for the same head.
  const meters = new WeakMap<EpisodeHead, CostMeter>();
  const meterOf = (head: EpisodeHead | null): CostMeter => {
    if (head === null) return createCostMeter(noLimit);
    const meter = meters.get(head) ?? createCostMeter(limit);
    meters.set(head, meter);
    return meter;
  };
  const policy = (head: EpisodeHead | null): Policy => {
    const meter = meterOf(head);
    return {
      name: student.name,
      ...(student.patient === true ? { patient: true } : {}),
      async act(view) {
        // Without means to teach it any more, the episode ends.
        const decision = meter.isSpent() ? giveUp : await student.act(view);
        meter.addOwnStep(decision.action?.kind === 'finish');
        return decision;
      },
    };
  };
  const teacher = (head: EpisodeHead | null): SearchingTeacher => {
    const meter = meterOf(head);
    const search = createSearchTeacher({ ...make(), meter });
    const where = { folder, round, head, onNodes };
    return {
      ...search,
      review: (segment, sessions) => told(search.review(segment, sessions), meter, where),
      async correct(request, session) {
        const decision = await told(search.correct(request, session), meter, where);
        if (decision.action !== null) meter.addOwnStep(decision.action.kind === 'finish');
        return decision;
      },
    };
  };
  return {
    kind: 'agents',
    student: { kind: 'object', name: student.name },
    teacher: { kind: 'object', name: 'search' },
    strategy: { kind: 'speculative-rollback' },
    limits: { interventions },
    given: { policy, teacher },
  };
}

const giveUp = { action: { kind: 'finish', infeasible: true } } as const;

interface Where extends Pick<ArmOptions, 'folder' | 'round' | 'onNodes'> {
  readonly head: EpisodeHead | null;
}

/** Writes down what was done so far when an answer is there, whether or not it broke. */
async function told<T>(answer: T | Promise<T>, meter: CostMeter, { folder, round, head, onNodes }: Where): Promise<T> {
  const before = meter.inForks().nodes;
  try {
    return await answer;
  } finally {
    onNodes(meter.inForks().nodes - before);
    addCost(folder, { task: head?.task.id ?? '', round, ...meter.inForks() });
  }
}
