import { veil } from '../../../core/chat/secrets.ts';

/** An event as it came, and what it says. */
export interface Block {
  readonly bytes: Buffer;
  /** Its data as JSON; null when it is none. */
  readonly value: unknown;
  /** Whether the value must be written instead of the bytes. */
  isChanged: boolean;
}

/** A string in the data of an event. */
export interface Place {
  /** Where strings that continue each other from event to event stand. */
  readonly channel: string;
  read(): string;
  write(text: string): void;
}

const lineEnds = /\r\n|\n|\r/;

/** Reads an event; secrets that stand in it whole are taken out. */
export function readBlock(bytes: Buffer, forms: readonly string[]): Block {
  const text = bytes.toString('utf8');
  const clean = withoutForms(text, forms);
  return { bytes: clean === text ? bytes : Buffer.from(clean), value: valueOf(clean), isChanged: false };
}

export function withoutForms(text: string, forms: readonly string[]): string {
  return forms.reduce((clean, form) => clean.replaceAll(form, veil), text);
}

function valueOf(text: string): unknown {
  const data = text
    .split(lineEnds)
    .filter(line => line.startsWith('data:'))
    .map(line => line.slice(5));
  try {
    return JSON.parse(data.join('\n'));
  } catch {
    return null;
  }
}

/** The bytes as they came, unless something was taken out. */
export function writeBlock({ bytes, value, isChanged }: Block): Buffer {
  if (!isChanged) return bytes;
  const lines = bytes.toString('utf8').split(lineEnds);
  const others = lines.filter(line => line !== '' && !line.startsWith('data:'));
  return Buffer.from(`${[...others, `data: ${JSON.stringify(value, withoutBytes)}`].join('\n')}\n\n`);
}

/** The bytes of a token spell what was taken out of its text. */
function withoutBytes(name: string, value: unknown): unknown {
  return name === 'bytes' ? null : value;
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
