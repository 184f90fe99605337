/** Totals of a run at a moment. */
interface Beat {
  readonly at: number;
  readonly episodes: number;
  readonly steps: number;
  readonly cost: number;
}

/** How much came in each second, lately. */
interface Rates {
  readonly episodes: number;
  readonly steps: number;
  readonly cost: number;
}

/** How fast a run is written. */
export interface Pulse {
  beat(beat: Beat): void;
  rates(now: number): Rates;
}

const rateMilliseconds = 10_000;
const mostBeats = 100;

export function createPulse(): Pulse {
  const seen: Beat[] = [];
  return {
    beat(beat) {
      seen.push(beat);
      if (seen.length > mostBeats) seen.shift();
    },
    rates(now) {
      const recent = seen.filter(({ at }) => now - at < rateMilliseconds);
      const [first, last] = [recent[0], recent.at(-1)];
      if (first === undefined || last === undefined || last.at <= first.at) return { episodes: 0, steps: 0, cost: 0 };
      const rateOf = (name: keyof Rates): number => ((last[name] - first[name]) / (last.at - first.at)) * 1000;
      return { episodes: rateOf('episodes'), steps: rateOf('steps'), cost: rateOf('cost') };
    },
  };
}
