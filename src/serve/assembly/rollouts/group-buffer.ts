import { createRandom } from '../../../core/random.ts';
import type { BatchAnswer, BatchRequest, SessionResult } from '../../rollouts/contract.ts';
import { mixBatch, withPoolSuccess } from '../../rollouts/group-mixing.ts';
import { takeGroups, type BufferedGroup } from '../../rollouts/staleness-buffer.ts';
import { keepUncertainSteps } from '../../rollouts/step-selection.ts';

interface ResultGroup extends BufferedGroup {
  readonly task: string;
  readonly results: readonly SessionResult[];
  /** The task in its environment: submitted tasks may be on the same one. */
  readonly subject: string;
  readonly trainer: string | null;
}

/** Results of a submitted task that belong together. */
export interface FinishedGroup {
  readonly task: string;
  readonly subject: string;
  readonly trainer: string | null;
  readonly results: readonly SessionResult[];
}

/** Tasks whose last success is kept. */
const mostPooled = 4096;

/** Finished groups of rollouts that no trainer has taken yet. */
export interface GroupBuffer {
  /** Adds the results of a task that are usable; nothing when there are none. */
  add(group: FinishedGroup): void;
  take(request: BatchRequest, version: number): BatchAnswer & { readonly gone: readonly string[] };
  /** Takes out what an earlier server handed out. */
  drop(ids: readonly string[]): void;
  size(): number;
}

/** Whether a trainer can use it: it has rows, and a reward. */
export function isUsable({ reward, trajectory }: SessionResult): boolean {
  return reward !== null && trajectory.traces.length > 0;
}

/** The id of a part of a task. A task may have # in its name: there it is escaped, so no two groups have one id. */
function groupId(task: string, part: number): string {
  const escaped = task.replaceAll('%', '%25').replaceAll('#', '%23');
  return part === 0 ? escaped : `${escaped}#${part + 1}`;
}

type Success = SessionResult & { readonly reward: number };

export function createGroupBuffer(): GroupBuffer {
  let groups: readonly ResultGroup[] = [];
  let arrival = 0;
  const parts = new Map<string, number>();
  const pool = createPool();
  return {
    size: () => groups.length,
    add({ task, subject, trainer, results }) {
      const usable = results.filter(isUsable);
      if (usable.length === 0) return;
      pool.keep(subject, usable);
      const part = parts.get(task) ?? 0;
      parts.set(task, part + 1);
      groups = [
        ...groups,
        {
          id: groupId(task, part),
          task,
          subject,
          trainer,
          arrival: arrival++,
          minVersion: Math.min(...usable.map(result => result.min_version ?? 0)),
          rewards: usable.map(({ reward }) => reward ?? 0),
          results: usable,
        },
      ];
    },
    drop(ids) {
      groups = groups.filter(({ id }) => !ids.includes(id));
    },
    take(request, version) {
      const { left, ...answer } = takeBatch(groups, { request, version, pool });
      groups = left;
      return answer;
    },
  };
}

/** The last success on each task. */
interface Pool {
  keep(subject: string, results: readonly SessionResult[]): void;
  success(subject: string): Success | undefined;
}

function createPool(): Pool {
  const successes = new Map<string, Success>();
  return {
    success: subject => successes.get(subject),
    keep(subject, results) {
      const success = results.findLast(({ reward }) => reward !== null && reward > 0);
      if (success === undefined) return;
      successes.delete(subject);
      successes.set(subject, success as Success);
      if (successes.size > mostPooled) successes.delete(successes.keys().next().value as string);
    },
  };
}

interface Taking {
  readonly request: BatchRequest;
  readonly version: number;
  readonly pool: Pool;
}

/** A batch for one trainer, or for whoever asks, and the groups that are left. */
function takeBatch(groups: readonly ResultGroup[], { request, version, pool }: Taking) {
  const { groups: count, max_staleness: maxStaleness, order, drop_equal_rewards: dropEqualRewards } = request;
  const isFresh = (oldest: number): boolean => version - oldest <= maxStaleness;
  const mine = groups.filter(({ trainer }) => request.trainer === undefined || trainer === request.trainer);
  const others = groups.filter(group => !mine.includes(group));
  const candidates = mine.map(group => {
    const success = request.add_pool_success ? pool.success(group.subject) : undefined;
    return success === undefined || !isFresh(success.min_version ?? 0) ? group : withSuccess(group, success);
  });
  const options = { groups: count, maxStaleness, order, dropEqualRewards, currentVersion: version };
  const { taken, kept, expired, equal } = takeGroups(candidates, options);
  const keptIds = new Set(kept.map(({ id }) => id));
  const fresh = others.filter(({ minVersion }) => isFresh(minVersion));
  const random = createRandom(`batch ${version} ${groups.map(({ id }) => id).join(' ')}`);
  const shared = mixBatch([], fresh, { local: 0, shared: request.shared_groups, random });
  const answer = (isShared: boolean) => (group: ResultGroup) => groupAnswer(group, isShared, request.step_share);
  return {
    left: groups.filter(group => others.includes(group) || keptIds.has(group.id)),
    version,
    groups: [...taken.map(answer(false)), ...shared.map(answer(true))],
    expired: expired.length,
    equal: equal.length,
    kept: kept.length,
    gone: [...taken, ...expired, ...equal].map(({ id }) => id),
  };
}

function withSuccess(group: ResultGroup, success: Success): ResultGroup {
  const results = withPoolSuccess(group.results as readonly Success[], [success]);
  return { ...group, results, rewards: results.map(({ reward }) => reward) };
}

function groupAnswer({ id, task, results }: ResultGroup, shared: boolean, stepShare: number) {
  const selected = results.map(result => {
    const traces = result.trajectory.traces.map(trace => keepUncertainSteps(trace, stepShare));
    return stepShare === 1 ? result : { ...result, trajectory: { ...result.trajectory, traces } };
  });
  return { id, task_id: task, results: selected, shared };
}
