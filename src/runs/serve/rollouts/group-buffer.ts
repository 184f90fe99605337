import type { BatchAnswer, BatchRequest, SessionResult } from '../../../server/rollouts/contract.ts';
import { takeGroups, type BufferedGroup } from '../../../server/rollouts/staleness-buffer.ts';

interface ResultGroup extends BufferedGroup {
  readonly task: string;
  readonly results: readonly SessionResult[];
}

/** Finished groups of rollouts that no trainer has taken yet. */
export interface GroupBuffer {
  /** Adds the results of a task that are usable; nothing when there are none. */
  add(task: string, results: readonly SessionResult[]): void;
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

export function createGroupBuffer(): GroupBuffer {
  let groups: readonly ResultGroup[] = [];
  let arrival = 0;
  const parts = new Map<string, number>();
  return {
    size: () => groups.length,
    add(task, results) {
      const usable = results.filter(isUsable);
      if (usable.length === 0) return;
      const part = parts.get(task) ?? 0;
      parts.set(task, part + 1);
      groups = [
        ...groups,
        {
          id: groupId(task, part),
          task,
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
    take({ groups: count, max_staleness: maxStaleness, order, drop_equal_rewards: dropEqualRewards }, version) {
      const found = takeGroups(groups, {
        groups: count,
        maxStaleness,
        order,
        dropEqualRewards,
        currentVersion: version,
      });
      const { taken, kept, expired, equal } = found;
      groups = kept;
      return {
        version,
        groups: taken.map(({ id, task, results }) => ({ id, task_id: task, results })),
        expired: expired.length,
        equal: equal.length,
        kept: kept.length,
        gone: [...taken, ...expired, ...equal].map(({ id }) => id),
      };
    },
  };
}
