import { hash } from 'node:crypto';
import type { EpisodeEnd } from '../../core/episode/events.ts';
import type { Journal } from '../../core/episode/journal.ts';
import { runAttempt, type Attempt } from '../../episode/attempt.ts';
import { openJobHere, type OpenedJob } from '../../runs/jobs/open-job.ts';
import { createTrail } from '../../worlds/trail.ts';
import { createSystemHost } from '../workers/host.ts';
import type { Entry } from '../workers/episode-record.ts';
import { wireError } from '../workers/wire-error.ts';
import type { AloneReply, AloneRequest } from './messages.ts';

const host = createSystemHost({ workers: 1 });
const { clock, timers } = host;

/** Answers requests one after another: whatever ends this process is the work of the one under way. */
function createAnswering(): (request: AloneRequest) => Promise<AloneReply> {
  let opened: { readonly job: OpenedJob; readonly seed: string } | null = null;
  let latest: Attempt | null = null;
  return async request => {
    if (request.kind === 'open') {
      opened = { job: await openJobHere(host, request.request, 'core'), seed: request.request.seed };
      return { kind: 'opened' };
    }
    if (opened === null) throw new Error('No job was opened.');
    if (request.kind === 'replay') {
      if (latest === null) throw new Error('No episode has ended.');
      return { kind: 'found', finding: await latest.replay(request.path) };
    }
    const { job, seed } = opened;
    const { journal, told } = createTellingJournal();
    const { runEpisode = runAttempt, start } = job;
    const distrust = (): string | null => request.distrust;
    const { signal } = new AbortController();
    latest = await runEpisode(request.head, { seed, journal, clock, timers, signal, createTrail, start, distrust });
    return { kind: 'ended', ...told() };
  };
}

function createTellingJournal() {
  const entries: Entry[] = [];
  let ended: EpisodeEnd | null = null;
  const journal: Journal = {
    done: () => new Set(),
    certify: () => undefined,
    flush: () => undefined,
    begin: () => ({
      attach(data) {
        entries.push({ data });
        return hash('sha256', data);
      },
      append: event => void entries.push({ event }),
      end: end => void (ended = end),
    }),
  };
  const told = (): { entries: readonly Entry[]; end: EpisodeEnd } => {
    if (ended === null) throw new Error('The episode has no end.');
    return { entries, end: ended };
  };
  return { journal, told };
}

/** Answers in the order of the requests. */
function listen(): void {
  const answer = createAnswering();
  // Whoever asked may be gone: then nobody waits for an answer any more.
  const leave = (cause: Error | null): void => void (cause !== null && process.exit());
  const tell = (reply: AloneReply): void => void process.send?.(reply, leave);
  let turn: Promise<void> = Promise.resolve();
  process.on('message', (request: AloneRequest) => {
    turn = turn
      .then(() => answer(request))
      .then(tell, (cause: unknown) => tell({ kind: 'failed', error: wireError(cause) }));
  });
}

listen();
process.on('disconnect', () => process.exit());
