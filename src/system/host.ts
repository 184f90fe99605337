import type { Host } from '../runs/host.ts';
import { createSystemClock, createSystemTimers } from './clock.ts';

/** This machine: its clock, its environment variables, and standard error for remarks. */
export function createSystemHost(): Host {
  return {
    clock: createSystemClock(),
    timers: createSystemTimers(),
    variable: name => process.env[name],
    onNotice: text => void process.stderr.write(`${text}\n`),
  };
}
