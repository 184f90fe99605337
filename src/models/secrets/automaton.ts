/** One of the texts that are looked for, in letters and digits only. */
export interface Needle {
  readonly text: string;
  /** Characters of it for each character of the secret. */
  readonly unit: number;
}

/** What of a needle has been read. */
interface Reading {
  /** Letters and digits at the end that may begin a needle. */
  readonly depth: number;
  /** How many characters of a secret these tell. */
  readonly worth: number;
}

/** Finds all needles at once, in time that does not depend on their number (Aho and Corasick). */
export interface Automaton {
  /** Whether a needle is in the text. */
  has(text: string): boolean;
  /** The ends of all needles in the text, and how many letters and digits each has. */
  ends(text: string): readonly { readonly end: number; readonly length: number }[];
  /** How the text may go on to become a needle. */
  reading(text: string): Reading;
}

const symbols = 36;

/** The number of a letter or digit, whatever its case; -1 for all others. */
export function symbolOf(code: number): number {
  if (code < 48) return -1;
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 48 && code <= 57) return code - 22;
  return code < 0x2000 ? -1 : symbolOfVariant(code);
}

/** Letters in another dress: full width, circled, superscript. */
function symbolOfVariant(code: number): number {
  if (code >= 0x3000 && code < 0xf900) return -1;
  const plain = String.fromCharCode(code).normalize('NFKD');
  return plain.length === 1 && plain.charCodeAt(0) < 128 ? symbolOf(plain.charCodeAt(0)) : -1;
}

export function createAutomaton(needles: readonly Needle[]): Automaton {
  const size = 1 + needles.reduce((sum, { text }) => sum + text.length, 0);
  const table = { moves: new Int32Array(size * symbols), ends: new Uint32Array(size), worth: new Float32Array(size) };
  const depths = new Uint32Array(size);
  let count = 1;
  for (const { text, unit } of needles) {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const edge = state * symbols + symbolOf(text.charCodeAt(at));
      if (table.moves[edge] === 0) table.moves[edge] = count++;
      state = table.moves[edge] as number;
      depths[state] = at + 1;
      table.worth[state] = Math.max(table.worth[state] as number, (at + 1) / unit);
    }
    table.ends[state] = text.length;
  }
  linkFailures(table);
  const { moves, ends, worth } = table;
  /** Reads a text, and tells where needles end; stops when it is told to. The state at the end. */
  const read = (text: string, found: (end: number, length: number) => boolean): number => {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const symbol = symbolOf(text.charCodeAt(at));
      if (symbol < 0) continue;
      state = moves[state * symbols + symbol] as number;
      const length = ends[state] as number;
      if (length > 0 && found(at + 1, length)) return state;
    }
    return state;
  };
  return {
    has(text) {
      let isFound = false;
      read(text, () => (isFound = true));
      return isFound;
    },
    ends(text) {
      const all: { end: number; length: number }[] = [];
      read(text, (end, length) => {
        all.push({ end, length });
        return false;
      });
      return all;
    },
    reading(text) {
      const state = read(text, () => false);
      return { depth: depths[state] as number, worth: worth[state] as number };
    },
  };
}

interface Table {
  readonly moves: Int32Array;
  readonly ends: Uint32Array;
  readonly worth: Float32Array;
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
