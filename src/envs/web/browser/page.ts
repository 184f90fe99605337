import { inTime, type Timers } from '../../../core/clock.ts';
import { EspalierError } from '../../../core/errors.ts';
import type { Loss } from './loss.ts';
import type { Gate } from '../containment/gate.ts';
import { createIncidentLog, type Incident } from './incident-log.ts';
import { cameNearStackEnd } from './stack-use.ts';
import type { PrepareTarget } from '../containment/targets.ts';
import { LostError, type BrowserEvent, type Connection, type Params } from './connection.ts';

/** A page in a context of its own. */
export interface Page {
  send<T = unknown>(method: string, params?: Params): Promise<T>;
  /** The value of an expression in the page; a promise is waited for. */
  evaluate<T>(expression: string, options?: EvaluateOptions): Promise<T>;
  listen(hear: (event: BrowserEvent) => void): () => void;
  /** Runs something after so many milliseconds of the real clock, unless it is cancelled before. */
  after(milliseconds: number, run: () => void): () => void;
  /** Lets it connect to the server of this origin, or to a port of this machine in its place; it can connect to nothing before. */
  allow(origin: string, port?: number): void;
  /** Prepares its workers and frames before they run; without anybody who does, none runs. Gives back how to stop. */
  onTarget(prepare: PrepareTarget): () => void;
  /** Notes what happened beside. */
  report(incident: Incident): void;
  /** What happened since this was last asked. */
  incidents(): readonly Incident[];
  /** Notes that something in it follows the real clock, or real chance: what it shows is not certified from now on. */
  noteRealClock(what: string): void;
  /** What was noted first; null when nothing was. */
  realClock(): string | null;
  /** Whether calls in it came near the end of the stack since it was opened. */
  cameNearStackEnd(): Promise<boolean>;
  /** Whether it crashed, its browser did, or it was given up. */
  isLost(): boolean;
  close(): Promise<void>;
}

export interface EvaluateOptions {
  /** Lets it do what only somebody who just clicked may do, such as opening a choice. */
  readonly asUser?: boolean;
}

export interface PageOptions {
  readonly connection: Connection;
  readonly session: string;
  readonly loss: Loss;
  readonly gate: Gate;
  readonly timers: Timers;
  /** How long any answer of the page may take. */
  readonly patience: number;
  dispose(): Promise<void>;
}

export interface CreatedPage {
  readonly page: Page;
  readonly prepare: PrepareTarget;
}

export function createPage(options: PageOptions): CreatedPage {
  const { connection, session, loss, gate, timers, patience } = options;
  const [preparers, incidents] = [new Set<PrepareTarget>(), createIncidentLog()];
  let closed = false;
  let realClock: string | null = null;

  const send = <T>(method: string, params?: Params): Promise<T> => {
    if (loss.isLost()) return Promise.reject(new LostError('page'));
    const answer = loss.unlessLost(connection.send<T>(method, params, session));
    const late = (): Error => {
      // Whatever it does now, nobody knows what it did with the question.
      loss.lose();
      return tooLong(method, patience);
    };
    return inTime(answer, { timers, milliseconds: patience, late });
  };
  const page: Page = {
    send,
    async evaluate<T>(expression: string, { asUser = false }: EvaluateOptions = {}): Promise<T> {
      const { result, exceptionDetails } = await send<Evaluation<T>>('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
        userGesture: asUser,
      });
      if (exceptionDetails === undefined) return result.value;
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    },
    listen: hear => connection.listen(hear, session),
    after: timers.after,
    allow: gate.allow,
    onTarget(prepare) {
      preparers.add(prepare);
      return () => preparers.delete(prepare);
    },
    report: incidents.add,
    incidents: incidents.take,
    noteRealClock(what) {
      realClock ??= what;
    },
    realClock: () => realClock,
    cameNearStackEnd: () => cameNearStackEnd(connection, text => page.evaluate(text)),
    isLost: loss.isLost,
    async close() {
      if (closed) return;
      closed = true;
      loss.lose();
      connection.forget(session);
      await options.dispose();
    },
  };
  gate.onRefused(place => page.report({ kind: 'blocked', detail: `connection to ${place}` }));
  return {
    page,
    async prepare(target) {
      if (preparers.size === 0) throw new Error('Nobody prepares the targets of this page.');
      for (const prepare of preparers) await prepare(target);
    },
  };
}

interface Evaluation<T> {
  readonly result: { readonly value: T };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

function tooLong(method: string, milliseconds: number): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'deadline',
    message: `The page did not answer ${method} in ${milliseconds} ms.`,
    expected: 'Expected a page that comes to rest; a script in it may run for ever.',
  });
}
