/** An event as it came, and what it says. */
export interface Block {
  readonly bytes: Buffer;
  /** Its data as JSON; null when it is none. */
  readonly value: unknown;
  /** Its data where it is no JSON. */
  data: string;
  /** Lines that are no data: the kind of the event, comments. */
  others: string;
  /** Whether something was taken out, so that the bytes must be written anew. */
  isChanged: boolean;
}

/** A text in an event. */
export interface Place {
  /** Where texts that continue each other from event to event stand. */
  readonly channel: string;
  /** The channel without its numbers: a server may number what a client puts together. */
  readonly path: string;
  read(): string;
  write(text: string): void;
}

const lineEnds = /\r\n|\n|\r/;

export function readBlock(bytes: Buffer, text: string): Block {
  const lines = text.split(lineEnds);
  const data = lines.filter(isData).map(line => line.slice(5));
  const others = lines.filter(line => line !== '' && !isData(line)).join('\n');
  const value = valueOf(data.join('\n'));
  return { bytes, value, data: value === null ? data.join('\n') : '', others, isChanged: false };
}

function isData(line: string): boolean {
  return line.startsWith('data:');
}

function valueOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/** The bytes as they came, unless something was taken out. */
export function writeBlock({ bytes, value, data, others, isChanged }: Block): Buffer {
  if (!isChanged) return bytes;
  const told = value === null ? data : ` ${JSON.stringify(value, withoutBytes)}`;
  const lines = [others, ...told.split('\n').map(line => `data:${line}`)].filter(
    line => line !== '' && line !== 'data:',
  );
  const ending = /[\r\n]*$/.exec(bytes.toString('latin1'))?.[0] ?? '';
  return Buffer.from(lines.join('\n') + ending);
}

/** The bytes of a token spell what was taken out of its text. */
export function withoutBytes(name: string, value: unknown): unknown {
  return name === 'bytes' ? null : value;
}

/** All texts of an event, in their order. */
export function* placesOf(block: Block): Generator<Place> {
  const line = (channel: 'others' | 'data'): Place => ({
    channel,
    path: channel,
    read: () => block[channel],
    write(text) {
      block[channel] = text;
    },
  });
  if (block.others !== '') yield line('others');
  if (block.value === null && block.data !== '') yield line('data');
  yield* stringsOf(block.value);
}

/** Tell streams apart that run side by side in one stream. */
const indexNames = ['index', 'output_index', 'content_index', 'summary_index'];
/** No event of any dialect is deeper. */
const deepest = 32;

/** All strings of a value, in the order of the text. */
export function stringsOf(value: unknown): readonly Place[] {
  const found: Place[] = [];
  const walk = (inner: unknown, at: { readonly numbers: string; readonly path: string; readonly depth: number }) => {
    if (typeof inner !== 'object' || inner === null || at.depth > deepest) return;
    const container = inner as Record<string, unknown>;
    const isList = Array.isArray(inner);
    const numbers = isList ? at.numbers : at.numbers + numbersOf(container);
    for (const name of Object.keys(container)) {
      const member = container[name];
      const path = `${at.path}/${isList ? '*' : name}`;
      if (typeof member === 'string') found.push(placeOf(container, name, { channel: numbers + path, path }));
      else walk(member, { numbers, path, depth: at.depth + 1 });
    }
  };
  walk(value, { numbers: '', path: '', depth: 0 });
  return found;
}

function numbersOf(container: Readonly<Record<string, unknown>>): string {
  let told = '';
  for (const name of indexNames) {
    const index = container[name];
    if (typeof index === 'number') told += `#${index}`;
  }
  return told;
}

function placeOf(
  container: Record<string, unknown>,
  name: string,
  where: { readonly channel: string; readonly path: string },
): Place {
  return {
    ...where,
    read: () => container[name] as string,
    write(text) {
      container[name] = text;
    },
  };
}
