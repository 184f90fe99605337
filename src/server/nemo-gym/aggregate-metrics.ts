/** The answer to `/aggregate_metrics`: flat names, so that trackers can log them. */
export interface AggregateMetrics {
  readonly group_level_metrics: readonly Readonly<Record<string, unknown>>[];
  readonly agent_metrics: Readonly<Record<string, number>>;
  readonly key_metrics: Readonly<Record<string, number>>;
}

/** A verify response, or what is left of one: a reward, other numbers, and which task and rollout it is of. */
export type VerifyResponse = Readonly<Record<string, unknown>>;

const taskKey = '_ng_task_index';
const rolloutKey = '_ng_rollout_index';

/** Mean, max, min, median and standard deviation of every number, for each task and over all; and pass@k. */
export function aggregateMetrics(responses: readonly VerifyResponse[]): AggregateMetrics {
  if (responses.length === 0) return { group_level_metrics: [], agent_metrics: {}, key_metrics: {} };
  const groups = [...Map.groupBy(responses, response => numberOf(response[taskKey]) ?? 0)].toSorted(
    ([left], [right]) => left - right,
  );
  const baseline = describe(responses.map(numbersOf));
  const agent_metrics = { ...baseline, ...passAtK(groups.map(([, rollouts]) => rewardsOf(rollouts))) };
  return {
    group_level_metrics: groups.map(([task, rollouts]) => ({
      [taskKey]: task,
      ...describe(rollouts.map(numbersOf)),
      num_rollouts: rollouts.length,
    })),
    agent_metrics,
    key_metrics: Object.fromEntries(Object.entries(agent_metrics).filter(([name]) => name.startsWith('mean/'))),
  };
}

type Numbers = ReadonlyMap<string, number>;

function numbersOf(response: VerifyResponse): Numbers {
  const { usage } = (response['response'] ?? {}) as { readonly usage?: object | null };
  const found = Object.entries({ ...response, ...usage }).flatMap(([name, value]) => {
    const number = typeof value === 'boolean' ? Number(value) : numberOf(value);
    return number === null || name === taskKey || name === rolloutKey ? [] : [[name, number] as const];
  });
  return new Map(found);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function rewardsOf(rollouts: readonly VerifyResponse[]): number[] {
  return rollouts.flatMap(({ reward }) => numberOf(reward) ?? []);
}

function describe(rows: readonly Numbers[]): Record<string, number> {
  const names = new Set(rows.flatMap(row => [...row.keys()]));
  const statistics: Record<string, number> = {};
  for (const name of names) {
    const values = rows.flatMap(row => row.get(name) ?? []);
    const sorted = values.toSorted((left, right) => left - right);
    statistics[`mean/${name}`] = mean(values);
    statistics[`max/${name}`] = sorted.at(-1) as number;
    statistics[`min/${name}`] = sorted[0] as number;
    statistics[`median/${name}`] = median(sorted);
    statistics[`std/${name}`] = standardDeviation(values);
  }
  return statistics;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

/** Of a sample; 0 for a single value, as NeMo Gym has it. */
function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
}

/** Percentages, as NeMo Gym has them: 1 - C(wrong, k) / C(all, k), averaged over the tasks with k rollouts. */
/** For every k the mean over tasks of the chance that one of k rollouts, drawn without putting back, passes. */
function passAtK(groups: readonly (readonly number[])[]): Record<string, number> {
  const sums: number[] = [];
  const counts: number[] = [];
  for (const rewards of groups) {
    const wrong = rewards.filter(reward => reward < 1).length;
    let allWrong = 1;
    for (let drawn = 0; drawn < rewards.length; drawn++) {
      allWrong *= Math.max(0, wrong - drawn) / (rewards.length - drawn);
      sums[drawn] = (sums[drawn] ?? 0) + 1 - allWrong;
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
  }
  return Object.fromEntries(
    sums.map((sum, drawn) => [`pass@${drawn + 1}/accuracy`, (100 * sum) / (counts[drawn] as number)]),
  );
}
