import type { MainWindow, PageShadowRoots } from '../parts.ts';

const remembering = /contain-intrinsic-[a-z-]+:[^;}]*\bauto\b/;
const importRule = 3;

/** Whether a style asks for it, as a text. */
export const remembersSize = (style: string): boolean => remembering.test(style);

/**
 * Finds styles by which a box keeps the size that it had when it last showed what is in it: the browser remembers that, and shows
 * it to no script until the box is skipped.
 */
export function createRememberedSizes({ document }: MainWindow, roots: PageShadowRoots): () => string | null {
  /** Sheets that were read, by how many rules they had. */
  const known = new WeakMap<CSSStyleSheet, { readonly count: number; readonly remembers: boolean }>();

  function rulesOf(sheet: CSSStyleSheet): CSSRuleList | null {
    try {
      return sheet.cssRules;
    } catch {
      // Of another origin, or not loaded yet.
      return null;
    }
  }

  function read(rules: CSSRuleList): boolean {
    for (let index = 0; index < rules.length; index++) {
      const rule = rules[index] as CSSRule;
      const imported = rule.type === importRule ? (rule as CSSImportRule).styleSheet : null;
      if (imported === null ? remembersSize(rule.cssText) : isFound(imported)) return true;
    }
    return false;
  }

  function isFound(sheet: CSSStyleSheet): boolean {
    const rules = rulesOf(sheet);
    if (rules === null) return false;
    const before = known.get(sheet);
    if (before !== undefined && before.count === rules.length) return before.remembers;
    const remembers = read(rules);
    known.set(sheet, { count: rules.length, remembers });
    return remembers;
  }

  const isIn = (root: Document | ShadowRoot): boolean => {
    for (const sheet of root.styleSheets) if (isFound(sheet)) return true;
    return roots.sheetsOf(root).some(isFound);
  };
  return () =>
    isIn(document) || roots.shown().some(isIn) ? 'a box that remembers its size (contain-intrinsic-size: auto)' : null;
}
