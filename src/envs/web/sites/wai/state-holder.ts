import { causeText } from '../../../../core/errors.ts';

/** The state of one app as the texts that its page pushed. */
export interface StateHolder {
  /** Null until the first push. */
  state(): string | null;
  /** The first push. */
  seed(): string | null;
  /** Restores both; the page is not told. */
  restore(state: string | null, seed: string | null): void;
  /** Back to the seed; whether there was one. */
  reset(): boolean;
  /** Takes a pushed body; says what is wrong with it, and keeps the state as it was. */
  push(body: Uint8Array): string | null;
  /** Pushes that were taken. */
  pushes(): number;
  /** What went wrong, in order; the first ones only. */
  faults(): readonly string[];
  report(fault: string): void;
}

/** A page may push rubbish in a loop: more than this teaches nobody anything. */
const mostFaults = 100;

export function createStateHolder(): StateHolder {
  let state: string | null = null;
  let seed: string | null = null;
  let pushes = 0;
  const faults: string[] = [];
  const report = (fault: string): void => {
    if (faults.length < mostFaults) faults.push(fault);
  };
  return {
    state: () => state,
    seed: () => seed,
    pushes: () => pushes,
    faults: () => [...faults],
    report,
    restore(nextState, nextSeed) {
      state = nextState;
      seed = nextSeed;
    },
    reset() {
      state = seed;
      return seed !== null;
    },
    push(body) {
      const read = readJson(body);
      if ('problem' in read) {
        report(`PUT /api/state: ${read.problem}`);
        return read.problem;
      }
      state = read.text;
      seed ??= read.text;
      pushes++;
      return null;
    },
  };
}

function readJson(body: Uint8Array): { readonly text: string } | { readonly problem: string } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return { problem: 'The state is not UTF-8' };
  }
  try {
    JSON.parse(text);
    return { text };
  } catch (cause) {
    return { problem: `The state is not JSON: ${causeText(cause)}` };
  }
}
