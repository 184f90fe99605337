import type { Timers } from '../../core/clock.ts';

export interface IncidentLimitOptions {
  readonly timers: Timers;
  /** `count` incidents of one kind; `detail` is that of the last. */
  report(detail: string, count: number): void;
}

export interface IncidentLimit {
  add(detail: string): void;
  /** Reports what was not reported yet. */
  end(): void;
}

/** Incidents that are reported one by one in a second; the others of that second are reported as one, with their count. */
const mostInWindow = 5;
const windowMilliseconds = 1000;

/** Reports the incidents of one client at a bounded rate: a client that sends rubbish must not fill the log. */
export function createIncidentLimit({ timers, report }: IncidentLimitOptions): IncidentLimit {
  let reported = 0;
  let [held, last] = [0, ''];
  let cancel: (() => void) | null = null;
  const end = (): void => {
    cancel?.();
    cancel = null;
    if (held > 0) report(last, held);
    [reported, held] = [0, 0];
  };
  return {
    end,
    add(detail) {
      cancel ??= timers.after(windowMilliseconds, end);
      if (reported < mostInWindow) {
        reported++;
        return report(detail, 1);
      }
      held++;
      last = detail;
    },
  };
}
