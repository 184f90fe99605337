import type { EpisodeHead } from '../../core/episode/events.ts';
import type { EpisodeLog, Journal } from '../../core/episode/journal.ts';
import { causeText, EspalierError } from '../../core/errors.ts';

/** The log of one episode, which tells a failing store from every other failure. */
export interface GuardedLog extends EpisodeLog {
  /** What the store broke with; whoever caught it on the way, the run must not go on. */
  failure(): EspalierError | null;
}

/** After the signal nothing is written any more. */
export function openLog(journal: Pick<Journal, 'begin'>, head: EpisodeHead, signal: AbortSignal): GuardedLog {
  let failure: EspalierError | null = null;
  const write = <T>(how: () => T): T => {
    if (signal.aborted) throw new Error('The run was stopped.', { cause: signal.reason });
    try {
      return how();
    } catch (cause) {
      failure ??= storeFailure(cause);
      throw failure;
    }
  };
  const log = write(() => journal.begin(head));
  return {
    attach: data => write(() => log.attach(data)),
    append: event => write(() => log.append(event)),
    end: end => write(() => log.end(end)),
    failure: () => failure,
  };
}

/** Keeps nothing. */
export const noLog: GuardedLog = {
  attach: () => '',
  append: () => undefined,
  end: () => undefined,
  failure: () => null,
};

/** Writes to a journal; whatever goes wrong is a failure of the store. */
export function writingTo<T>(write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw storeFailure(cause);
  }
}

function storeFailure(cause: unknown): EspalierError {
  if (cause instanceof EspalierError && cause.boundary === 'store') return cause;
  return new EspalierError({
    boundary: 'store',
    code: 'threw',
    message: `The journal cannot be written: ${causeText(cause)}.`,
    expected: 'Make room or mend the store, then resume the run: no finished episode is lost.',
    cause,
  });
}
