import { bytesIn, patternOf, unboxed } from './platform-reads.ts';
import type { ContentsOptions, Kind } from './records.ts';

/** What is in an object beside its members: the pairs of a map, the time of a date, the bytes of an array. */
export interface PageEntries {
  of(value: object, kind: Kind): readonly unknown[];
  areSame(value: object, kind: Kind, entries: readonly unknown[]): boolean;
  restore(value: object, kind: Kind, entries: readonly unknown[]): void;
}

/** Stands in the place of a member that an array does not have. */
const hole = Symbol('hole');
const none: readonly never[] = Object.freeze([]);
const { clear: clearMap, set: setMap, forEach: eachOfMap } = Map.prototype;
const { clear: clearSet, add: addSet, forEach: eachOfSet } = Set.prototype;
const { getTime, setTime } = Date.prototype;
const { deref } = WeakRef.prototype;

function ofArray(array: readonly unknown[], { made }: Kind): readonly unknown[] {
  const members: unknown[] = [];
  // A prototype of the page's own may have something where the array has a hole.
  const canInherit = made.length > 0;
  for (let index = 0; index < array.length; index++) {
    if (canInherit && !Object.hasOwn(array, index)) {
      members.push(hole);
      continue;
    }
    const member = array[index];
    members.push(member === undefined && !(index in array) ? hole : member);
  }
  return members;
}

function isSameArray(array: readonly unknown[], kind: Kind, entries: readonly unknown[]): boolean {
  if (array.length !== entries.length) return false;
  if (kind.made.length > 0) return ofArray(array, kind).every((member, index) => Object.is(member, entries[index]));
  for (let index = 0; index < entries.length; index++) {
    const member = array[index];
    if (Object.is(member, entries[index])) {
      if (member === undefined && !(index in array)) return false;
    } else if (entries[index] !== hole || index in array) return false;
  }
  return true;
}

function bytesOf(value: object): readonly unknown[] {
  const { buffer, start, length, isResizable } = bytesIn(value);
  if (buffer === null) return ['detached'];
  return [start, length, buffer === value ? isResizable : buffer, ...new Uint8Array(buffer, start, length)];
}

/** What a request that is over came to; one that was used again differs. */
const ofRequests = 'readyState status responseURL responseType withCredentials response result error url'.split(' ');
const ofEvents = 'type target currentTarget eventPhase defaultPrevented cancelBubble'.split(' ');
/** What a script may still change in an event that it made. */
const ofMadeEvents = 'bubbles cancelable detail view screenX screenY clientX clientY button relatedTarget'.split(' ');
const ofRectangles = ['x', 'y', 'width', 'height'];
const ofWalkers = ['root', 'whatToShow', 'filter', 'currentNode'];
const ofRanges = ['startContainer', 'startOffset', 'endContainer', 'endOffset'];

/** Reads and writes what is in objects beside their members, with functions that no script of the page can replace. */
export function createEntries({
  listeners,
  scopes,
  behindProxy,
  promises,
  linked,
  styleRules,
  platform,
  answerTypeOf,
}: ContentsOptions): PageEntries {
  const heardBy = (value: object): readonly unknown[] =>
    listeners.of(value as EventTarget).flatMap(({ type, listener }) => [type, listener]);
  const readers: Partial<Record<Kind['form'], (value: object, kind: Kind) => readonly unknown[]>> = {
    array: (value, kind) => ofArray(value as unknown[], kind),
    map(value) {
      const pairs: unknown[] = [];
      eachOfMap.call(value as Map<unknown, unknown>, (member, key) => pairs.push(key, member));
      return pairs;
    },
    set(value) {
      const members: unknown[] = [];
      eachOfSet.call(value as Set<unknown>, member => members.push(member));
      return members;
    },
    date: value => [getTime.call(value as Date)],
    pattern: patternOf,
    boxed: value => [unboxed(value)],
    bytes: bytesOf,
    address: value => [platform.addressOf(value)],
    signal(value) {
      const signal = (platform.of(value, 'signal') ?? value) as AbortSignal;
      return [platform.of(signal, 'aborted'), platform.of(signal, 'reason'), ...heardBy(signal)];
    },
    target: heardBy,
    rectangle: value => platform.all(value, ofRectangles),
    list: value =>
      Array.from({ length: platform.of(value, 'length') as number }, (_, index) => (value as NodeList)[index]),
    style: value => [platform.of(value, 'cssText')],
    pairs: platform.pairsOf,
    request: value => [...platform.all(value, ofRequests), answerTypeOf(value)],
    event(value) {
      const shared = platform.all(value, ofEvents);
      return (value as Event).isTrusted ? shared : [...shared, ...platform.all(value, ofMadeEvents)];
    },
    proxy: value => behindProxy(value) ?? none,
    linked: value => [...(linked.entriesOf(value) ?? none), ...heardBy(value)],
    reference: value => [deref.call(value as WeakRef<object>)],
    trusted: value => [String(value)],
    // The rules of others are kept with the document.
    sheet: value =>
      styleRules.constructedRules(value) ?? [platform.of(value, 'ownerNode'), styleRules.isCurrent(value)],
    walker: value => platform.all(value, ofWalkers),
    range: value => platform.all(value, ofRanges),
    promise: value => promises.stateOf(value)?.entries ?? none,
    function(value) {
      const link = promises.linkOf(value);
      return link === null ? scopes.valuesOf(value) : [link];
    },
  };
  const of = (value: object, kind: Kind): readonly unknown[] => readers[kind.form]?.(value, kind) ?? none;
  return {
    of,
    areSame(value, kind, entries) {
      if (kind.form === 'array') return isSameArray(value as unknown[], kind, entries);
      if (kind.form === 'function' && promises.linkOf(value) === null) return scopes.areValues(value, entries);
      const now = of(value, kind);
      return now.length === entries.length && now.every((entry, index) => Object.is(entry, entries[index]));
    },
    restore(value, { form }, entries) {
      if (form === 'array') writeArray(value as unknown[], entries);
      else if (form === 'map') {
        clearMap.call(value);
        for (let index = 0; index < entries.length; index += 2) setMap.call(value, entries[index], entries[index + 1]);
      } else if (form === 'set') {
        clearSet.call(value);
        for (const member of entries) addSet.call(value, member);
      } else if (form === 'date') setTime.call(value as Date, entries[0] as number);
      else if (form === 'bytes') writeBytes(value, entries);
      else if (form === 'address') platform.setAddress(value, entries[0] as string);
      else if (form === 'style') (value as CSSStyleDeclaration).cssText = entries[0] as string;
      else if (form === 'pairs') platform.setPairs(value, entries);
      else if (form === 'linked') linked.giveBack(value);
      else if (form === 'walker') (value as TreeWalker).currentNode = entries[3] as Node;
      else if (form === 'sheet') {
        if (styleRules.constructedRules(value) !== null)
          styleRules.restoreConstructed(value, entries as readonly string[]);
      } else if (form === 'function') scopes.restoreValues(value, entries);
    },
  };
}

function writeArray(array: unknown[], entries: readonly unknown[]): void {
  if (Object.isFrozen(array)) return;
  // What cannot be written is found out when the array is read again.
  Reflect.set(array, 'length', 0);
  Reflect.set(array, 'length', entries.length);
  const usual = { writable: true, enumerable: true, configurable: true };
  // An assignment could end in a setter of a prototype.
  for (const [index, value] of entries.entries())
    if (value !== hole) Reflect.defineProperty(array, index, { value, ...usual });
}

function writeBytes(value: object, [offset, length, , ...bytes]: readonly unknown[]): void {
  const now = bytesIn(value);
  if (offset === 'detached' || now.buffer === null || now.length !== length) return;
  new Uint8Array(now.buffer, now.start, now.length).set(bytes as number[]);
}
