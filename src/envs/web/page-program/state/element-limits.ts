import type { MainWindow, PageShadowRoots } from '../parts.ts';
import { remembersSize } from './remembered-sizes.ts';
import type { PageFields } from './records.ts';

export interface ElementLimitsOptions {
  readonly main: MainWindow;
  readonly fields: PageFields;
  readonly roots: PageShadowRoots;
}

/** What of an element a snapshot cannot keep. */
export interface ElementLimits {
  /** Whether a class of the page made it, or may come to; empty for elements of the browser. */
  definitionOf(element: Element): '' | 'defined' | 'undefined';
  limitOf(element: Element): string | null;
}

export function createElementLimits({ main, fields, roots }: ElementLimitsOptions): ElementLimits {
  const { document, Element } = main;
  /** Elements with a state of their own that cannot be read. */
  const beyond = new Set(
    'animate animateMotion animateTransform set IFRAME FRAME FRAMESET VIDEO AUDIO OBJECT EMBED FENCEDFRAME PORTAL MARQUEE'.split(
      ' ',
    ),
  );

  /** Whether a class of the page made an element, or may come to: some frameworks use such names and define nothing. */
  function definitionOf(element: Element): '' | 'defined' | 'undefined' {
    if (!element.localName.includes('-') || element.namespaceURI !== 'http://www.w3.org/1999/xhtml') return '';
    return element.matches(':defined') ? 'defined' : 'undefined';
  }

  /** What stands in a template is defined when it is copied into the page. */
  const isLate = (element: Element): boolean =>
    element.ownerDocument === document &&
    definitionOf(element) === 'undefined' &&
    main.customElements.get(element.localName) !== undefined;

  function limitInShadow(element: Element): string | null {
    if (element.getRootNode() === document || !(element.getRootNode() instanceof main.ShadowRoot)) return null;
    if (element.tagName === 'INPUT' && (element as HTMLInputElement).type === 'image')
      return 'an image of a field in a shadow root';
    return element.hasAttribute('contenteditable') ? 'an editor in a shadow root' : null;
  }

  function limitOf(element: Element): string | null {
    const { tagName } = element;
    const limit = roots.limitOf(element) ?? limitInShadow(element);
    if (limit !== null) return limit;
    if (isLate(element)) return 'a custom element that was made before it was defined, or whose class failed';
    // The browser remembers that it was enabled, and what happens beside the document nobody tells.
    if (element.matches('link[rel~=alternate i]') && !element.isConnected)
      return 'an alternate link beside the document';
    if (element.hasAttribute('is')) return 'a customised built-in element';
    if (tagName === 'SCRIPT' && /importmap|speculationrules/i.test((element as HTMLScriptElement).type))
      return 'an import map';
    if (tagName === 'INPUT' && (element as HTMLInputElement).type === 'file') return 'a field for files';
    if (
      element.hasAttribute('popover') &&
      (tagName === 'DIALOG' || (fields.isHolding(element) && !fields.isLayer(element)))
    )
      return 'a dialog or field that is a popover as well';
    if (holdsItself(element)) return 'an inline event handler that names itself';
    if (remembersSize(element.getAttribute('style') ?? '')) return 'an element that remembers its size';
    if (isToText(element)) return 'a link to a text of the page, which the browser marks';
    if (element.hasAttribute('interestfor')) return 'an element that shows another one after a while';
    if (isParserOwned(element as HTMLInputElement)) return 'a field that only the parser could give to its form';
    if (tagName === 'CANVAS') return fields.limitOfCanvas(element);
    if (fields.hidesText(element)) return 'a field with a text that is not its value';
    if ((element as HTMLElement).isContentEditable && element.hasAttribute('contenteditable')) return null;
    return beyond.has(tagName) ? `an element ${tagName.toLowerCase()}` : null;
  }

  /** A script may hang something on such a function without a member that gives it. */
  const holdsItself = (element: Element): boolean =>
    element
      .getAttributeNames()
      .some(name => name.startsWith('on') && (element.getAttribute(name) as string).includes('callee'));

  /** What the browser marks in the page once such a link was followed, no script can read or take back. */
  function isToText(element: Element): boolean {
    const address = element.tagName === 'A' || element.tagName === 'AREA' ? element.getAttribute('href') : null;
    if (address === null || !address.includes(':~:')) return false;
    const [page, here] = [(element as HTMLAnchorElement).href, document.URL].map(one => one.split('#', 1)[0]);
    return page === here;
  }

  /** Once it leaves the document, no script can give it back to a form around which it does not stand. */
  function isParserOwned(field: HTMLInputElement): boolean {
    if (!fields.isHolding(field) && field.tagName !== 'BUTTON') return false;
    return field.form instanceof Element && !field.form.contains(field) && !field.hasAttribute('form');
  }

  return { definitionOf, limitOf };
}
