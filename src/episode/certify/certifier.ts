import type { Clock } from '../../core/clock.ts';
import { certificateOf, type Certificate } from '../../core/episode/certificate.ts';
import type { Journal } from '../../core/episode/journal.ts';
import { leavesOf, type EpisodeRecord } from '../../core/episode/record.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import { pathTo } from './certify.ts';
import { writingTo } from '../cursor/log.ts';
import type { ReplayPath } from './certify.ts';

export interface CertifierOptions {
  readonly journal: Pick<Journal, 'certify'>;
  readonly clock: Clock;
  /** When it is raised, nothing is replayed or written any more. */
  readonly signal: AbortSignal;
  /** Episodes whose leaves may be replayed at once, at this moment. */
  concurrency(): number;
  /** Told of each certificate once it is written. */
  onCertificate?(record: EpisodeRecord, certificate: Certificate): void;
  /** The journal cannot be written, or what was given makes no sense. */
  onFailure(cause: unknown): void;
}

interface Certifying {
  readonly record: EpisodeRecord;
  readonly replay: ReplayPath;
  /** Whether leaves that did not pass are replayed as well. */
  readonly all?: boolean | undefined;
}

/** Replays leaves beside a run, each once, in sessions of its own. */
export interface Certifier {
  /** Returns when the replay has begun: while as many run as may, whoever adds another waits. */
  add(episode: Certifying): Promise<void>;
  /** Returns when nothing is under way any more: whether everything that was added got its certificate. */
  done(): Promise<boolean>;
}

/** Times that a path is replayed when the replay itself breaks. */
const mostTries = 2;

export function createCertifier(options: CertifierOptions): Certifier {
  const { concurrency, signal, onFailure } = options;
  const running = new Set<Promise<void>>();
  let isStopped = false;
  return {
    async add(episode) {
      while (running.size >= concurrency()) await Promise.race(running);
      const work = certifyEpisode(episode, options)
        .catch((cause: unknown) => {
          // What was stopped is certified by the next run.
          isStopped = true;
          if (!signal.aborted) onFailure(cause);
        })
        .finally(() => running.delete(work));
      running.add(work);
    },
    async done() {
      while (running.size > 0) await Promise.all(running);
      return !isStopped;
    },
  };
}

/** The leaves of an episode that need a certificate and have none that says anything; unless `all`, those that passed. */
export function leavesToCertify(record: EpisodeRecord, all = false): readonly number[] {
  if (record.end.certification !== 'by-replay' || record.end.outcome === 'errored') return [];
  const isOpen = (leaf: number): boolean => (certificateOf(record, leaf)?.result ?? 'broken') === 'broken';
  return leavesOf(record)
    .filter(({ verdict }) => verdict !== null && (all || verdict.pass))
    .map(({ node }) => node)
    .filter(isOpen);
}

async function certifyEpisode({ record, replay, all }: Certifying, options: CertifierOptions): Promise<void> {
  const { head } = record;
  for (const leaf of leavesToCertify(record, all)) {
    const certificate = await replayed({ record, replay }, leaf, options);
    options.signal.throwIfAborted();
    writingTo(() => options.journal.certify(head, certificate));
    options.onCertificate?.(record, certificate);
  }
}

async function replayed(episode: Certifying, leaf: number, options: CertifierOptions): Promise<Certificate> {
  const { record, replay } = episode;
  const { clock, signal } = options;
  const path = pathTo(record, leaf);
  const started = clock.now();
  const taken = (): Pick<Certificate, 'leaf' | 'milliseconds'> => ({
    leaf,
    milliseconds: Math.max(0, clock.now() - started),
  });
  for (let tried = 1; ; tried++) {
    try {
      const found = await replay(path);
      if (found.certified) {
        const { outside } = found;
        return { result: 'agreed', ...taken(), ...(outside === undefined ? {} : { outside }) };
      }
      const { certified: _certified, ...divergence } = found;
      return { result: 'diverged', ...taken(), ...divergence };
    } catch (cause) {
      if (signal.aborted || !(cause instanceof EspalierError) || cause.boundary === 'input') throw cause;
      if (tried === mostTries) return { result: 'broken', ...taken(), message: causeText(cause) };
    }
  }
}
