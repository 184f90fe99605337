import type { PageListeners, Registration } from '../parts.ts';
import { createMotionEvents, motionEvents } from './motion-events.ts';

/** What boxes that scroll have come to rest at. */
export const snapEvents = ['scrollsnapchange', 'scrollsnapchanging'];

/** What a restore makes the browser tell. */
const restoring =
  `focus blur focusin focusout change input beforeinput scroll scrollend select selectstart selectionchange reset
  submit toggle beforetoggle close cancel load error invalid slotchange popstate hashchange resize securitypolicyviolation
  pointerdown pointerup mousedown mouseup click keydown keyup keypress textInput compositionstart compositionupdate
  compositionend`.split(/\s+/);

const passing = new Set(
  `XMLHttpRequest XMLHttpRequestUpload FileReader AbortSignal Animation Window MessagePort IDBDatabase IDBRequest
  IDBOpenDBRequest IDBTransaction`.split(/\s+/),
);
const isSame = (one: Registration, other: Pick<Registration, 'type' | 'listener' | 'capture'>): boolean =>
  one.type === other.type && one.listener === other.listener && one.capture === other.capture;
const { hasAttribute } = Element.prototype;

/** Whether an attribute names the handler. Those of the body may be handlers of the window. */
function isInline(target: EventTarget, name: string): boolean {
  const element = target === globalThis ? document.body : target;
  return element instanceof Element && hasAttribute.call(element, name);
}

/** Keeps a register of every listener, so that they can be restored. */
export function createListeners(): PageListeners {
  const { addEventListener: addReal, removeEventListener: removeReal } = EventTarget.prototype;
  const { dispatchEvent: dispatch } = EventTarget.prototype;
  const RealEvent = Event;
  const { composedPath } = Event.prototype;
  const { toString: sourceOf } = Function.prototype;
  let onInlineChange: (what: string) => void = () => undefined;
  let onInlineRead: (handler: object) => void = () => undefined;
  let onSkip: (event: ContentVisibilityAutoStateChangeEvent) => void = () => undefined;
  const registered = new WeakMap<EventTarget, readonly Registration[]>();
  const none: readonly Registration[] = [];
  const heard = new Set<string>();
  /** Neither nodes nor made by scripts: the browser keeps them, whoever forgets them. */
  const lasting = new Set<EventTarget>();
  let muted = false;
  let isBlind = false;
  let hearsSnaps = false;
  /** What has another selection, and whether its event bubbles. */
  let selected = new Map<EventTarget, boolean>();
  const motions = createMotionEvents((target, event) => void dispatch.call(target, event));
  /** What we hear in the window, and in each shadow root: some events do not leave the one that they are in. */
  const ours: ((target: EventTarget) => void)[] = [];

  const of = (target: EventTarget): readonly Registration[] => registered.get(target) ?? none;

  function register(target: EventTarget, registrations: readonly Registration[]): void {
    registered.set(target, registrations);
    if (target instanceof Attr) onInlineChange('an attribute that a script listens to');
    if (target instanceof Node || lasting.has(target)) return;
    const { constructor } = target;
    if (passing.has(constructor.name) || !/\[native code\]\s*\}$/.test(sourceOf.call(constructor))) return;
    if (constructor !== EventTarget) lasting.add(target);
  }

  function connect(target: EventTarget, { type, heardAs, capture, passive }: Registration): void {
    addReal.call(target, type, heardAs, passive === undefined ? capture : { capture, passive });
  }

  /** Whether it was not there yet. */
  function add(target: EventTarget, registration: Registration): boolean {
    const known = of(target);
    if (known.some(other => isSame(other, registration))) return false;
    // The browser refuses what is no listener: nothing is noted then.
    connect(target, registration);
    heard.add(registration.type);
    register(target, [...known, registration]);
    return true;
  }

  function remove(target: EventTarget, wanted: Pick<Registration, 'type' | 'listener' | 'capture'>): void {
    const known = of(target);
    const found = known.find(other => isSame(other, wanted));
    if (found === undefined) return removeReal.call(target, wanted.type, wanted.listener, wanted.capture);
    register(
      target,
      known.filter(other => other !== found),
    );
    removeReal.call(target, found.type, found.heardAs, found.capture);
  }

  /** One that is to hear once takes itself out: the browser would do it without telling. */
  function hearingOnce(
    target: EventTarget,
    wanted: Pick<Registration, 'type' | 'listener' | 'capture'>,
  ): EventListener {
    const { listener } = wanted;
    return function (this: unknown, event: Event): void {
      remove(target, wanted);
      if (typeof listener === 'function') listener.call(this as EventTarget, event);
      else listener.handleEvent(event);
    };
  }

  function replaceRegistering(): void {
    // oxlint-disable-next-line max-params -- as the platform has it
    EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
      const target = this ?? globalThis;
      if (listener === null || listener === undefined) return;
      const given = (typeof options === 'object' && options !== null ? options : {}) as AddEventListenerOptions;
      const capture = typeof options === 'object' ? given.capture === true : options === true;
      const { passive, signal, once = false } = given;
      if (signal?.aborted === true) return;
      const wanted = { type: String(type), listener, capture };
      const registration = { ...wanted, passive, heardAs: once ? hearingOnce(target, wanted) : listener };
      if (!add(target, registration) || signal === undefined) return;
      // Another one may stand in its place by then: it is not the signal's.
      addReal.call(signal, 'abort', () => {
        if (of(target).some(other => other === registration)) remove(target, registration);
      });
    };
    // oxlint-disable-next-line max-params -- as the platform has it
    EventTarget.prototype.removeEventListener = function (this: EventTarget | undefined, type, listener, options) {
      if (listener === null || listener === undefined) return;
      const capture = typeof options === 'object' ? options.capture === true : options === true;
      remove(this ?? globalThis, { type: String(type), listener, capture });
    };
  }

  /** Handlers such as `onclick` are kept as registrations of their own kind. */
  function replaceHandlers(holder: object): void {
    for (const name of Object.getOwnPropertyNames(holder)) {
      // The browser makes a member when it is first read: only those that are wanted are.
      const member = name.startsWith('on') ? Object.getOwnPropertyDescriptor(holder, name) : undefined;
      const set = member?.set;
      const get = member?.get;
      if (member === undefined || set === undefined || get === undefined) continue;
      Object.defineProperty(holder, name, {
        ...member,
        get(this: EventTarget | undefined) {
          const target = this ?? globalThis;
          const handler: unknown = get.call(target);
          if (typeof handler === 'function' && isInline(target, name)) onInlineRead(handler);
          return handler;
        },
        set(this: EventTarget | undefined, handler: unknown) {
          const target = this ?? globalThis;
          if (isInline(target, name)) onInlineChange('an inline event handler that a script changed');
          registerHandler(target, name, handler);
          set.call(target, handler);
        },
      });
    }
  }

  function registerHandler(target: EventTarget, name: string, handler: unknown): void {
    const known = of(target);
    const place = known.findIndex(({ type }) => type === name);
    // An object is kept, and never called.
    const isKept = typeof handler === 'function' || (typeof handler === 'object' && handler !== null);
    if (!isKept) {
      if (place >= 0) register(target, known.toSpliced(place, 1));
      return;
    }
    const listener = handler as EventListener;
    const registration = { type: name, listener, heardAs: listener, capture: false, passive: undefined };
    heard.add(name.slice(2));
    // One that takes the place of another hears in its turn.
    register(target, place < 0 ? [...known, registration] : known.with(place, registration));
  }

  const isHandler = ({ type }: Registration, target: EventTarget): boolean => type.startsWith('on') && type in target;

  /** A handler that an attribute has replaced since is none. */
  function current(target: EventTarget): readonly Registration[] {
    const known = of(target);
    const handlers = target as unknown as Record<string, unknown>;
    if (!known.some(one => isHandler(one, target) && handlers[one.type] !== one.listener)) return known;
    const left = known.filter(one => !isHandler(one, target) || handlers[one.type] === one.listener);
    registered.set(target, left);
    return left;
  }

  function disconnect(target: EventTarget, one: Registration): void {
    if (!isHandler(one, target)) return removeReal.call(target, one.type, one.heardAs, one.capture);
    (target as unknown as Record<string, unknown>)[one.type] = null;
    // What the attribute says holds again.
    const said = target instanceof Element ? target.getAttribute(one.type) : null;
    if (said !== null) (target as Element).setAttribute(one.type, said);
  }

  function restore(target: EventTarget, wanted: readonly Registration[]): void {
    const known = current(target);
    if (known === wanted) return;
    const stay = known.filter((one, index) => wanted[index] === one);
    // They are called in their order: from the first that differs on, all are put in anew.
    const first = stay.length === known.length ? known.length : known.findIndex((one, index) => wanted[index] !== one);
    for (const one of known.slice(first)) disconnect(target, one);
    for (const one of wanted.slice(first)) {
      if (isHandler(one, target)) (target as unknown as Record<string, unknown>)[one.type] = one.listener;
      else connect(target, one);
    }
    register(target, wanted);
  }

  /** What an event is about: to those outside of a shadow root it seems to be about the host. */
  const targetOf = (event: Event): EventTarget | null =>
    (composedPath.call(event) as readonly EventTarget[])[0] ?? event.target;

  /** Hears it once, however many of the roots around the target it comes through. */
  function hear(type: string, listener: (event: Event, target: EventTarget | null) => void, isLast = false): void {
    let [last, about]: [Event | null, EventTarget | null] = [null, null];
    const hearOnce = (event: Event): void => {
      const target = targetOf(event);
      if (event === last && target === about) return;
      [last, about] = [event, target];
      listener(event, target);
    };
    const within = (event: Event): void => {
      if (!isLast || !event.composed) hearOnce(event);
    };
    ours.push(root => addReal.call(root, type, within, !isLast));
    // Wrapped: the browser calls no function of a realm without a page.
    addReal.call(globalThis, type, hearOnce, !isLast);
  }

  /** The first to hear of everything, and the last as long as the page is muted. */
  function listenFirst(root: EventTarget): void {
    const both = (end: string): string[] => [`mouse${end}`, `pointer${end}`];
    const stop = (event: Event): void => {
      if (!muted) return;
      event.stopImmediatePropagation();
      // We submit forms of our own to restore fields; they lead nowhere.
      if (event.type === 'submit') event.preventDefault();
    };
    for (const type of restoring) addReal.call(root, type, stop, true);
    // We tell of these.
    const stopMotion = (event: Event): void => {
      if (event.isTrusted) event.stopImmediatePropagation();
    };
    for (const type of motionEvents) addReal.call(root, type, stopMotion, true);
    // How many of these come while somebody types, and when, is chance.
    const hold = (event: Event): void => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      if (!muted && event.target !== null) selected.set(event.target, event.bubbles);
    };
    addReal.call(root, 'selectionchange', hold, true);
    const stopSnap = (event: Event): void => {
      if (muted || !hearsSnaps) event.stopImmediatePropagation();
    };
    for (const type of snapEvents) addReal.call(root, type, stopSnap, true);
    const stopMove = (event: Event): void => {
      const { clientX, clientY } = event as MouseEvent;
      const isAway = event.isTrusted && (clientX < 0 || clientY < 0);
      if (muted || isBlind || isAway) event.stopImmediatePropagation();
    };
    for (const type of both('move')) addReal.call(root, type, stopMove, true);
    // The browser says so whenever it sees fit: we do when it is due.
    const stopCrossing = (event: Event): void => {
      if (muted || event.isTrusted) event.stopImmediatePropagation();
    };
    for (const type of ['over', 'out', 'enter', 'leave'].flatMap(both)) addReal.call(root, type, stopCrossing, true);
    // So it does of parts that it skips: how often depends on the frames it draws. No script hears of it.
    const stopSkip = (event: Event): void => {
      stopCrossing(event);
      if (event.isTrusted) onSkip(event as ContentVisibilityAutoStateChangeEvent);
    };
    addReal.call(root, 'contentvisibilityautostatechange', stopSkip, true);
  }

  replaceRegistering();
  replaceHandlers(globalThis);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const holder = (Object.getOwnPropertyDescriptor(globalThis, name)?.value as { prototype?: unknown } | undefined)
      ?.prototype;
    if (holder instanceof EventTarget || holder === EventTarget.prototype) replaceHandlers(holder);
  }
  listenFirst(globalThis);
  return {
    hearOn: (target, type, listener) => addReal.call(target, type, event => listener(event)),
    hearFirstOn: (target, type, listener) => addReal.call(target, type, event => listener(event), true),
    hearBelow(type, listener) {
      const hearIn = (root: EventTarget): void => addReal.call(root, type, event => listener(event), true);
      ours.push(hearIn);
      hearIn(document);
    },
    enter(root) {
      listenFirst(root);
      for (const hearIn of ours) hearIn(root);
    },
    of: current,
    restore,
    lasting: () => [...lasting],
    onInlineChange(told) {
      onInlineChange = told;
    },
    onInlineRead(told) {
      onInlineRead = told;
    },
    onSkip(told) {
      onSkip = told;
    },
    mute(on) {
      muted = on;
    },
    isMuted: () => muted,
    tellSelection() {
      const told = selected;
      selected = new Map();
      for (const [target, bubbles] of told) dispatch.call(target, new RealEvent('selectionchange', { bubbles }));
      return told.size > 0;
    },
    owesSelection: () => selected.size > 0,
    motions,
    forgetOwed() {
      selected = new Map();
      motions.forget();
    },
    blind(on) {
      isBlind = on;
    },
    isBlind: () => isBlind,
    hearSnaps() {
      hearsSnaps = true;
    },
    hears: (...types) => types.some(type => heard.has(type)),
    heed: type => void heard.add(type),
    hear,
  };
}
