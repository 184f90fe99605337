import type { StateEnvironment } from '../../core/contracts.ts';
import { foldEpisode, type EpisodeRecord } from '../../core/episode/record.ts';
import { leakOf } from '../../forge/pool/leak.ts';
import type { HeldOut } from '../../forge/pool/held-out.ts';
import { sketchOf } from '../../forge/pool/likeness.ts';
import { createWorld } from '../../worlds/world.ts';
import { createPlanner } from '../../agents/planner/planner.ts';
import { findSource } from '../environments/open-environment.ts';
import { taskFolderSource } from '../../forge/forged-app.ts';
import { allConfigs, openRun } from '../folder/folder.ts';
import { allHeldOutOf } from './held-out-of.ts';

/** A task of a run that gives away what a held-out template asks for. */
interface Leak {
  readonly task: string;
  readonly reason: string;
}

export interface LeakReport {
  /** Whether the run has forged tasks at all. */
  readonly isForged: boolean;
  /** Forged tasks with an episode that passed. */
  readonly compared: number;
  readonly leaks: readonly Leak[];
  /** All other tasks that passed, forged or not. */
  readonly others: readonly string[];
}

export interface LeakOptions {
  readonly folder: string;
  /** States that the planner may expand for a task of a held-out template. */
  readonly nodes?: number;
  onTask?(compared: number): void;
}

interface Compared {
  readonly environment: StateEnvironment;
  readonly heldOut: HeldOut;
}

const defaultNodes = 1500;

/**
 * Compares the forged tasks that passed in a run with the held-out templates of their apps, by how they were solved. `forge:<app>` leaves
 * out the commands of held-out templates; a task may still ask for the same with other commands or in other words.
 */
export async function findLeaks({ folder, nodes = defaultNodes, onTask }: LeakOptions): Promise<LeakReport> {
  const forged = await openForged(folder, nodes);
  const store = openRun(folder);
  try {
    const reasons = new Map<string, string | null>();
    let compared = 0;
    for (const stored of store.episodes({ phase: 'collect' })) {
      const { task } = stored.head;
      // Another way to solve the same task may give more away.
      if (stored.end.outcome !== 'passed' || typeof reasons.get(task.id) === 'string') continue;
      const own = forged.get(task.environment);
      if (own !== undefined && !reasons.has(task.id)) {
        compared++;
        onTask?.(compared);
      }
      reasons.set(task.id, own === undefined ? null : leakIn(foldEpisode(stored), own));
    }
    const leaks = [...reasons].flatMap(([task, reason]) => (reason === null ? [] : [{ task, reason }]));
    const others = [...reasons].flatMap(([task, reason]) => (reason === null ? [task] : []));
    return { isForged: forged.size > 0, compared, leaks, others };
  } finally {
    store.close();
  }
}

/** The forged environments of a run, by id, each with what the held-out templates of its app ask for. */
async function openForged(folder: string, nodes: number): Promise<Map<string, Compared>> {
  const names = new Set(allConfigs(folder).flatMap(({ environments }) => environments));
  const found = new Map<string, Compared>();
  // Bounded by states alone: the same on every machine.
  const planner = createPlanner({ clock: { now: () => 0 }, maxNodes: nodes });
  for (const given of [...names].filter(one => one.startsWith('forge:'))) {
    const name = await taskFolderSource(given);
    const source = await findSource(name);
    if (!('app' in source)) continue;
    const environment = createWorld(source.app);
    found.set(environment.id, { environment, heldOut: await allHeldOutOf(name, source.app, planner) });
  }
  return found;
}

function leakIn(record: EpisodeRecord, { environment, heldOut }: Compared): string | null {
  const { task } = record.head;
  const leaf = record.end.leaf;
  if (leaf === null) return null;
  const actions = record.tree.path(leaf).flatMap(({ action }) => action ?? []);
  const session = environment.open(task);
  for (const action of actions) session.step(action);
  return leakOf(sketchOf(environment, { task, actions, final: session.state() }), heldOut);
}
