import type { PageTripwires } from '../parts.ts';
import { isKeptCookie } from '../memory/cookies.ts';
import { closedTraps } from '../traps.ts';
import { understoodUnlessHeld } from '../members/conditions.ts';
import { languageMembers } from '../members/language.ts';
import { understoodMembers, type MemberTable } from '../members/members.ts';
import type { TellRealClock } from '../real-sources.ts';
import { prototypeOf, replaceGetter } from './clock-sources.ts';
import { wrapUnlistedMembers } from '../members/member-wires.ts';
import { isSteadyMember, unknownMember } from '../members/unknown-members.ts';

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Holder = Record<string | symbol, unknown>;

const tables: readonly MemberTable[] = [understoodMembers, languageMembers, understoodUnlessHeld];

/** Once such a member is used, no snapshot of the page is trusted. */
const forEver = Infinity;
/** What makes the parser attach a shadow root that nobody may be able to find. */
const parsedRoot = 'shadowrootmode';
export const parsedRootReason = 'a shadow root that the parser made';
/** A reason names so many of them. */
const mostNamed = 8;

export interface TripwireOptions {
  /** Hears of members that are not known to keep off the real clock and real chance. */
  readonly tell: TellRealClock;
}

/**
 * Notes what a page uses that a snapshot does not cover. It fails closed: every member of the platform that is not known to
 * be covered is wrapped, and so are the constructors of all interfaces that are not known.
 */
export function createTripwires({ tell }: TripwireOptions): PageTripwires {
  const used: { readonly what: string; readonly at: number; readonly from: number }[] = [];
  let kept = 0;
  let isOurs = 0;
  // Taken before it is watched, or replaced by scripts.
  const { apply } = Reflect;
  const PagePromise = globalThis.Promise;
  const settled = PagePromise.resolve;
  const { isPrototypeOf } = Object.prototype;
  const wires = new WeakSet<object>();
  const [addWire, hasWire] = [wires.add.bind(wires), wires.has.bind(wires)];
  const answerTypes = new WeakMap<object, unknown>();
  const [answerTypeOf, setAnswerType] = [answerTypes.get.bind(answerTypes), answerTypes.set.bind(answerTypes)];

  const note = (what: string, at: number, from = -1): void => {
    if (isOurs > 0 || used.some(other => other.what === what && other.at === at && other.from <= from)) return;
    used.push({ what, at, from });
  };

  const useMember = (what: string): void => {
    if (isOurs > 0) return;
    note(what, forEver);
    if (!isSteadyMember(what)) tell(unknownMember(what));
  };

  /** What a table cannot say. */
  function wrapSpecial(): void {
    const when = (
      owner: { prototype: object } | object | undefined,
      name: string,
      told: (values: readonly unknown[], self: unknown) => void,
    ): void => {
      const holder = (owner !== undefined && 'prototype' in owner ? owner.prototype : owner) as Holder | undefined;
      const real = holder?.[name] as Method | undefined;
      if (holder === undefined || typeof real !== 'function') return;
      Object.defineProperty(holder, name, {
        value: new Proxy(
          real,
          closedTraps({
            apply(target, self, values: unknown[]) {
              told(values, self);
              return Reflect.apply(target, self, values) as unknown;
            },
          }),
        ),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    };
    // Style rules that were there at a snapshot are there still; only later ones are too many.
    when(CSSStyleSheet, 'replace', () => note('style rules that a script wrote', kept));
    when(CSSStyleSheet, 'insertRule', ([rule]) => {
      if (typeof rule === 'string' && rule.includes('@import')) note('an @import that a script inserted', kept);
    });
    let written = '';
    for (const name of ['open', 'write', 'writeln', 'close'])
      when(Document, name, values => {
        if (document.readyState === 'complete') note(`Document.${name}`, forEver);
        for (const text of values) written += typeof text === 'object' ? parsedRoot : String(text).toLowerCase();
        if (written.includes(parsedRoot)) note(parsedRootReason, forEver);
      });
    // To read the text of an object twice could show.
    when(XMLHttpRequest, 'overrideMimeType', ([type], self) => {
      if (self instanceof XMLHttpRequest) setAnswerType(self, typeof type === 'string' ? type : {});
    });
    when(Document, 'adoptNode', ([node]) => {
      if ((node as Node | undefined)?.ownerDocument !== document) note('Document.adoptNode', forEver);
    });
    // Where a line is wrapped, it says at which line the caret stands, and shows it to no script.
    when(Selection, 'modify', ([, , by]) => {
      if (by !== 'character' && by !== 'word') note('Selection.modify by more than a word', forEver);
    });
    when(globalThis, 'structuredClone', values => {
      if (values.length > 1) note('structuredClone with a transfer', forEver);
    });
    // Whether a script said so, or the browser worked it out, decides what the next key does; no script can read it.
    for (const owner of [HTMLElement, SVGElement, MathMLElement])
      when(owner, 'focus', ([options]) => {
        if (typeof options === 'object' && options !== null && 'focusVisible' in options)
          note('focus with focusVisible', forEver);
      });
    when(globalThis, 'postMessage', () => note('window.postMessage', forEver));
    // Interfaces that a page has only under conditions.
    const named = globalThis as unknown as Record<string, { prototype: object } | undefined>;
    const always = [
      ['EventSource', 'close'],
      ['MediaQueryList', 'addListener'],
      ['MediaQueryList', 'removeListener'],
    ] as const;
    for (const [owner, name] of always) when(named[owner], name, () => note(`${owner}.${name}`, forEver));
    const timeout = Object.getOwnPropertyDescriptor(
      XMLHttpRequest.prototype,
      'timeout',
    ) as Required<PropertyDescriptor>;
    Object.defineProperty(XMLHttpRequest.prototype, 'timeout', {
      ...timeout,
      set(this: unknown, given: unknown) {
        const milliseconds = Number(given);
        if (milliseconds !== 0) useMember('XMLHttpRequest.timeout');
        apply(timeout.set, this, [milliseconds]);
      },
    });
    const { size } = Object.getOwnPropertyDescriptors(prototypeOf('FontFaceSet') ?? {}) as PropertyDescriptorMap;
    replaceGetter(prototypeOf('FontFaceSet'), 'ready', (real, self) => {
      // Without any fonts, nothing is waited for.
      if (size?.get !== undefined && apply(size.get, self, []) === 0)
        return apply(settled, PagePromise, [self]) as unknown;
      note('FontFaceSet.ready', forEver);
      return real;
    });
  }

  /** What scripts write that moves something hidden: a mode, a caret, the anchor of a list. */
  function wrapHiddenWrites(): void {
    const write = (
      holder: object,
      name: string,
      whatOf: (element: never, values: readonly unknown[]) => string | null,
    ): void => {
      const member = Object.getOwnPropertyDescriptor(holder, name);
      const real = (member?.set ?? member?.value) as Method | undefined;
      if (member === undefined || typeof real !== 'function') return;
      const wire = new Proxy(
        real,
        closedTraps({
          apply(target, self, values: unknown[]) {
            const what = isPrototypeOf.call(holder, self as object) ? whatOf(self as never, values) : null;
            if (what !== null) note(what, kept);
            return apply(target, self, values) as unknown;
          },
        }),
      );
      addWire(wire);
      Object.defineProperty(
        holder,
        name,
        member.set === undefined ? { ...member, value: wire } : { ...member, set: wire },
      );
    };
    write(Document.prototype, 'cookie', (_, [text]) => {
      if (!isKeptCookie(text, location.pathname))
        note('a cookie with a path, an expiry or a flag, which no script can read', forEver);
      return null;
    });
    const inCaretless = ({ type }: HTMLInputElement): string | null =>
      type === 'number' || type === 'email'
        ? 'a field with a caret that no script can read, and a script wrote it'
        : null;
    const inList = (select: HTMLSelectElement | null): string | null =>
      select !== null && (select.multiple || select.size > 1) ? 'a list in which a script chose' : null;
    for (const name of ['value', 'valueAsNumber', 'type', 'stepUp', 'stepDown', 'select'])
      write(HTMLInputElement.prototype, name, inCaretless);
    for (const name of ['value', 'selectedIndex']) write(HTMLSelectElement.prototype, name, inList);
    write(HTMLOptionsCollection.prototype, 'selectedIndex', (options: HTMLOptionsCollection) =>
      inList(options[0]?.closest('select') ?? null),
    );
    write(HTMLOptionElement.prototype, 'selected', (option: HTMLOptionElement) => inList(option.closest('select')));
    for (const owner of [HTMLButtonElement, HTMLFieldSetElement])
      write(owner.prototype, 'setCustomValidity', ({ validity }: HTMLButtonElement, [message]) =>
        validity.customError || String(message) !== ''
          ? 'what a script found wrong with a button or a group of fields'
          : null,
      );
    write(HTMLScriptElement.prototype, 'async', () => 'what a script said of the order of another');
    for (const name of ['value', 'defaultValue'])
      write(HTMLOutputElement.prototype, name, () => 'the value of an <output>, and a script wrote it');
  }

  const isMemberWire = wrapUnlistedMembers({ known: tables, used: useMember });
  wrapSpecial();
  wrapHiddenWrites();
  return {
    mark() {
      kept++;
      return kept;
    },
    passed: mark => used.find(({ at, from }) => at >= mark && from < mark)?.what ?? null,
    beyond() {
      const found = used.filter(({ at }) => at === forEver).map(({ what }) => what);
      return found.length === 0 ? null : `used ${found.slice(0, mostNamed).join(', ')}`;
    },
    trip: what => note(what, forEver),
    tripSince: (what, from) => note(what, kept, from),
    answerTypeOf,
    moment: () => kept,
    isQuiet: () => isOurs > 0,
    isWire: value => isMemberWire(value) || hasWire(value),
    quietly(work) {
      isOurs++;
      try {
        return work();
      } finally {
        isOurs--;
      }
    },
  };
}

/** Where no snapshots are taken, nothing has to be watched for them. */
export const noTripwires: PageTripwires = {
  mark: () => 0,
  passed: () => null,
  beyond: () => null,
  trip: () => undefined,
  tripSince: () => undefined,
  answerTypeOf: () => undefined,
  moment: () => 0,
  isQuiet: () => false,
  isWire: () => false,
  quietly: work => work(),
};
