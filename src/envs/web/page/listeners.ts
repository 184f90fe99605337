import type { Registration } from './keeper.ts';

/** Keeps a register of every listener, so that they can be put back. Runs in the page, before any script of it. */
// oxlint-disable-next-line max-lines-per-function -- sent to the page as one text
export function installListeners(): void {
  const { addEventListener: addReal, removeEventListener: removeReal } = EventTarget.prototype;
  const registered = new WeakMap<EventTarget, readonly Registration[]>();
  const once = new WeakMap<object, Map<string, EventListener>>();
  const none: readonly Registration[] = [];
  const heard = new Set<string>();
  const observers: WeakRef<MutationObserver>[] = [];
  let muted = false;

  const of = (target: EventTarget): readonly Registration[] => registered.get(target) ?? none;
  const isSame = (one: Registration, other: Omit<Registration, 'passive'>): boolean =>
    one.type === other.type && one.listener === other.listener && one.capture === other.capture;

  function add(target: EventTarget, registration: Registration): void {
    const known = of(target);
    if (known.some(other => isSame(registration, other))) return;
    heard.add(registration.type);
    registered.set(target, [...known, registration]);
    const { type, listener, capture, passive } = registration;
    addReal.call(target, type, listener, passive === undefined ? capture : { capture, passive });
  }

  function remove(target: EventTarget, registration: Omit<Registration, 'passive'>): void {
    const known = of(target);
    const left = known.filter(other => !isSame(other, registration));
    if (left.length < known.length) registered.set(target, left);
    removeReal.call(target, registration.type, registration.listener, registration.capture);
  }

  /** One that is to hear once takes itself out: the browser would do it without telling. */
  function hearingOnce(target: EventTarget, registration: Registration): EventListener {
    const { type, listener, capture } = registration;
    const hear = function (this: unknown, event: Event): void {
      remove(target, { type, listener: hear, capture });
      if (typeof listener === 'function') listener.call(this as EventTarget, event);
      else listener.handleEvent(event);
    };
    const those = once.get(listener) ?? new Map<string, EventListener>();
    once.set(listener, those.set(`${type} ${capture}`, hear));
    return hear;
  }

  function replaceRegistering(): void {
    // oxlint-disable-next-line max-params -- as the platform has it
    EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, type, listener, options) {
      const target = this ?? globalThis;
      if (listener === null) return;
      const given = typeof options === 'object' ? options : { capture: options === true };
      const { capture = false, passive, signal } = given as AddEventListenerOptions;
      const plain = { type, listener, capture, passive };
      const { once: isOnce = false } = given as AddEventListenerOptions;
      const registration = isOnce ? { ...plain, listener: hearingOnce(target, plain) } : plain;
      add(target, registration);
      if (signal !== undefined) addReal.call(signal, 'abort', () => remove(target, registration));
    };
    // oxlint-disable-next-line max-params -- as the platform has it
    EventTarget.prototype.removeEventListener = function (this: EventTarget | undefined, type, listener, options) {
      if (listener === null) return;
      const capture = typeof options === 'object' ? options.capture === true : options === true;
      const target = this ?? globalThis;
      remove(target, { type, listener, capture });
      const single = once.get(listener)?.get(`${type} ${capture}`);
      if (single !== undefined) remove(target, { type, listener: single, capture });
    };
  }

  /** Handlers such as `onclick` are kept as registrations of their own kind. */
  function replaceHandlers(holder: object): void {
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
      const { set } = member;
      if (!name.startsWith('on') || set === undefined) continue;
      Object.defineProperty(holder, name, {
        ...member,
        set(this: EventTarget, handler: unknown) {
          const others = of(this).filter(({ type }) => type !== name);
          const own = typeof handler === 'function' ? [{ type: name, listener: handler as EventListener }] : [];
          registered.set(this, [...others, ...own.map(one => ({ ...one, capture: false, passive: undefined }))]);
          set.call(this, handler);
        },
      });
    }
  }

  function put(target: EventTarget, wanted: readonly Registration[]): void {
    const known = of(target);
    if (known === wanted) return;
    const isHandler = ({ type }: Registration): boolean => type.startsWith('on') && type in target;
    const handlers = target as unknown as Record<string, unknown>;
    for (const one of known) {
      if (wanted.includes(one)) continue;
      if (isHandler(one)) handlers[one.type] = null;
      else remove(target, one);
    }
    for (const one of wanted) {
      if (known.includes(one)) continue;
      if (isHandler(one)) handlers[one.type] = one.listener;
      else add(target, one);
    }
    registered.set(target, wanted);
  }

  /** The first to hear of everything, and the last as long as the page is muted. */
  function listenFirst(): void {
    const types =
      'focus blur focusin focusout change input scroll select selectionchange toggle close cancel load error';
    const moves = 'mousemove mouseover mouseout mouseenter mouseleave pointermove pointerover pointerout pointerenter';
    const rest = 'pointerleave popstate hashchange animationend transitionend animationstart transitionrun reset';
    const stop = (event: Event): void => {
      if (muted) event.stopImmediatePropagation();
    };
    for (const type of `${types} ${moves} ${rest}`.split(' ')) addReal.call(globalThis, type, stop, true);
  }

  function watchObservers(): void {
    const Real = MutationObserver;
    globalThis.MutationObserver = class extends Real {
      constructor(callback: MutationCallback) {
        super(callback);
        observers.push(new WeakRef(this));
      }
    };
  }

  replaceRegistering();
  for (const holder of [HTMLElement.prototype, SVGElement.prototype, Document.prototype, globalThis])
    replaceHandlers(holder);
  listenFirst();
  watchObservers();
  globalThis.espalierKeeper.listeners = {
    of,
    put,
    mute(on) {
      muted = on;
    },
    hears: type => heard.has(type),
    hear: (type, listener) => addReal.call(globalThis, type, listener, true),
    drain() {
      for (const observer of observers) observer.deref()?.takeRecords();
    },
  };
}
