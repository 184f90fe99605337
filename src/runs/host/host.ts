import type { Clock, Timers } from '../../core/clock.ts';
import type { Workers } from './pool.ts';

/** What a run takes from the machine and the program around it; nothing in this layer reads them by itself. */
export interface Host {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Runs episodes beside each other; without it they share one thread. */
  readonly workers?: Workers | undefined;
  /** An environment variable: API keys, and how the browser is started. */
  variable(name: string): string | undefined;
  /** Takes a remark for the user that is no result. */
  onNotice(text: string): void;
}
