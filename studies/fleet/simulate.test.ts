import { describe, expect, it } from 'vitest';
import { simulateFleet, type FleetModel } from './simulate.ts';

const free = {
  job: 0,
  commit: 0,
  episode: 0,
  blob: 0,
  beat: 0,
  beatForWorker: 0,
  follow: 0,
  sync: 0,
  work: 0,
  control: 0,
};
const model: FleetModel = {
  workers: 1,
  slots: 1,
  jobSize: 1,
  episode: { median: 1, sigma: 0 },
  blobs: 0,
  costs: free,
  cores: 2,
  way: 0,
  losses: 0,
  comeback: 10,
  lease: 20,
  seconds: 600,
  seed: 'test',
};

describe('the model of a fleet', () => {
  it('[FLEET-40] gives worked numbers where queueing theory has them', () => {
    expect(simulateFleet(model).rate).toBeCloseTo(1, 2);
    // An episode of 1 s, then 0.25 s for its job and 0.25 s for its commit: two in three seconds.
    const slow = { ...model, costs: { ...free, job: 0.25, commit: 0.25 } };
    expect(simulateFleet(slow)).toMatchObject({ rate: expect.closeTo(2 / 3, 2), efficiency: expect.closeTo(2 / 3, 2) });
    // Two cores at 0.5 s an episode give four in a second, however many workers there are.
    const crowded = simulateFleet({ ...slow, workers: 64 });
    expect(crowded).toMatchObject({ rate: expect.closeTo(4, 1), load: expect.closeTo(1, 2) });
    expect(simulateFleet({ ...slow, workers: 64, databases: 2 }).rate).toBeCloseTo(8, 1);
    // What is asked for once a job is shared by the episodes of a job; commits that meet go together.
    expect(simulateFleet({ ...slow, workers: 64, jobSize: 8 }).rate).toBeGreaterThan(1.5 * crowded.rate);
    expect(simulateFleet({ ...slow, workers: 4, slots: 16 }).rate).toBeGreaterThan(1.5 * crowded.rate);
  });

  it('[FLEET-40] loses no episode with a worker: each is begun again', () => {
    const lossy = {
      ...model,
      workers: 20,
      slots: 4,
      losses: 60,
      seconds: 300,
      costs: { ...free, commit: 0.002, sync: 0.01 },
    };
    const { begun, committed, repeated, open, efficiency } = simulateFleet(lossy);
    expect(repeated).toBeGreaterThan(100);
    expect(begun - repeated - committed).toBe(open);
    // A worker is away for 10 of 70 seconds, and runs half an episode in vain.
    expect(open).toBeGreaterThan(40);
    expect(efficiency).toBeGreaterThan(0.8);
    expect(efficiency).toBeLessThan(60 / 70 + 0.02);
    expect(simulateFleet(lossy)).toEqual(simulateFleet(lossy));
  });
});
