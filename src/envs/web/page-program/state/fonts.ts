import type { MainWindow } from '../parts.ts';

/** The fonts of a document that were asked for, each with how far it has come: no script can make one forget that. */
export type FontsRecord = readonly (readonly [face: object, status: string])[];

type Method = (this: object) => unknown;
const getter = (holder: object, name: string): Method => Object.getOwnPropertyDescriptor(holder, name)?.get as Method;

/** Called before the first script of the page. */
export function createFonts({ document, FontFace, FontFaceSet }: MainWindow): () => FontsRecord {
  const values = FontFaceSet.prototype.values as unknown as Method;
  const [statusOf, sizeOf] = [getter(FontFace.prototype, 'status'), getter(FontFaceSet.prototype, 'size')];
  const { fonts } = document;
  return () => {
    const found: [object, string][] = [];
    if (sizeOf.call(fonts) === 0) return found;
    const iterator = values.call(fonts) as Iterator<object>;
    // Step by step: the browser calls no function of this realm.
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const status = statusOf.call(next.value) as string;
      if (status !== 'unloaded') found.push([next.value, status]);
    }
    return found;
  };
}

export const areSameFonts = (one: FontsRecord, other: FontsRecord): boolean =>
  one.length === other.length &&
  one.every(([face, status], index) => face === other[index]?.[0] && status === other[index]?.[1]);
