import type { SnapshotHandle, PageView } from '../page-records.ts';
import type { MainParts, MainWindow } from '../parts.ts';
import { parsedRootReason } from '../shims/tripwires.ts';
import { createInputMemory } from '../memory/input-memory.ts';
import { watchScrollStates } from '../memory/scroll-states.ts';
import { createLastingChanges } from '../memory/lasting-changes.ts';
import { createScopes } from './closure-scopes.ts';
import { createContents } from './contents.ts';
import { createDom } from './dom-snapshot.ts';
import { createFields } from './fields.ts';
import { createFocusState } from './focus-state.ts';
import { createGraph } from './graph.ts';
import { createNeutral } from './hash.ts';
import { createKinds } from './kinds.ts';
import { createNatives } from './natives.ts';
import { createObserver } from './observer.ts';
import { createPlatformData } from './platform-data.ts';
import type { HiddenTexts, PageFocus, PageScopes, Root } from './records.ts';
import { createSnapshots, modulesIn, type PageSnapshots } from './snapshots.ts';
import { createSoundness } from './soundness.ts';

export interface StateOptions {
  readonly main: MainWindow;
  readonly parts: MainParts;
  /** Interfaces whose members are compared with what the browser brought. */
  readonly watched: readonly string[];
  /** Why no snapshot of this page can be trusted at all; null when one can. */
  readonly obstacle: string | null;
  onScroll(told: (target: EventTarget | null) => void): void;
  watch(told: (changes: readonly MutationRecord[]) => void): () => readonly MutationRecord[];
}

/** What is known of a page: how it looks, what its state is, and what it was. */
export interface PageState {
  look(): PageView;
  elements(): readonly Element[];
  keep(unchecked?: boolean): SnapshotHandle & { readonly view: PageView };
  /** In the place of a snapshot since which nothing was done; unchecked, the page is not looked at again. */
  keepAgain(id: number, unchecked: boolean): SnapshotHandle;
  readonly snapshots: PageSnapshots;
  readonly scopes: PageScopes;
  readonly focus: PageFocus;
  readonly texts: HiddenTexts;
  name(roots: ArrayLike<Root>): void;
  /** Goes on from functions that were learned of since the last snapshot; how many more there are of which nothing is known. */
  spread(): number;
  /** Counts an object as one that scripts of the page hold. */
  hold(value: object): void;
  /** Addresses of the modules that the document names. */
  moduleEntries(): readonly string[];
  /** Says that a script calls `eval` by its name; whether one has asked for it before. */
  watchEval(): boolean;
  /** Says that the parser may have attached shadow roots that nobody can find. */
  noteParsedRoots(): void;
  /** From now on no earlier snapshot can be restored. */
  invalidate(reason: string): void;
}

/**
 * Reads, Keeps and restores the state of a page. It runs in a realm of its own, with functions that no script of the page
 * can replace; everything is called at once, as a realm without a page runs no tasks.
 */
export function createPageState({ main, parts, watched, obstacle, onScroll, watch }: StateOptions): PageState {
  const { listeners, roots, observers, handedOut, behindProxy, weakPairs, restoreWeak, promises, linked, styleRules } =
    parts;
  const natives = createNatives({
    main,
    samples: parts.samples,
    unnamed: parts.unnamed,
    watched: new Set(watched),
    onReshape: parts.onReshape,
    isWire: parts.tripwires.isWire,
  });
  parts.permanent.spare(object => natives.nameOf(object) !== null);
  const soundness = createSoundness(main, natives, roots);
  const platform = createPlatformData(main);
  const kinds = createKinds(main, natives, { ...parts, platform });
  const scopes = createScopes(value => behindProxy(value) !== null || parts.isFormatter(value));
  const { origin: address } = main.location;
  const origin = address.startsWith('http') ? address : null;
  const neutral = createNeutral(origin, parts.time.drawnNames);
  const contents = createContents({
    main,
    neutral,
    kinds,
    natives,
    listeners,
    scopes,
    behindProxy,
    promises,
    linked,
    styleRules,
    permanent: parts.permanent,
    platform,
    onReshape: parts.onReshape,
    membersOfStyle: handedOut.membersOfStyle,
    answerTypeOf: parts.tripwires.answerTypeOf,
  });
  const graph = createGraph({
    main,
    kinds,
    contents,
    scopes,
    natives,
    neutral,
    promises,
    weakPairs,
    restoreWeak,
    isProxy: value => behindProxy(value) !== null,
    isHandedOut: handedOut.isHandedOut,
  });
  const { trip, tripSince } = parts.tripwires;
  const { canvases, chosen, isAskedForValidity } = parts;
  const fields = createFields({ main, listeners, canvases, chosen, isAskedForValidity, roots, trip });
  const memory = createInputMemory(main, listeners, { onLasting: tripSince, trip });
  watchScrollStates(main, listeners, trip);
  const focus = createFocusState({ main, listeners, observers, memory, roots, onScroll, leave: fields.leave });
  const lasting = createLastingChanges(main.document, tripSince, trip);
  listeners.onInlineChange(tripSince);
  const dom = createDom({
    main,
    listeners,
    images: parts.images,
    roots,
    fields,
    focus,
    scopes,
    neutral,
    lasting,
    memory,
    handedOut,
    watch,
  });
  const observer = createObserver({ main, listeners, roots, isOurs: false });
  const snapshots = createSnapshots({
    main,
    parts,
    graph,
    dom,
    scopes,
    texts: fields.texts,
    observer,
    neutral,
    obstacle,
    soundness,
  });
  const keep = (unchecked = false): SnapshotHandle & { readonly view: PageView } => {
    // First of all: a member of the page's own may take itself away when it is called.
    const unsound = unchecked ? null : soundness.check();
    try {
      const view = observer.look(unchecked);
      return { ...snapshots.keep(view, { unchecked, unsound }), view };
    } catch (cause) {
      throw unsound === null ? cause : new Error(`the page cannot be read: it has ${unsound}`);
    }
  };
  return {
    look: () => observer.look(),
    elements: observer.elements,
    keep,
    keepAgain(id, unchecked) {
      const view = snapshots.viewOf(id);
      snapshots.forget([id]);
      return unchecked && view !== null ? snapshots.keep(view, { unchecked, unsound: null }) : keep(unchecked);
    },
    snapshots,
    scopes,
    focus,
    texts: fields.texts,
    name: graph.name,
    spread: () =>
      parts.tripwires.quietly(() => {
        graph.spread();
        return scopes.freshCount();
      }),
    hold: graph.hold,
    moduleEntries: () => modulesIn(main.document),
    watchEval: parts.watchEval,
    noteParsedRoots: () => parts.tripwires.trip(parsedRootReason),
    invalidate: tripSince,
  };
}
