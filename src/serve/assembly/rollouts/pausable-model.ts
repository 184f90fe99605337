import type { Model } from '../../../core/chat/model.ts';

/** The versions of the policy in force when a call was sent, and when its answer came. */
export interface CallVersions {
  readonly sent: number;
  readonly received: number;
}

/** A model whose questions can be held back between two steps of a rollout. */
export interface PausableModel {
  readonly model: Model;
  /** Of every answer so far, in their order. */
  readonly versions: readonly CallVersions[];
  /** Gives up the question under way: it is asked again after `resume`. Everything answered so far is kept. */
  pause(): void;
  resume(): void;
  isPaused(): boolean;
}

export function createPausableModel(model: Model, version: () => number): PausableModel {
  const versions: CallVersions[] = [];
  let gate = createGate();
  let resumed = Promise.resolve();
  let open = (): void => undefined;
  return {
    versions,
    isPaused: () => gate.signal.aborted,
    pause() {
      if (gate.signal.aborted) return;
      resumed = new Promise(resolve => {
        open = resolve;
      });
      gate.abort();
    },
    resume() {
      if (!gate.signal.aborted) return;
      gate = createGate();
      open();
    },
    model: {
      ...model,
      async complete(request, signal) {
        for (;;) {
          if (gate.signal.aborted) await untilEither(resumed, signal);
          if (isRaised(signal)) throw signal?.reason;
          const held = gate.signal;
          const sent = version();
          try {
            const answer = await model.complete(request, signal === undefined ? held : AbortSignal.any([signal, held]));
            versions.push({ sent, received: version() });
            return answer;
          } catch (cause) {
            if (!held.aborted || isRaised(signal)) throw cause;
          }
        }
      },
    },
  };
}

function isRaised(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function createGate(): AbortController {
  return new AbortController();
}

function untilEither(first: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    void first.then(resolve);
    if (signal?.aborted === true) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
