import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RlRound } from '../rl.ts';
import type { Update } from '../update.ts';
import { mlflowFiles } from './mlflow.ts';
import { trackedRounds } from './round-metrics.ts';
import { crc32c, tensorBoardFile, tensorBoardName } from './tensorboard.ts';
import { readTrackers, trackRounds } from './track.ts';

const folder = mkdtempSync(join(tmpdir(), 'espalier-track-'));
afterAll(() => rmSync(folder, { recursive: true }));

const updated = (passed: number, kl: number) =>
  ({ attempts: 8, passed, kl, entropy: 1.25, collectSeconds: 1.5, updateSeconds: 0.5 }) as Update;
const rounds: readonly RlRound[] = [
  { round: 0, update: null, totalSteps: 0, totalAttempts: 0, evaluation: null },
  { round: 1, update: updated(2, 0.125), totalSteps: 10, totalAttempts: 8, evaluation: null },
  { round: 2, update: updated(6, 0.25), totalSteps: 320, totalAttempts: 16, evaluation: null },
];

/** Reads TFRecords back by their lengths, and compares both checksums of each. */
function readRecords(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset);
  const unmasked = (at: number): number => {
    const rotated = (view.getUint32(at, true) - 0xa2_82_ea_d8) >>> 0;
    return ((rotated >>> 17) | (rotated << 15)) >>> 0;
  };
  const records: Uint8Array[] = [];
  for (let at = 0; at < file.length; ) {
    const length = Number(view.getBigUint64(at, true));
    const data = file.subarray(at + 12, at + 12 + length);
    expect(unmasked(at + 8)).toBe(crc32c(file.subarray(at, at + 8)));
    expect(unmasked(at + 12 + length)).toBe(crc32c(data));
    records.push(data);
    at += 16 + length;
  }
  return records;
}

describe('curves of rl', () => {
  it('[RL-21] are drawn: reward, KL divergence and entropy of every round', () => {
    trackRounds({ folder, name: 'one', params: {}, rounds, trackers: [] });
    const drawn = readFileSync(join(folder, 'curves.svg'), 'utf8');
    for (const told of ['Mean reward', 'KL divergence', 'Entropy', 'round 1: 0.25', 'round 2: 0.75', 'round 2: 1.25'])
      expect(drawn).toContain(told);
  });

  it('[RL-22] are event files of TensorBoard, whose beginning stays as it is', () => {
    // The check value of CRC-32C.
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3_06_92_83);
    trackRounds({ folder, name: 'one', params: {}, rounds, trackers: ['tensorboard'] });
    const file = readFileSync(join(folder, 'tensorboard', tensorBoardName));
    const records = readRecords(file);
    expect(records).toHaveLength(1 + rounds.length);
    expect(Buffer.from(records[0] as Uint8Array).toString('latin1')).toContain('brain.Event:2');
    const [, , second] = records as [Uint8Array, Uint8Array, Uint8Array];
    // wall_time (field 1): seconds of training; step (field 2): the round; then a summary with tag and float.
    expect(new DataView(second.buffer, second.byteOffset).getFloat64(1, true)).toBe(2);
    expect([second[0], second[9], second[10], second[11]]).toEqual([0x09, 0x10, 1, 0x2a]);
    const reward = Buffer.from(second).indexOf('rl/reward');
    expect(Buffer.from(second).readFloatLE(reward + 'rl/reward'.length + 1)).toBe(0.25);
    const shorter = tensorBoardFile(trackedRounds(rounds.slice(0, 2)));
    expect(Buffer.compare(file.subarray(0, shorter.length), shorter)).toBe(0);
  });

  it('[RL-22] are a file store of MLflow; of Weights & Biases, it says what to do', () => {
    const files = mlflowFiles({ name: 'one', params: { seed: '1' }, rounds: trackedRounds(rounds), curves: '<svg/>' });
    const found = (ending: string): string | undefined => [...files].find(([path]) => path.endsWith(ending))?.[1];
    expect(found('/metrics/reward')).toBe('2000 0.25 1\n4000 0.75 2\n');
    expect(found('/params/seed')).toBe('1');
    expect(found('/artifacts/curves.svg')).toBe('<svg/>');
    expect(found('/meta.yaml')).toContain('lifecycle_stage: active');
    expect(() => readTrackers(['wandb'])).toThrow('internal format');
    expect(() => readTrackers(['comet'])).toThrow('There is no tracker "comet".');
  });
});
