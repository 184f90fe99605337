/** What the watchdog thread is started with. */
export interface WatcherSetup {
  readonly shared: SharedArrayBuffer;
  /** How long code of others may run without a pause. */
  readonly limitMilliseconds: number;
}

/** Places in the memory that both threads see. */
export const cellNames = {
  /** Counts the turns of the main thread. */
  beats: 0,
  /** 1 when the main thread is stuck in code that is not ours. */
  foreign: 1,
} as const;
export const cellBytes = 8;

/** Name of the symbol under which the watchdog finds what it may call in the main thread. */
export const hooks = 'espalier.watchdog';

export const checkMilliseconds = 250;
/** A main thread without a turn for so long is looked at. */
export const noticeMilliseconds = 2000;
