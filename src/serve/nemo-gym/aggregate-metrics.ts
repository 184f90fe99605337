import { setImmediate as letOthersRun } from 'node:timers/promises';
import { HttpError } from '../http.ts';

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

/** Different names of numbers; there are five figures for each, and for each task again. */
export const mostNames = 1000;
/** Numbers that are looked at before others have their turn. */
const numbersInTurn = 20_000;

/** Mean, max, min, median and standard deviation of every number, for each task and over all; and pass@k. */
export async function aggregateMetrics(responses: readonly VerifyResponse[]): Promise<AggregateMetrics> {
  if (responses.length === 0) return { group_level_metrics: [], agent_metrics: {}, key_metrics: {} };
  const groups = [...Map.groupBy(responses, response => numberOf(response[taskKey]) ?? 0)].toSorted(
    ([left], [right]) => left - right,
  );
  const all = await columnsOf(responses);
  if (all.size > mostNames)
    throw new HttpError(422, `The responses have ${all.size} different numbers. Send at most ${mostNames}.`);
  const agent_metrics = { ...(await describe(all)), ...passAtK(groups.map(([, rollouts]) => rewardsOf(rollouts))) };
  const group_level_metrics: Readonly<Record<string, unknown>>[] = [];
  for (const [task, rollouts] of groups) {
    const statistics = await describe(await columnsOf(rollouts));
    group_level_metrics.push({ [taskKey]: task, ...statistics, num_rollouts: rollouts.length });
    if (group_level_metrics.length % 200 === 0) await letOthersRun();
  }
  return {
    group_level_metrics,
    agent_metrics,
    key_metrics: Object.fromEntries(Object.entries(agent_metrics).filter(([name]) => name.startsWith('mean/'))),
  };
}

/** The values of each name, in the order of the responses. */
type Columns = ReadonlyMap<string, readonly number[]>;

async function columnsOf(responses: readonly VerifyResponse[]): Promise<Columns> {
  const columns = new Map<string, number[]>();
  let seen = 0;
  for (const response of responses) {
    for (const [name, number] of numbersOf(response)) {
      const values = columns.get(name);
      if (values === undefined) columns.set(name, [number]);
      else values.push(number);
      seen++;
    }
    if (seen < numbersInTurn) continue;
    seen = 0;
    await letOthersRun();
  }
  return columns;
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

async function describe(columns: Columns): Promise<Record<string, number>> {
  const statistics: Record<string, number> = {};
  let seen = 0;
  for (const [name, values] of columns) {
    const sorted = values.toSorted((left, right) => left - right);
    statistics[`mean/${name}`] = mean(values);
    statistics[`max/${name}`] = sorted.at(-1) as number;
    statistics[`min/${name}`] = sorted[0] as number;
    statistics[`median/${name}`] = median(sorted);
    statistics[`std/${name}`] = standardDeviation(values);
    seen += values.length;
    if (seen < numbersInTurn) continue;
    seen = 0;
    await letOthersRun();
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
