import { EspalierError } from '../../core/errors.ts';
import type { Output } from '../output.ts';

/** Lets Ctrl+C end the work in good order; pressed again, it ends the program. */
export async function stoppable<T>(output: Output, work: (controller: AbortController) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    output.note('stopping …');
    controller.abort();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(controller);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
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
