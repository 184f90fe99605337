import type { Clock } from '../../core/clock.ts';
import { count } from '../../core/text.ts';
import { type Output } from './output.ts';
import type { ProgressCounter } from '../../runs/plan/progress-counter.ts';

const millisecondsLive = 100;
const millisecondsNoted = 10_000;

/** Tells how far a run is: at once on a terminal, now and then elsewhere. */
export function createProgress(output: Output, clock: Clock, what: string): (meter: ProgressCounter) => void {
  const pause = output.isLive ? millisecondsLive : millisecondsNoted;
  let next = clock.now() + pause;
  return meter => {
    if (clock.now() < next) return;
    next = clock.now() + pause;
    const text = `${what}: ${progressText(meter)}`;
    if (output.isLive) output.progress(text);
    else output.note(text);
  };
}

function progressText({ planned, skipped, ended, outcomes, steps, seconds }: ProgressCounter): string {
  const rate = seconds === 0 ? 0 : Math.round(steps / seconds);
  const left = Math.max(0, planned - skipped - ended);
  return [
    `${(skipped + ended).toLocaleString('en')} of ${count(planned, 'episode')}`,
    `${rate.toLocaleString('en')} steps/s`,
    outcomesText(outcomes),
    `about ${durationText((seconds / ended) * left)} left`,
  ].join(' · ');
}

/** `12 passed, 3 failed`. Outcomes that did not happen are left out. */
export function outcomesText(outcomes: ProgressCounter['outcomes']): string {
  const told = Object.entries(outcomes).filter(([, number]) => number > 0);
  return told.length === 0 ? 'none' : told.map(([name, number]) => `${number.toLocaleString('en')} ${name}`).join(', ');
}

export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
