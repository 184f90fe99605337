import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLog } from '../../episode/cursor/log.ts';
import type { EpisodePool } from '../../runs/host/pool.ts';
import type { PoolRequest } from '../../runs/host/pool.ts';
import { eventsIn, lostEnd } from '../workers/episode-record.ts';
import { errorFrom } from '../workers/wire-error.ts';
import type { AloneReply, AloneRequest } from './messages.ts';

/** How a process ended before it answered. */
interface Gone {
  readonly kind: 'gone';
  readonly how: string;
}

/** Runs episodes in a process of their own, one at a time: whatever ends it is the work of that one. */
export function createAlonePool(request: PoolRequest, now: () => number): EpisodePool {
  let child: Child | null = null;
  const ask = async (message: AloneRequest): Promise<Exclude<AloneReply, { kind: 'failed' }> | Gone> => {
    const asked = child as Child;
    const answer = await asked.ask(message);
    if (answer.kind === 'failed') throw errorFrom(answer.error);
    if (answer.kind === 'gone' && child === asked) child = null;
    return answer;
  };
  const ready = async (): Promise<void> => {
    if (child !== null) return;
    child = startChild();
    await ask({ kind: 'open', request });
  };
  return {
    async runEpisode(head, context) {
      const started = now();
      const stop = (): void => child?.kill();
      context.signal.addEventListener('abort', stop, { once: true });
      try {
        await ready();
        const distrust = context.distrust?.(head.task.environment) ?? null;
        const answer = child === null ? null : await ask({ kind: 'run', head, distrust });
        if (context.signal.aborted) return null;
        const entries = answer?.kind === 'ended' ? answer.entries : [];
        const end =
          answer?.kind === 'ended'
            ? answer.end
            : lostEnd([], { ...lossOf(answer), boundary: 'environment', milliseconds: now() - started });
        const log = openLog(context.journal, head, context.signal);
        for (const entry of entries) {
          if ('data' in entry) log.attach(entry.data);
          else log.append(entry.event);
        }
        log.end(end);
        return {
          stored: { head, events: eventsIn(entries), end, certificates: [] },
          async replay(path) {
            const found = child === null ? null : await ask({ kind: 'replay', path });
            if (found?.kind === 'found') return found.finding;
            throw new Error('The process that replayed the episode ended.');
          },
        };
      } finally {
        context.signal.removeEventListener('abort', stop);
      }
    },
    close() {
      child?.kill();
      child = null;
      return Promise.resolve();
    },
  };
}

/** A process that answers one request at a time. */
interface Child {
  ask(message: AloneRequest): Promise<AloneReply | Gone>;
  kill(): void;
}

function startChild(): Child {
  const program = fileURLToPath(new URL(`./alone-process${extname(import.meta.url)}`, import.meta.url));
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  let reply: (answer: AloneReply) => void = () => undefined;
  const gone = new Promise<Gone>(resolve => {
    child.once('exit', (code, signal) => resolve({ kind: 'gone', how: String(signal ?? code) }));
    child.once('error', cause => resolve({ kind: 'gone', how: cause.message }));
  });
  child.on('message', answer => reply(answer as AloneReply));
  return {
    ask(message) {
      const replied = new Promise<AloneReply>(resolve => (reply = resolve));
      // One that is gone is heard of by its exit.
      child.send(message, () => undefined);
      return Promise.race([replied, gone]);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function lossOf(answer: { readonly kind: string; readonly how?: string } | null): { reason: string; message: string } {
  const how = answer?.how ?? 'nobody knows how';
  return {
    reason: 'set aside',
    message: `The episode ended its process three times, each time another one; the last time it was alone there (${how}).`,
  };
}
