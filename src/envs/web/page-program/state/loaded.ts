import type { MainWindow, PageShadowRoots } from '../parts.ts';

/** What the browser loads when it is first shown, and does not forget. */
export interface LoadedRecord {
  /** Fonts of the document that were asked for, each with how far it has come. */
  readonly fonts: readonly (readonly [face: object, status: string])[];
  /** Images that wait until somebody comes near them, and have loaded. */
  readonly images: readonly Element[];
}

type Method = (this: object) => unknown;
const getter = (holder: object, name: string): Method => Object.getOwnPropertyDescriptor(holder, name)?.get as Method;

/** Called before the first script of the page. */
export function createLoaded(
  { document, FontFace }: MainWindow,
  roots: Pick<PageShadowRoots, 'find'>,
): () => LoadedRecord {
  const { fonts } = document;
  // Older browsers have no global name for it.
  const ofSets = Object.getPrototypeOf(fonts) as { values: Method };
  const { values } = ofSets;
  const [statusOf, sizeOf] = [getter(FontFace.prototype, 'status'), getter(ofSets, 'size')];

  function fontsNow(): LoadedRecord['fonts'] {
    const found: [object, string][] = [];
    if (sizeOf.call(fonts) === 0) return found;
    const iterator = values.call(fonts) as Iterator<object>;
    // Step by step: the browser calls no function of this realm.
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const status = statusOf.call(next.value) as string;
      if (status !== 'unloaded') found.push([next.value, status]);
    }
    return found;
  }

  const isLoaded = (image: Element): boolean => (image as HTMLImageElement).complete;
  return () => ({ fonts: fontsNow(), images: roots.find('img[loading=lazy i]').filter(isLoaded) });
}

/** What was loaded since, in words. */
export function loadedSince(now: LoadedRecord, kept: LoadedRecord): string | null {
  const { fonts, images } = now;
  const areFontsSame =
    fonts.length === kept.fonts.length &&
    fonts.every(([face, status], index) => face === kept.fonts[index]?.[0] && status === kept.fonts[index]?.[1]);
  if (!areFontsSame) return 'its fonts have loaded since';
  const areImagesSame =
    images.length === kept.images.length && images.every((image, index) => image === kept.images[index]);
  return areImagesSame ? null : 'an image that waited until somebody came near it has loaded since';
}
