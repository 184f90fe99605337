import type { MainWindow } from '../parts.ts';
import { createPlatformReads, type PlatformReads } from './platform-reads.ts';

/** What lists of pairs and addresses hold, read and written without the members that a script gave them or their class. */
export interface PlatformData extends PlatformReads {
  /** Names and values in turn. Throws where the object is no list of pairs. */
  pairsOf(value: object): readonly unknown[];
  setPairs(value: object, pairs: readonly unknown[]): void;
  /** Throws where the object is no address. */
  addressOf(value: object): string;
  setAddress(value: object, address: string): void;
}

type Method = (this: object, ...values: unknown[]) => unknown;

/** Called before the first script of the page, which may put other members in the place of these. */
export function createPlatformData(main: MainWindow): PlatformData {
  const { Headers, FormData, URLSearchParams, URL } = main;
  const kinds = [Headers, FormData, URLSearchParams].map(kind => {
    const { entries, append, delete: remove } = kind.prototype as unknown as Readonly<Record<string, Method>>;
    return { kind, entries, append, remove } as { readonly kind: typeof kind } & Readonly<
      Record<'entries' | 'append' | 'remove', Method>
    >;
  });
  const { get: readAddress, set: writeAddress } = Object.getOwnPropertyDescriptor(URL.prototype, 'href') as {
    readonly get: Method;
    readonly set: Method;
  };
  const kindOf = (value: object): (typeof kinds)[number] => {
    const found = kinds.find(({ kind }) => value instanceof kind);
    if (found === undefined) throw new TypeError('no list of pairs');
    return found;
  };

  function pairsOf(value: object): readonly unknown[] {
    const pairs: unknown[] = [];
    const iterator = kindOf(value).entries.call(value) as Iterator<ArrayLike<unknown>>;
    // Step by step: the hardened program iterates over lists of ours alone, and the browser calls no function of this realm.
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const pair = next.value;
      pairs.push(pair[0], pair[1]);
    }
    return pairs;
  }

  return {
    ...createPlatformReads(main),
    pairsOf,
    setPairs(value, pairs) {
      const { append, remove } = kindOf(value);
      const now = pairsOf(value);
      for (let index = 0; index < now.length; index += 2) remove.call(value, now[index]);
      for (let index = 0; index < pairs.length; index += 2) append.call(value, pairs[index], pairs[index + 1]);
    },
    addressOf: value => readAddress.call(value) as string,
    setAddress(value, address) {
      writeAddress.call(value, address);
    },
  };
}
