import { z } from 'zod';
import type { StoredEpisode } from '../../core/episode/journal.ts';
import { createRandom } from '../../core/random.ts';
import { bootstrap } from '../bootstrap.ts';
import { levelOf, type Level } from '../evaluate.ts';
import { mean, passAtK, passHatK } from '../stats.ts';
import { channelNames, channelsOf, trustScore, type Channels } from './channels.ts';

const share = z.number().min(0).max(1);

/** A channel over episodes: how often it held wholly, and over k trials of a task. */
const channelRateSchema = z.strictObject({
  /** `trusted` when all three held. */
  channel: z.enum([...channelNames, 'trusted']),
  rate: share,
  low: share,
  high: share,
  episodes: z.int().nonnegative(),
  /** For the most trials that every task has; null with one. */
  attempts: z.strictObject({ k: z.int(), passAtK: share, passHatK: share }).nullable(),
});
type ChannelRate = z.infer<typeof channelRateSchema>;

export const trustCountSchema = z.strictObject({
  student: z.string(),
  round: z.int(),
  level: z.enum(['new-instances', 'held-out', 'held-out-2', 'held-out-3']),
  /** Mean score of the episodes: the least channel of each. */
  score: share,
  channels: z.array(channelRateSchema).readonly(),
});
export type TrustCount = z.infer<typeof trustCountSchema>;

interface TrustTrial {
  readonly student: string;
  readonly round: number;
  readonly level: Level;
  readonly app: string;
  readonly template: string;
  readonly task: string;
  readonly channels: Channels;
}

/** Trust in three channels, for each student, round and level. Episodes without a verdict count nowhere. */
export function countTrust(episodes: Iterable<StoredEpisode>): readonly TrustCount[] {
  const trials: TrustTrial[] = [];
  for (const episode of episodes) {
    const channels = channelsOf(episode);
    const { student, round, task } = episode.head;
    const { environment: app, template, id, split } = task;
    if (channels !== null) trials.push({ student, round, level: levelOf(split), app, template, task: id, channels });
  }
  return [...Map.groupBy(trials, ({ student, round, level }) => JSON.stringify([student, round, level])).values()].map(
    own => {
      const [{ student, round, level }] = own as [TrustTrial];
      const scores = own.map(({ channels }) => trustScore(channels));
      const channels = [...channelNames, 'trusted' as const].map(rate);
      return { student, round, level, score: mean(scores) as number, channels };
      function rate(channel: ChannelRate['channel']): ChannelRate {
        return rateOf(own, channel);
      }
    },
  );
}

/** A channel holds where nothing is missing in it. */
function holds({ channels }: TrustTrial, channel: ChannelRate['channel']): boolean {
  return (channel === 'trusted' ? trustScore(channels) : channels[channel]) === 1;
}

function rateOf(trials: readonly TrustTrial[], channel: ChannelRate['channel']): ChannelRate {
  const values = trials.map(trial => ({ ...trial, value: Number(holds(trial, channel)) }));
  const {
    mean: rate,
    low,
    high,
  } = bootstrap(values, {
    random: createRandom(`trust ${channel}`),
    range: { low: 0, high: 1 },
  });
  const tallies = [...Map.groupBy(trials, ({ task }) => task).values()].map(own => ({
    n: own.length,
    passed: own.filter(trial => holds(trial, channel)).length,
  }));
  const k = Math.min(...tallies.map(({ n }) => n));
  const over = (of: typeof passAtK): number => mean(tallies.map(tally => of(tally, k))) as number;
  const attempts = k < 2 ? null : { k, passAtK: over(passAtK), passHatK: over(passHatK) };
  return { channel, rate, low, high, episodes: trials.length, attempts };
}
