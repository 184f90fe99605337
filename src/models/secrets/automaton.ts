import { endsRun, kindOf, leadIn, leads, symbolIn, symbolOf } from './characters.ts';

/** One of the texts that are looked for, in letters and digits only. */
export interface Needle {
  readonly text: string;
  /** Characters of it for each character of the secret. */
  readonly unit: number;
}

/** What of a needle has been read. */
interface Reading {
  /** Where escapes may begin in the text: one bit each. */
  readonly leads: number;
  /** Letters and digits at the end that may begin a needle. */
  readonly depth: number;
  /** How many characters of a secret these tell. */
  readonly worth: number;
}

interface Survey {
  readonly hasNeedle: boolean;
  /** Where escapes may begin: one bit each. */
  readonly leads: number;
  /** Whether there is a run of characters that may be packed text. */
  readonly hasRun: boolean;
}

/** Finds all needles at once, in time that does not depend on their number (Aho and Corasick). */
export interface Automaton {
  /** What is in the text; no more than the needle where there is one. */
  survey(text: string): Survey;
  /** The ends of all needles in the text, and how many letters and digits each has. */
  ends(text: string): readonly { readonly end: number; readonly length: number }[];
  /** How the text may go on to become a needle. */
  reading(text: string): Reading;
}

const symbols = 36;
/** Shorter ones pack no secret. */
const shortestRun = 16;
/** The place of a line in a dump. */
const dumpDigits = 7;
const dumpPlace = /^[0-9a-f]+$/i;
const [space, colon] = [32, 58];

export function createAutomaton(needles: readonly Needle[]): Automaton {
  const { moves, ends, worth, depths } = tableOf(needles);
  return {
    survey(text) {
      let [state, found, start, longest] = [0, 0, 0, 0];
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const kind = kindOf(code);
        const symbol = symbolIn(kind);
        if (symbol >= 0) {
          state = moves[state * symbols + symbol] as number;
          if (ends[state] !== 0) return { hasNeedle: true, leads: found, hasRun: false };
        }
        if (!endsRun(kind)) continue;
        const run = at - start;
        start = at + 1;
        if (run > longest) longest = run;
        found |= leadIn(kind);
        if (run >= dumpDigits && (code === space || code === colon) && dumpPlace.test(text.slice(at - dumpDigits, at)))
          found |= leads.dump;
      }
      return { hasNeedle: false, leads: found, hasRun: Math.max(longest, text.length - start) >= shortestRun };
    },
    ends(text) {
      const all: { end: number; length: number }[] = [];
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        const symbol = symbolOf(text.charCodeAt(at));
        if (symbol < 0) continue;
        state = moves[state * symbols + symbol] as number;
        const length = ends[state] as number;
        if (length > 0) all.push({ end: at + 1, length });
      }
      return all;
    },
    reading(text) {
      let [state, found] = [0, 0];
      for (let at = 0; at < text.length; at++) {
        const kind = kindOf(text.charCodeAt(at));
        const symbol = symbolIn(kind);
        found |= leadIn(kind);
        if (symbol >= 0) state = moves[state * symbols + symbol] as number;
      }
      return { depth: depths[state] as number, worth: worth[state] as number, leads: found };
    },
  };
}

interface Table {
  readonly moves: Uint16Array | Uint32Array;
  readonly ends: Uint32Array;
  readonly worth: Float32Array;
  readonly depths: Uint32Array;
}

function tableOf(needles: readonly Needle[]): Table {
  const size = 1 + needles.reduce((sum, { text }) => sum + text.length, 0);
  // Most of the memory: a proxy has a table for each key that it meets.
  const moves = size < 2 ** 16 ? new Uint16Array(size * symbols) : new Uint32Array(size * symbols);
  const [ends, worth, depths] = [new Uint32Array(size), new Float32Array(size), new Uint32Array(size)];
  let count = 1;
  for (const { text, unit } of needles) {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const edge = state * symbols + symbolOf(text.charCodeAt(at));
      if (moves[edge] === 0) moves[edge] = count++;
      state = moves[edge] as number;
      depths[state] = at + 1;
      worth[state] = Math.max(worth[state] as number, (at + 1) / unit);
    }
    ends[state] = text.length;
  }
  const table = { moves, ends, worth, depths };
  linkFailures(table);
  return table;
}

/** Fills in where each state goes on when its needle does not. */
function linkFailures({ moves, ends, worth }: Table): void {
  const failures = new Int32Array(ends.length);
  const queue = [0];
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] as number;
    const failure = failures[state] as number;
    ends[state] = Math.max(ends[state] as number, ends[failure] as number);
    worth[state] = Math.max(worth[state] as number, worth[failure] as number);
    for (let symbol = 0; symbol < symbols; symbol++) {
      const edge = state * symbols + symbol;
      const fallback = state === 0 ? 0 : (moves[failure * symbols + symbol] as number);
      const child = moves[edge] as number;
      if (child === 0) moves[edge] = fallback;
      else {
        failures[child] = fallback;
        queue.push(child);
      }
    }
  }
}
