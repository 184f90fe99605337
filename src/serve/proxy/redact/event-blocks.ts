const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Cuts bytes into whole server-sent events, each with the empty line that ends it. */
export interface BlockSplitter {
  read(chunk: Buffer): readonly Buffer[];
  /** What came after the last whole event. */
  rest(): Buffer;
}

export function createBlockSplitter(): BlockSplitter {
  let pending: Buffer[] = [];
  let isLineEmpty = true;
  let wasReturn = false;
  return {
    read(chunk) {
      const blocks: Buffer[] = [];
      let start = 0;
      const nextEnd = createLineEndFinder(chunk);
      for (let at = 0; at < chunk.length; at++) {
        if (!isLineEmpty) at = nextEnd(at);
        const byte = chunk[at];
        if (byte === undefined) {
          wasReturn = false;
          break;
        }
        // A line feed right after a carriage return belongs to it.
        const isPair = wasReturn && byte === lineFeed;
        wasReturn = byte === carriageReturn;
        if (isPair) continue;
        if (byte !== lineFeed && byte !== carriageReturn) isLineEmpty = false;
        else if (!isLineEmpty) isLineEmpty = true;
        else {
          pending.push(chunk.subarray(start, at + 1));
          blocks.push(Buffer.concat(pending));
          pending = [];
          start = at + 1;
        }
      }
      if (start < chunk.length) pending.push(chunk.subarray(start));
      return blocks;
    },
    rest() {
      const rest = Buffer.concat(pending);
      pending = [];
      return rest;
    },
  };
}

/** Where the next line ends, from here on; the length of the chunk when none does. Each byte is looked at once. */
function createLineEndFinder(chunk: Buffer): (from: number) => number {
  let [feed, carriage] = [-1, -1];
  const find = (byte: number, from: number): number => {
    const found = chunk.indexOf(byte, from);
    return found < 0 ? chunk.length : found;
  };
  return from => {
    if (feed < from) feed = find(lineFeed, from);
    if (carriage < from) carriage = find(carriageReturn, from);
    return Math.min(feed, carriage);
  };
}
