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
  read(): string;
  write(text: string): void;
}

const lineEnds = /\r\n|\n|\r/;

export function readBlock(bytes: Buffer): Block {
  const lines = bytes.toString('utf8').split(lineEnds);
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
export function* stringsOf(value: unknown, channel = '', depth = 0): Generator<Place> {
  if (typeof value !== 'object' || value === null || depth > deepest) return;
  const container = value as Record<string, unknown>;
  const own = indexNames.map(name => container[name]).filter(index => typeof index === 'number');
  for (const [name, member] of Object.entries(container)) {
    const inside = `${channel}${own.length === 0 ? '' : `#${own.join(',')}`}/${Array.isArray(value) ? '*' : name}`;
    if (typeof member !== 'string') yield* stringsOf(member, inside, depth + 1);
    else
      yield {
        channel: inside,
        read: () => container[name] as string,
        write(text) {
          container[name] = text;
        },
      };
  }
}
