import type { PageListeners, PageTripwires } from '../parts.ts';
import { prototypeOf, replaceMethod } from './clock-sources.ts';

// Taken before they are watched.
const { apply, defineProperty, deleteProperty, getPrototypeOf } = Reflect;
const { getOwnPropertyDescriptor } = Object;
const constructors = CustomElementRegistry.prototype.get;

type Callback = (...values: unknown[]) => unknown;

/** What the browser calls, as it reads it when an element is defined. */
const callbacks = [
  'connectedCallback',
  'disconnectedCallback',
  'connectedMoveCallback',
  'adoptedCallback',
  'attributeChangedCallback',
];

export interface CustomElementsOptions {
  readonly tripwires: Pick<PageTripwires, 'trip' | 'tripSince'>;
  readonly listeners: Pick<PageListeners, 'isMuted'>;
  isProxy(value: object): boolean;
  /** Counts an object as one that scripts of the page hold. */
  hold(value: object): void;
}

/** Keeps from custom elements what a restore does. A definition stays: no snapshot from before can be restored. */
export function watchCustomElements(options: CustomElementsOptions): void {
  const { listeners, hold, isProxy } = options;
  const { trip, tripSince } = options.tripwires;
  const holder = prototypeOf('CustomElementRegistry');

  const unlessMuted = (run: Callback): Callback =>
    function (this: unknown, ...values: unknown[]): unknown {
      return listeners.isMuted() ? undefined : apply(run, this, values);
    };

  replaceMethod(holder, 'define', (real, self, [name, made, more]) => {
    const given = (more ?? {}) as { extends?: unknown };
    const parent = given.extends;
    const values = [name, made, ...(parent === undefined ? [] : [{ extends: parent }])];
    if (typeof made !== 'function') return apply(real, self, values);
    // No script of the page may run between what we do and what the browser reads.
    const member = isProxy(made) ? undefined : getOwnPropertyDescriptor(made, 'prototype');
    const prototype = member?.value as unknown;
    const isPlain = typeof prototype === 'object' && prototype !== null && !isProxy(prototype);
    const lent = isPlain ? lend(prototype, unlessMuted) : null;
    try {
      apply(real, self, values);
    } finally {
      lent?.takeBack();
    }
    if (parent !== undefined) trip('a customised built-in element');
    if (lent?.isWhole() !== true) trip('a custom element whose callbacks cannot be replaced');
    if (mayBelongToForms(made)) trip('a custom element that belongs to forms');
    tripSince('a custom element that was defined since');
    hold(made);
    for (const run of lent?.runs ?? []) hold(run);
    return undefined;
  });
  replaceMethod(holder, 'whenDefined', (real, self, [name]) => {
    const text = `${name as string}`;
    const promise = apply(real, self, [text]);
    if (apply(constructors, self, [text]) === undefined)
      tripSince('a wait for a custom element that nobody has defined');
    return promise;
  });
}

interface Lent {
  /** The functions of the page that are called by ours. */
  readonly runs: readonly Callback[];
  /** Whether each of ours was read. */
  isWhole(): boolean;
  takeBack(): void;
}

/**
 * Puts functions of ours in the place of callbacks while the browser reads them. Each leaves when it was read: no script of the
 * page runs meanwhile, and none sees it.
 */
function lend(prototype: object, asOurs: (run: Callback) => Callback): Lent {
  const found: { readonly key: string; readonly run: Callback }[] = [];
  // Getters of the page are asked before any function of ours stands there.
  for (const key of callbacks) {
    const run = (prototype as Record<string, unknown>)[key];
    if (typeof run === 'function') found.push({ key, run: run as Callback });
  }
  const backs: (() => void)[] = [];
  let readCount = 0;
  for (const { key, run } of found) {
    const before = getOwnPropertyDescriptor(prototype, key);
    let isThere = true;
    const back = (): void => {
      if (!isThere) return;
      isThere = false;
      if (before === undefined) deleteProperty(prototype, key);
      else defineProperty(prototype, key, before);
    };
    const ours = asOurs(run);
    const get = (): unknown => {
      readCount++;
      back();
      return ours;
    };
    const asGetter = { get, enumerable: before?.enumerable ?? false, configurable: true };
    if (defineProperty(prototype, key, asGetter)) backs.push(back);
  }
  return {
    runs: found.map(({ run }) => run),
    isWhole: () => readCount === found.length,
    takeBack: () => backs.forEach(back => back()),
  };
}

/** Whether it says so, or a getter may have. */
function mayBelongToForms(made: object): boolean {
  for (let at: object | null = made; at !== null; at = getPrototypeOf(at)) {
    const member = getOwnPropertyDescriptor(at, 'formAssociated');
    if (member !== undefined) return !('value' in member) || Boolean(member.value);
  }
  return false;
}
