import { simulateFleet, type FleetCosts, type FleetForecast, type FleetModel } from './simulate.ts';

export interface FleetScenario {
  readonly name: string;
  /** What it is, in words. */
  readonly about: string;
  readonly slots: number;
  readonly forecasts: readonly (FleetForecast & { readonly workers: number })[];
  /** The first number of workers that do less than nine tenths of what they could; null when none of these does. */
  readonly bend: number | null;
}

const sizes = [1, 4, 16, 64, 256, 1000, 2000, 3500, 5000];
const leastEfficiency = 0.9;

/** A database of its own in the next room. Disks of data centres take about two milliseconds to keep what they are given. */
const rack = { cores: 8, way: 0.001, losses: 0.05, comeback: 60, lease: 20, seed: 'forecast' } as const;
const diskSeconds = 0.002;

type Setting = Pick<FleetModel, 'slots' | 'jobSize' | 'episode' | 'blobs'> & Partial<FleetModel>;

const agents: Setting = { slots: 16, jobSize: 1, episode: { median: 30, sigma: 1 }, blobs: 4 };
const cheap: Setting = { slots: 4, jobSize: 1, episode: { median: 0.5, sigma: 1 }, blobs: 0 };

const settings: readonly (readonly [name: string, about: string, setting: Setting])[] = [
  ['agents', 'episodes of 30 s with 4 pictures each, 16 slots', agents],
  ['agents, S3', 'the same, pictures on S3', { ...agents, blobs: 0 }],
  ['cheap', 'episodes of 0.5 s, 4 slots, a job each', cheap],
  ['cheap, jobs of 8', 'the same, 8 episodes a job', { ...cheap, jobSize: 8 }],
  ['two databases', 'the same jobs, runs in two databases', { ...cheap, jobSize: 8, databases: 2 }],
];

export function forecastFleets(given: FleetCosts, onProgress: (text: string) => void): FleetScenario[] {
  const costs = { ...given, sync: Math.max(given.sync, diskSeconds) };
  return settings.map(([name, about, setting]) => {
    const forecasts = sizes.map(workers => {
      onProgress(`${name}: ${workers} workers …`);
      return {
        workers,
        ...simulateFleet({ ...rack, ...setting, costs, workers, seconds: secondsFor(setting, workers) }),
      };
    });
    const bend = forecasts.find(({ efficiency }) => efficiency < leastEfficiency)?.workers ?? null;
    return { name, about, slots: setting.slots, forecasts, bend };
  });
}

const [leastEpisodes, leastMeans] = [4000, 3];

/** Long enough for a few jobs of each slot, and for enough episodes of all. */
function secondsFor({ episode: { median, sigma }, slots, jobSize }: Setting, workers: number): number {
  const mean = median * Math.exp(sigma ** 2 / 2);
  return Math.max(leastMeans * mean * jobSize, (leastEpisodes * mean) / (workers * slots));
}
