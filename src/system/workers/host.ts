import { availableParallelism } from 'node:os';
import type { Host } from '../../runs/host/host.ts';
import { createSystemClock, createSystemTimers } from '../clock.ts';
import { createWorkerPool } from './pool.ts';

export interface HostOptions {
  /** Threads that run episodes; 0 runs them in this one. One for each core when left out. */
  readonly workers?: number | undefined;
}

/** This machine: its clock, its cores, its environment variables, and standard error for remarks. */
export function createSystemHost({ workers = availableParallelism() }: HostOptions = {}): Host {
  return {
    clock: createSystemClock(),
    timers: createSystemTimers(),
    workers: workers === 0 ? undefined : { start: options => createWorkerPool({ ...options, workers }) },
    variable: name => process.env[name],
    onNotice: text => void process.stderr.write(`${text}\n`),
  };
}
