import type { PageShadowRoots } from '../parts.ts';

// Taken before they are watched.
const { matches, querySelector: find } = Element.prototype;

export interface DocumentWatch {
  /** What changed since this was last asked. */
  take(): readonly MutationRecord[];
  /** Whether a frame ever stood in it. */
  hadFrames(): boolean;
}

const frames = 'iframe, frame, object, embed';
/** Says whether frames are among what was added. */
const hasFrame = (changes: readonly MutationRecord[]): boolean =>
  changes.some(({ addedNodes }) =>
    [...addedNodes].some(
      node => node instanceof Element && (matches.call(node, frames) || find.call(node, frames) !== null),
    ),
  );

/** Watches the document and its shadow roots for the snapshots; the callback has to be one of the page's realm. */
export function watchDocument(
  roots: PageShadowRoots,
  told: (changes: readonly MutationRecord[]) => void,
): DocumentWatch {
  let hadFrames = false;
  const noted = (changes: readonly MutationRecord[]): readonly MutationRecord[] => {
    hadFrames ||= hasFrame(changes);
    return changes;
  };
  const observer = new MutationObserver(changes => told(noted([...changes])));
  const takeRecords = observer.takeRecords.bind(observer);
  const observe = observer.observe.bind(observer);
  const everything = {
    subtree: true,
    childList: true,
    attributes: true,
    attributeOldValue: true,
    characterData: true,
  };
  observe(document, everything);
  roots.onNew(root => observe(root, everything));
  return { take: () => noted([...takeRecords()]), hadFrames: () => hadFrames };
}
