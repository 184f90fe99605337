import type { TrackedRound } from './round-metrics.ts';

/**
 * An event file of TensorBoard: TFRecords of `Event` messages. The whole file is written again after each round, and its beginning
 * stays the same: wall times are seconds of training, not of the clock.
 */
export function tensorBoardFile(rounds: readonly TrackedRound[]): Uint8Array {
  const version = message([double(1, 0), text(3, 'brain.Event:2')]);
  const events = rounds.map(({ round, seconds, metrics }) => {
    const values = Object.entries(metrics).map(([name, value]) => nested(1, [text(1, `rl/${name}`), float(2, value)]));
    return message([double(1, seconds), integer(2, round), nested(5, values)]);
  });
  return message([version, ...events].map(record));
}

/** TensorBoard reads every file whose name has `tfevents`. */
export const tensorBoardName = 'events.out.tfevents.1.espalier';

/** Length, its checksum, the data, and the checksum of the data. */
function record(data: Uint8Array): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(data.length), true);
  return message([length, checksum(length), data, checksum(data)]);
}

function checksum(data: Uint8Array): Uint8Array {
  const crc = crc32c(data);
  const masked = (((crc >>> 15) | (crc << 17)) + 0xa2_82_ea_d8) >>> 0;
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, masked, true);
  return bytes;
}

/** CRC-32C (Castagnoli), bit by bit: the file is small. */
export function crc32c(data: Uint8Array): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82_f6_3b_78 : 0);
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}

/** Wire types of protocol buffers. */
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

function key(field: number, type: keyof typeof wire): Uint8Array {
  return varint((field << 3) | wire[type]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.from([...bytes, rest]);
}

function integer(field: number, value: number): Uint8Array {
  return message([key(field, 'varint'), varint(value)]);
}

function double(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return message([key(field, 'fixed64'), bytes]);
}

function float(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return message([key(field, 'fixed32'), bytes]);
}

function text(field: number, value: string): Uint8Array {
  return nested(field, [new TextEncoder().encode(value)]);
}

function nested(field: number, parts: readonly Uint8Array[]): Uint8Array {
  const data = message(parts);
  return message([key(field, 'bytes'), varint(data.length), data]);
}

function message(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap(part => [...part]));
}
