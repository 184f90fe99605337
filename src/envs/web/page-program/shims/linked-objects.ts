import type { PageLinkedObjects, PageLinks, PageShadowRoots, PageTripwires } from '../parts.ts';
import { prototypeOf, replaceMethod } from './clock-sources.ts';
import { closedTraps } from '../traps.ts';

// Taken before they are watched.
const { apply, construct } = Reflect;

interface PortState {
  readonly peer: object;
  /** When it was made, in snapshots. */
  readonly made: number;
  isStarted: boolean;
  isClosed: boolean;
  /** Messages that wait until it is started. */
  waiting: number;
}

/**
 * Knows what objects of the browser lead to that show it to no script: the ports of a channel lead to each other, a policy
 * of trusted types to the functions that it calls.
 */
export function createLinkedObjects(
  { trip, tripSince, moment }: PageTripwires,
  roots: Pick<PageShadowRoots, 'shown'>,
  others: readonly (Pick<PageLinks, 'entriesOf'> & Partial<PageLinks>)[],
): PageLinkedObjects {
  const ports = new WeakMap<object, PortState>();
  const [portOf, setPort] = [ports.get.bind(ports), ports.set.bind(ports)];
  const links = new WeakMap<object, readonly unknown[]>();
  const [linksOf, setLinks] = [links.get.bind(links), links.set.bind(links)];

  const change = (port: PortState): void => tripSince('a message port that was there before', port.made);

  function start(port: unknown): void {
    const state = portOf(port as object);
    if (state === undefined || state.isStarted) return;
    [state.isStarted, state.waiting] = [true, 0];
    change(state);
  }

  function close(port: unknown): void {
    const state = portOf(port as object);
    for (const one of [state, state && portOf(state.peer)]) {
      if (one === undefined || one.isClosed) continue;
      one.isClosed = true;
      change(one);
    }
  }

  function post(port: unknown, options: unknown): void {
    const given: unknown = Array.isArray(options) ? options : (options as { transfer?: unknown } | null)?.transfer;
    if (given !== undefined && given !== null && (given as { length?: unknown }).length !== 0)
      trip('a message with a transfer');
    const state = portOf(port as object);
    const peer = state && portOf(state.peer);
    if (peer === undefined || peer.isStarted || peer.isClosed) return;
    peer.waiting++;
    change(peer);
  }

  function watchChannels(): void {
    const Real = MessageChannel;
    const read = (name: string): ((channel: object) => object) => {
      const get = Object.getOwnPropertyDescriptor(Real.prototype, name)?.get as () => object;
      return channel => apply(get, channel, []);
    };
    const [firstOf, secondOf] = [read('port1'), read('port2')];
    const traps = closedTraps<typeof MessageChannel>({
      construct(target, values: [], as) {
        const channel = construct(target, values, as as typeof Real) as object;
        const [first, second] = [firstOf(channel), secondOf(channel)];
        const fresh = { made: moment(), isStarted: false, isClosed: false, waiting: 0 };
        setPort(first, { ...fresh, peer: second });
        setPort(second, { ...fresh, peer: first });
        setLinks(channel, [first, second]);
        return channel;
      },
    });
    const value = new Proxy(Real, traps);
    Object.defineProperty(Real.prototype, 'constructor', { value, writable: true, configurable: true });
    Object.defineProperty(globalThis, 'MessageChannel', { value, writable: true, configurable: true });
    const holder = MessagePort.prototype;
    replaceMethod(holder, 'start', (real, self, values) => {
      start(self);
      return apply(real, self, values);
    });
    replaceMethod(holder, 'close', (real, self, values) => {
      close(self);
      return apply(real, self, values);
    });
    replaceMethod(holder, 'postMessage', (real, self, values) => {
      const given = apply(real, self, values);
      post(self, values[1]);
      return given;
    });
    const member = Object.getOwnPropertyDescriptor(holder, 'onmessage') as PropertyDescriptor;
    Object.defineProperty(holder, 'onmessage', {
      ...member,
      set(this: object, handler: unknown) {
        apply(member.set as (handler: unknown) => void, this, [handler]);
        start(this);
      },
    });
  }

  const rules = ['createHTML', 'createScript', 'createScriptURL'] as const;

  function watchPolicies(): void {
    replaceMethod(prototypeOf('TrustedTypePolicyFactory'), 'createPolicy', (real, self, [name, options]) => {
      const [title, given] = [String(name), (options ?? {}) as Record<string, unknown>];
      const read = rules.map(rule => given[rule]);
      const policy = apply(real, self, [title, Object.fromEntries(rules.map((rule, index) => [rule, read[index]]))]);
      // The browser asks the default one without being told to; a name may not be taken twice.
      if (title === 'default') trip('a default policy of trusted types');
      tripSince('a policy of trusted types that was made since');
      setLinks(policy as object, [title, ...read]);
      return policy;
    });
  }

  /** Those that scripts started and that may still show, with when each was. */
  const animations = new Map<Animation, number>();
  const { getAnimations } = Document.prototype;
  const { getAnimations: getAnimationsIn } = ShadowRoot.prototype;
  const playState = Object.getOwnPropertyDescriptor(Animation.prototype, 'playState')?.get as () => string;

  /** One that is over shows nothing, and nobody can play it again but by members that are not understood. */
  function watchAnimations(): void {
    const made = new WeakMap<object, number>();
    const [madeAt, setMade] = [made.get.bind(made), made.set.bind(made)];
    // Those of style sheets may have been there for long.
    const noteChange = (animation: unknown): void =>
      tripSince('an animation that was there before', madeAt(animation as object));
    replaceMethod(Element.prototype, 'animate', (real, self, values) => {
      const animation = apply(real, self, values) as Animation;
      animations.set(animation, moment());
      setMade(animation, moment());
      setLinks(animation, [self]);
      return animation;
    });
    replaceMethod(Animation.prototype, 'cancel', (real, self, values) => {
      noteChange(self);
      return apply(real, self, values);
    });
    const effect = Object.getOwnPropertyDescriptor(Animation.prototype, 'effect') as Required<PropertyDescriptor>;
    Object.defineProperty(Animation.prototype, 'effect', {
      ...effect,
      set(this: unknown, value: unknown) {
        noteChange(this);
        apply(effect.set, this, [value]);
      },
    });
  }

  const ranges = new WeakSet<object>();
  const [isRange, addRange, dropRange] = [ranges.has.bind(ranges), ranges.add.bind(ranges), ranges.delete.bind(ranges)];

  /** One that was selected changes what is selected. */
  function watchRanges(): void {
    for (const [holder, name] of [
      [Document.prototype, 'createRange'],
      [Range.prototype, 'cloneRange'],
    ] as const)
      replaceMethod(holder, name, (real, self, values) => {
        const range = apply(real, self, values) as object;
        addRange(range);
        return range;
      });
    replaceMethod(Selection.prototype, 'addRange', (real, self, values) => {
      dropRange(values[0] as object);
      return apply(real, self, values);
    });
  }

  function entriesOf(value: object): readonly unknown[] | null {
    if (value instanceof Animation) {
      const [element] = linksOf(value) ?? [];
      return element === undefined ? null : [element, apply(playState, value, [])];
    }
    const port = portOf(value);
    if (port !== undefined) return [port.peer, port.isStarted, port.isClosed, port.waiting];
    let found = linksOf(value) ?? null;
    for (const other of others) found ??= other.entriesOf(value);
    return found;
  }

  watchRanges();
  watchChannels();
  watchPolicies();
  watchAnimations();
  return {
    entriesOf,
    refusalOf(value) {
      if (entriesOf(value) === null) return 'an object of the browser that came from elsewhere';
      let found: string | null = null;
      for (const other of others) found ??= other.refusalOf?.(value) ?? null;
      return found;
    },
    giveBack(value) {
      for (const other of others) other.giveBack?.(value);
    },
    isOwnRange: value => isRange(value),
    unsettled() {
      if (animations.size === 0) return null;
      const shown = new Set<Animation>();
      for (const animation of apply(getAnimations, document, []) as readonly Animation[]) shown.add(animation);
      for (const root of roots.shown())
        for (const animation of apply(getAnimationsIn, root, []) as readonly Animation[]) shown.add(animation);
      for (const animation of animations.keys()) if (!shown.has(animation)) animations.delete(animation);
      return animations.size === 0 ? null : 'an animation that a script started and that still shows';
    },
  };
}

/** Where no snapshots are taken. */
export const nothingLinked: PageLinkedObjects = {
  entriesOf: () => null,
  refusalOf: () => null,
  giveBack: () => undefined,
  isOwnRange: () => false,
  unsettled: () => null,
};
