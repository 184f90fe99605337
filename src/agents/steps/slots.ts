/** Texts that stand in the place of others: what one task says where another says something else. */
export interface Aligned {
  /** From 0 to 1: the share of words that both have, in the same order. */
  readonly similarity: number;
  readonly pairs: ReadonlyMap<string, string>;
}

/** A path, a name or a number is one word; every other sign is one of its own. */
const word = /[\p{L}\p{N}_~$*](?:[\p{L}\p{N}_.\-/~*:@+]*[\p{L}\p{N}_/*~])?|\S/gu;
const mostWords = 400;

export function wordsOf(text: string): string[] {
  return (text.match(word) ?? []).slice(0, mostWords);
}

/** Lays two texts beside each other: what they share holds the rest in place. */
export function align(old: readonly string[], now: readonly string[]): Aligned {
  const shared = longestShared(old, now);
  const pairs = new Map<string, string>();
  let [left, right] = [0, 0];
  for (const [oldAt, nowAt] of [...shared, [old.length, now.length] as const]) {
    const [gone, come] = [old.slice(left, oldAt), now.slice(right, nowAt)];
    if (gone.length === come.length) for (const [at, text] of gone.entries()) addPair(pairs, text, come[at] as string);
    else if (gone.length > 0 && come.length > 0) addPair(pairs, gone.join(' '), come.join(' '));
    [left, right] = [oldAt + 1, nowAt + 1];
  }
  const all = old.length + now.length;
  return { similarity: all === 0 ? 1 : (2 * shared.length) / all, pairs };
}

/** A path stands for its parts, and a name for itself without its ending. */
function addPair(pairs: Map<string, string>, old: string, now: string): void {
  if (!pairs.has(old)) pairs.set(old, now);
  const [oldParts, nowParts] = [old.split('/'), now.split('/')];
  if (oldParts.length > 1 && oldParts.length === nowParts.length)
    for (const [at, part] of oldParts.entries())
      if (part !== '' && part !== nowParts[at]) addPair(pairs, part, nowParts[at] as string);
  const [oldStem, nowStem] = [stemOf(old), stemOf(now)];
  if (oldStem !== null && nowStem !== null && !pairs.has(oldStem)) pairs.set(oldStem, nowStem);
}

function stemOf(name: string): string | null {
  return /^([\w-]{2,})\.\w{1,6}$/.exec(name)?.[1] ?? null;
}

/** Places of the longest run of words that both have, from the first to the last. */
function longestShared(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (left: number, right: number): number => lengths[left * width + right] as number;
  for (let left = old.length - 1; left >= 0; left--)
    for (let right = now.length - 1; right >= 0; right--)
      lengths[left * width + right] =
        old[left] === now[right] ? at(left + 1, right + 1) + 1 : Math.max(at(left + 1, right), at(left, right + 1));
  const found: (readonly [number, number])[] = [];
  for (let [left, right] = [0, 0]; left < old.length && right < now.length; ) {
    if (old[left] === now[right]) found.push([left++, right++]);
    else if (at(left + 1, right) >= at(left, right + 1)) left++;
    else right++;
  }
  return found;
}

/** A text with what stands in the place of its words, all at once. */
export function filled(text: string, pairs: ReadonlyMap<string, string>): string {
  const known = [...pairs.keys()].filter(old => old !== pairs.get(old) && /[\p{L}\p{N}]/u.test(old));
  if (known.length === 0) return text;
  const longestFirst = known.toSorted((one, other) => other.length - one.length);
  const pattern = longestFirst.map(old => old.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  // A word may follow a sign that is written as two, as in `printf '\\nname'`.
  const whole = String.raw`(?:(?<=\\[nt])|(?<![\p{L}\p{N}_-]))(?:${pattern})(?![\p{L}\p{N}_-])`;
  return text.replaceAll(new RegExp(whole, 'gu'), old => pairs.get(old) ?? old);
}
