/** An entry of the index: times, numbers and size of the file, then mode, hash and flags. */
const headBytes = 12;
const modeAt = 24;
const hashAt = 40;
const flagsAt = 60;
const nameAt = 62;
const extendedFlag = 0x4000;
const nameLength = 0x0fff;
const alignment = 8;
const versions = new Set([2, 3]);

/** What an index of git has staged, without the times and numbers of files in it; null when it is none that we can read. */
export function stagedIn(index: Buffer): Buffer | null {
  if (index.length < headBytes || index.toString('latin1', 0, 4) !== 'DIRC') return null;
  if (!versions.has(index.readUInt32BE(4))) return null;
  const parts: Buffer[] = [];
  let at = headBytes;
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + nameAt > index.length) return null;
    const flags = index.readUInt16BE(at + flagsAt);
    const begin = at + nameAt + ((flags & extendedFlag) === 0 ? 0 : 2);
    const end = index.indexOf(0, begin);
    const known = flags & nameLength;
    if (end < 0 || (known < nameLength && known !== end - begin)) return null;
    parts.push(index.subarray(at + modeAt, at + modeAt + 4), index.subarray(at + hashAt, end + 1));
    at += Math.ceil((end + 1 - at) / alignment) * alignment;
  }
  return Buffer.concat(parts);
}
