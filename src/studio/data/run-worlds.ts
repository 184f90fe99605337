import type { Environment, Session, StateSession } from '../../core/contracts.ts';
import { isStateSession } from '../../core/contracts.ts';
import { diff } from '../../core/diff.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { causeText, DivergenceError, EspalierError } from '../../core/errors.ts';
import { environments as builtIn } from '../../catalog.ts';
import type { StepChanges } from '../api/api.ts';
import { openWorlds, type OpenedWorlds } from '../../runs/environments/worlds.ts';
import { allConfigs, findConfig } from '../../runs/folder/folder.ts';
import { servedEnvironments } from '../../runs/folder/served.ts';
import type { Host } from '../../runs/host/host.ts';

/** The environments of one run, opened when they are needed, to look at states that the journal has only digests of. */
export interface RunWorlds {
  /** Throws where the environment cannot be opened any more, and says why. */
  environment(id: string): Promise<Environment>;
  /** Ids of the environments that the run names and that can be opened. */
  ids(): Promise<readonly string[]>;
  /** How the run names an environment that was opened. */
  nameOf(id: string): string;
  /** What a step changed, found by walking its path again. */
  changes(record: EpisodeRecord, node: number): Promise<StepChanges>;
  close(): Promise<void>;
}

export function createRunWorlds(folder: string, host: Host): RunWorlds {
  const opened = new Map<string, Promise<OpenedWorlds>>();
  const names = new Map<string, string>();
  const open = (name: string): Promise<OpenedWorlds> => {
    const config = findConfig(folder);
    const { contracts = null } = config ?? {};
    const how = { browser: config?.browser ?? null, actions: config?.actions ?? 'all', contracts } as const;
    const found = opened.get(name) ?? openWorlds([name], { ...how, stateful: false, concurrency: 1, host });
    opened.set(name, found);
    return found;
  };
  const environment: RunWorlds['environment'] = async id => {
    const reasons: string[] = [];
    for (const name of namesIn(folder, id)) {
      try {
        const found = (await open(name)).worlds.get(id);
        if (found !== undefined) {
          names.set(id, name);
          return found;
        }
      } catch (cause) {
        opened.delete(name);
        reasons.push(causeText(cause));
      }
    }
    throw cannotOpen(id, reasons);
  };
  return {
    environment,
    nameOf: id => names.get(id) ?? id,
    async ids() {
      const named = [...new Set(allConfigs(folder).flatMap(config => config.environments))];
      const all = await Promise.allSettled(named.map(open));
      named.forEach((name, place) => all[place]?.status === 'rejected' && opened.delete(name));
      return all.flatMap(found => (found.status === 'fulfilled' ? [...found.value.worlds.keys()] : []));
    },
    async changes(record, node) {
      let world: Environment | null = null;
      try {
        world = await environment(record.head.task.environment);
        return { changes: await changesAt(world, record, node), problem: null, isGone: false };
      } catch (cause) {
        return { changes: [], problem: causeText(cause), isGone: world === null };
      }
    },
    async close() {
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map(found => (found.status === 'fulfilled' ? found.value.close() : null)));
    },
  };
}

/** What may open an environment: names of the run first, its own id where it is built in. */
function namesIn(folder: string, id: string): readonly string[] {
  const named = [...allConfigs(folder).flatMap(({ environments }) => environments), ...servedEnvironments(folder)];
  const own = builtIn.some(entry => entry.id === id) ? [id] : [];
  // The likeliest name first: others are not opened in vain.
  return [...new Set([...named.filter(name => name === id), ...own, ...named])];
}

async function changesAt(
  environment: Environment,
  record: EpisodeRecord,
  node: number,
): Promise<StepChanges['changes']> {
  const session = await walk(environment, record, record.tree.node(node).parent);
  try {
    if (!isStateSession(session)) throw noState(environment.id);
    const before = session.state();
    await session.step(record.tree.node(node).action);
    compare(record, node, session.digest());
    return diff(before, session.state());
  } finally {
    await session.close();
  }
}

/** A fresh session in the state after a node, every digest on the way compared. */
async function walk(environment: Environment, record: EpisodeRecord, node: number): Promise<Session | StateSession> {
  const session = await environment.open(record.head.task);
  try {
    compare(record, 0, await session.digest());
    for (const step of record.tree.path(node)) {
      await session.step(step.action);
      compare(record, step.id, await session.digest());
    }
    return session;
  } catch (cause) {
    await session.close();
    throw cause;
  }
}

function compare({ tree }: EpisodeRecord, node: number, reached: string): void {
  if (tree.digest(node) !== reached) throw new DivergenceError(tree.path(node).length, tree.digest(node), reached);
}

function noState(id: string): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unsupported',
    message: `The environment "${id}" does not show its state.`,
    expected: 'Differences are known of worlds whose state is kept in this process, such as built-in apps.',
  });
}

function cannotOpen(id: string, reasons: readonly string[]): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'unavailable',
    message: `The environment "${id}" cannot be opened${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}.`,
    expected: 'Expected its module where the run found it. The episode can be looked at without it.',
  });
}
