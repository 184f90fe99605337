import { writeSync } from 'node:fs';
import { EspalierError } from '../../core/errors.ts';
import { startWatchdog } from '../../system/watchdog/watchdog.ts';
import type { Output } from './output.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
/** One press of Ctrl+C may come twice: from the terminal, and from the launcher. */
const samePressMilliseconds = 500;
/** As long as any answer may take. */
const limitMilliseconds = 60_000;
const graceMilliseconds = 1000;

interface StopOptions {
  /** How long an episode may take; null for any time. */
  readonly seconds?: number | null;
  /** Addresses of folders whose code is no user's, such as that of a study. */
  readonly beside?: readonly string[];
}

/**
 * Ctrl+C stops the work in good order; pressed again, it ends the program. The program also ends when a user's code does not return in
 * this thread for a minute, or for the seconds that an episode may take.
 */
export async function stoppable<T>(
  output: Output,
  work: (controller: AbortController) => Promise<T>,
  { seconds = null, beside = [] }: StopOptions = {},
): Promise<T> {
  const controller = new AbortController();
  const letGo = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  const stop = (): void => {
    if (controller.signal.aborted) return;
    output.note('stopping …');
    controller.abort();
    setTimeout(letGo, samePressMilliseconds).unref();
  };
  for (const signal of signals) process.on(signal, stop);
  const watchdog = startWatchdog({
    limitMilliseconds: Math.min(limitMilliseconds, seconds === null ? Infinity : seconds * 1000 + graceMilliseconds),
    signals,
    beside,
    onEnd: where => writeSync(process.stderr.fd, output.shown(`${endText(where)}\n`)),
  });
  try {
    return await work(controller);
  } finally {
    watchdog.close();
    letGo();
  }
}

function endText(where: string): string {
  return `error: Code did not return: ${where}. The program ends here. What had ended is kept. Correct the code, then go on with the run; if it is the code of an app, start another run.`;
}

/** A full disk is no reason to start anew. */
export async function advisingResume<T>(command: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof EspalierError) || cause.code !== 'disk-full') throw cause;
    const { boundary, code, message, expected } = cause;
    throw new EspalierError({
      boundary,
      code,
      message: message.replace(` ${expected}`, ''),
      expected: `What was written is safe. Make space, then go on with: ${command}.`,
      cause,
    });
  }
}
