import type { PageStyleRules, PageTripwires, StyleRulesRecord } from '../parts.ts';
import { closedTraps } from '../traps.ts';
import { replaceMethod } from './clock-sources.ts';

// Taken before they are watched.
const { apply, construct, defineProperty } = Reflect;
const getter = (holder: object, name: string): (() => unknown) =>
  Object.getOwnPropertyDescriptor(holder, name)?.get as () => unknown;

interface Written {
  /** The rules before a script wrote any. */
  readonly base: readonly string[];
  /** Null when they have to be read. */
  texts: readonly string[] | null;
}

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index]);

/** Keeps the rules that scripts write into style sheets, as libraries do that make styles in scripts. */
export function createStyleRules(quietly: PageTripwires['quietly']): PageStyleRules {
  const { prototype } = CSSStyleSheet;
  const { insertRule, deleteRule } = prototype;
  const [rulesOf, ownerOf] = [getter(prototype, 'cssRules'), getter(StyleSheet.prototype, 'ownerNode')];
  const [lengthOf, itemOf] = [getter(CSSRuleList.prototype, 'length'), CSSRuleList.prototype.item];
  const textOf = getter(CSSRule.prototype, 'cssText');
  const sheetOf = [HTMLStyleElement, HTMLLinkElement, SVGStyleElement].map(
    owner => [owner, getter(owner.prototype, 'sheet')] as const,
  );
  const written = new Map<CSSStyleSheet, Written>();
  /** Those that scripts constructed belong to no element. Null when the rules have to be read. */
  const constructed = new WeakMap<object, { texts: readonly string[] | null }>();
  const [madeOf, setMade] = [constructed.get.bind(constructed), constructed.set.bind(constructed)];

  /** A script that writes the first rule has not asked for the others. */
  const read = (sheet: CSSStyleSheet): readonly string[] =>
    quietly(() => {
      const rules = apply(rulesOf, sheet, []) as CSSRuleList;
      const texts: string[] = [];
      const count = apply(lengthOf, rules, []) as number;
      for (let index = 0; index < count; index++)
        texts[index] = apply(textOf, apply(itemOf, rules, [index]), []) as string;
      return texts;
    });

  const owner = (sheet: CSSStyleSheet): Element | null => apply(ownerOf, sheet, []) as Element | null;
  const sheetIn = (element: Element): CSSStyleSheet | null => {
    for (const [made, get] of sheetOf) if (element instanceof made) return apply(get, element, []) as CSSStyleSheet;
    return null;
  };

  function isCurrent(sheet: object): boolean {
    const element = owner(sheet as CSSStyleSheet);
    return element !== null && sheetIn(element) === sheet;
  }

  function textsOf(sheet: CSSStyleSheet): readonly string[] {
    const known = madeOf(sheet) ?? written.get(sheet);
    if (known === undefined) return read(sheet);
    known.texts ??= read(sheet);
    return known.texts;
  }

  /** Says that a script is about to write. */
  function note(sheet: unknown): void {
    if (!(sheet instanceof CSSStyleSheet)) return;
    const known = madeOf(sheet) ?? written.get(sheet);
    if (known !== undefined) known.texts = null;
    else if (owner(sheet) !== null) written.set(sheet, { base: read(sheet), texts: null });
  }

  function write(sheet: CSSStyleSheet, wanted: readonly string[]): void {
    const now = textsOf(sheet);
    let same = 0;
    while (same < now.length && same < wanted.length && now[same] === wanted[same]) same++;
    if (same === now.length && same === wanted.length) return;
    note(sheet);
    for (let index = now.length - 1; index >= same; index--) apply(deleteRule, sheet, [index]);
    try {
      for (let index = same; index < wanted.length; index++) apply(insertRule, sheet, [wanted[index], index]);
    } catch {
      // Whoever restores compares afterwards.
    }
  }

  const Real = CSSStyleSheet;
  const traps = closedTraps<typeof CSSStyleSheet>({
    construct(target, values: [], as) {
      const sheet = construct(target, values, as as typeof Real) as object;
      setMade(sheet, { texts: null });
      return sheet;
    },
  });
  const value = new Proxy(Real, traps);
  defineProperty(prototype, 'constructor', { value, writable: true, configurable: true });
  defineProperty(globalThis, 'CSSStyleSheet', { value, writable: true, configurable: true });
  for (const name of ['insertRule', 'deleteRule', 'addRule', 'removeRule', 'replaceSync', 'replace'])
    replaceMethod(prototype, name, (real, self, values) => {
      note(self);
      return apply(real, self, values);
    });
  return {
    constructedRules: sheet => (madeOf(sheet) === undefined ? null : textsOf(sheet as CSSStyleSheet)),
    restoreConstructed: (sheet, rules) => write(sheet as CSSStyleSheet, rules),
    isKept: sheet => madeOf(sheet) !== undefined || isCurrent(sheet),
    isCurrent,
    capture() {
      const record: [Element, readonly string[]][] = [];
      for (const [sheet, { base }] of written) {
        const element = owner(sheet);
        // A sheet that left the document is gone for good: its element has another one when it comes back.
        if (element === null) written.delete(sheet);
        else if (!areSame(textsOf(sheet), base)) record.push([element, textsOf(sheet)]);
      }
      return record;
    },
    restore(record: StyleRulesRecord) {
      const wanted = new Map(record);
      for (const [element, texts] of wanted) {
        const sheet = sheetIn(element);
        if (sheet !== null) write(sheet, texts);
      }
      for (const [sheet, { base }] of written) {
        const element = owner(sheet);
        if (element !== null && !wanted.has(element)) write(sheet, base);
      }
    },
  };
}
