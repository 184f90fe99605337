import type { EpisodeEnd, EpisodeHead, Outcome } from '../core/episode/events.ts';
import type { Certificate } from '../core/episode/certificate.ts';
import type { Journal } from '../core/episode/journal.ts';
import { foldEpisode } from '../core/episode/record.ts';
import { invalidOption, type EspalierError } from '../core/errors.ts';
import { createSemaphore } from '../core/semaphore.ts';
import { runAttempt, type Attempt, type AttemptContext } from './attempt.ts';
import { createCertifier, type CertifierOptions } from './certify/certifier.ts';
import { createDistrust } from './certify/distrust.ts';
import { createTurns } from './cursor/turns.ts';

/** What a run did, told once for each episode that ended. */
export interface Progress {
  readonly head: EpisodeHead;
  readonly end: EpisodeEnd;
}

export interface RunTotals {
  /** Episodes that ended in this run. */
  readonly ended: number;
  /** Episodes that had ended before. */
  readonly skipped: number;
  /** Whether the run was stopped before its plan was done and certified. */
  readonly stopped: boolean;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Leaves that were replayed, by what the replay showed. */
  readonly certificates: Readonly<Record<Certificate['result'], number>>;
}

/** Runs one episode, in this thread or in another. Null when it was stopped before its end. */
export type RunEpisode = (head: EpisodeHead, context: AttemptContext) => Promise<Attempt | null>;

export interface RunOptions extends Omit<AttemptContext, 'signal' | 'distrust' | 'slots' | 'turns'> {
  /** The episodes to run, made as they are needed. */
  readonly plan: Iterable<EpisodeHead>;
  /** Episodes at once, and questions to agents at once: an episode may ask several. */
  readonly concurrency: number;
  /** Runs each episode; in this thread when left out. */
  readonly runEpisode?: RunEpisode;
  /** False leaves what passed in worlds that need a replay without a certificate, to be certified later. */
  readonly certifies?: boolean;
  /** Ends the run early: what has not ended is done again by the next run. */
  readonly signal?: AbortSignal;
  /** Asked before each episode: no ends the run early, and lets those under way end. */
  mayBegin?(): boolean;
  onProgress?(progress: Progress): void;
  /** Told of each episode that had ended before. */
  onSkip?(head: EpisodeHead): void;
  /** Environments whose snapshots are not used, by why; what the run finds out is added. */
  readonly distrusted?: ReadonlyMap<string, string>;
}

/** One replay goes on beside so many episodes: enough for most runs, and pages are left for rollbacks. Idle places replay, too. */
const episodesPerReplay = 2;
/** Episodes that begin without giving others a turn. */
const atOnce = 16;

/** Runs what the plan holds and the journal does not. An episode that fails is an outcome; a store that fails ends the run. */
export async function runEpisodes(options: RunOptions): Promise<RunTotals> {
  const { concurrency, journal, clock, timers, onProgress, onSkip, runEpisode = runAttempt } = options;
  if (!(Number.isInteger(concurrency) && concurrency > 0)) throw badConcurrency(concurrency);
  const own = new AbortController();
  const signal = options.signal === undefined ? own.signal : AbortSignal.any([options.signal, own.signal]);
  let stopped = false;
  const tally = { ended: 0, skipped: 0, outcomes: { passed: 0, failed: 0, discarded: 0, errored: 0 } };
  /** Episodes that are under way. */
  let busy = 0;
  const replays = (): number => Math.max(Math.ceil(concurrency / episodesPerReplay), concurrency - busy);
  const certifying = createCertifying(options, { signal, concurrency: replays, onFailure: cause => own.abort(cause) });
  const slots = createSemaphore(concurrency);
  const turns = createTurns(clock, timers);
  const context: AttemptContext = { ...options, signal, slots, turns, distrust: certifying.distrust };
  const heads = due(options.plan, journal, head => {
    tally.skipped++;
    onSkip?.(head);
  });

  const work = async (cursor: number): Promise<void> => {
    // Where many begin at once, the first ask their questions before the last is prepared.
    if (cursor >= atOnce) for (let turn = turns.pause(); turn !== null; turn = turns.pause()) await turn;
    for (;;) {
      const { value: head, done } = heads.next();
      if (done === true) return;
      const isWelcome = !signal.aborted && (options.mayBegin?.() ?? true);
      busy++;
      const attempt = isWelcome ? await runEpisode(head, context) : null;
      busy--;
      if (attempt === null) {
        stopped = true;
        return;
      }
      const { end } = attempt.stored;
      tally.ended++;
      tally.outcomes[end.outcome]++;
      onProgress?.({ head, end });
      await certifying.beside(attempt);
      await turns.pause();
    }
  };
  const stopAll = (cause: unknown): never => {
    own.abort(cause);
    throw cause;
  };
  const workers = Array.from({ length: concurrency }, (_, cursor) => work(cursor).catch(stopAll));
  // All have let go before the first failure is told: nothing is written behind the caller's back.
  await Promise.allSettled(workers);
  const { isComplete, certificates } = await certifying.done();
  if (own.signal.aborted) throw own.signal.reason;
  journal.flush();
  return { ...tally, certificates, stopped: stopped || !isComplete };
}

interface Certifying extends Required<Pick<AttemptContext, 'distrust'>> {
  /** The place of the episode goes to the next one, unless as many replays are under way as may be. */
  beside(attempt: Attempt): Promise<void>;
  done(): Promise<Pick<RunTotals, 'certificates'> & { readonly isComplete: boolean }>;
}

function createCertifying(
  { journal, clock, certifies = true, distrusted }: RunOptions,
  { signal, concurrency, onFailure }: Pick<CertifierOptions, 'signal' | 'concurrency' | 'onFailure'>,
): Certifying {
  const distrust = createDistrust(distrusted);
  const certificates = { agreed: 0, diverged: 0, broken: 0 };
  const certifier = createCertifier({
    journal,
    clock,
    signal,
    concurrency,
    onFailure,
    onCertificate(record, certificate) {
      certificates[certificate.result]++;
      distrust.note(record, certificate);
    },
  });
  return {
    distrust: distrust.reason,
    async beside({ stored, replay }) {
      if (certifies && stored.end.certification === 'by-replay')
        await certifier.add({ record: foldEpisode(stored), replay });
    },
    done: async () => ({ isComplete: await certifier.done(), certificates }),
  };
}

/** The episodes that have not ended yet, in the order of the plan. */
function* due(
  plan: Iterable<EpisodeHead>,
  journal: Journal,
  skip: (head: EpisodeHead) => void,
): Generator<EpisodeHead, undefined, undefined> {
  const ended = new Map<string, ReadonlySet<string>>();
  for (const head of plan) {
    const known = ended.get(head.run) ?? journal.done(head.run);
    ended.set(head.run, known);
    if (known.has(head.key)) skip(head);
    else yield head;
  }
}

function badConcurrency(concurrency: number): EspalierError {
  return invalidOption(`The concurrency is ${concurrency}.`, 'Expected a whole number above 0.');
}
