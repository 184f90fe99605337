import { isChosenByClass } from '../class-states.ts';
import type { MainWindow, PageShadowRoots } from '../parts.ts';

export const skipped = new Set(
  'SCRIPT STYLE TEMPLATE NOSCRIPT HEAD META LINK TITLE BASE SVG PATH COLGROUP OPTION'.split(' '),
);
export const inline = new Set(
  'SPAN B I EM STRONG SMALL LABEL CODE SUB SUP U MARK ABBR TIME FONT BDI BDO KBD Q S VAR WBR BR A'.split(' '),
);
export const wrapped = new Set('heading text cell alert status button link tab menuitem'.split(' '));
export const fields = new Set('textbox combobox checkbox radio switch'.split(' '));
const states = ['checked', 'current', 'disabled', 'expanded', 'invalid', 'required', 'selected'] as const;

export interface ElementNames {
  nameOf(element: Element, role: string): string | undefined;
  valueOf(element: Element, role: string): string | undefined;
  statesOf(element: Element): readonly string[];
}

export interface ElementNamesOptions {
  readonly main: MainWindow;
  /** In a page that we draw, elements say what they hold. */
  readonly isOurs: boolean;
  /** Closed shadow roots are drawn as well. */
  readonly roots?: Pick<PageShadowRoots, 'of'> | undefined;
  isShown(element: Element): boolean;
}

/** What is drawn in an element: of its shadow root where it has one, and in a slot what was put there. */
export function childrenOf(element: Element, roots: ElementNamesOptions['roots']): Iterable<Node> {
  const root = element.shadowRoot ?? roots?.of(element) ?? null;
  if (root !== null) return root.childNodes;
  const given = element.tagName === 'SLOT' ? (element as HTMLSlotElement).assignedNodes() : [];
  return given.length > 0 ? given : element.childNodes;
}

/** What an element is called, what it holds and in which state it is, as a screen says it. */
export function createElementNames({ main, isOurs, roots, isShown }: ElementNamesOptions): ElementNames {
  /** The text in an element, as it is seen. */
  function contentOf(element: Element): string {
    const whole = textIn(element);
    if (isOurs) return whole;
    if (!/\s\s|\n|\t/.test(whole)) return whole.trim();
    return main.getComputedStyle(element).whiteSpace.startsWith('pre') ? whole : whole.replaceAll(/\s+/g, ' ').trim();
  }

  function textIn(element: Element): string {
    let all = '';
    for (const child of childrenOf(element, roots)) {
      if (child.nodeType === 3) all += (child as Text).data;
      else if (child.nodeType === 1 && !skipped.has((child as Element).tagName) && isShown(child as Element)) {
        const label =
          (child as Element).tagName === 'IMG' ? ((child as HTMLImageElement).alt ?? '') : textIn(child as Element);
        all += inline.has((child as Element).tagName) ? label : ` ${label} `;
      }
    }
    return all;
  }

  function nameOf(element: Element, role: string): string | undefined {
    const others = element.getAttribute('aria-labelledby') ?? '';
    const said = others.split(/\s+/).map(id => labelText(element, id));
    const label = said.join(' ').trim() || (element.getAttribute('aria-label') ?? '');
    if (label.trim() !== '') return label;
    if (fields.has(role)) return fieldName(element);
    if (element.tagName === 'FIELDSET') return legendOf(element);
    if (!wrapped.has(role)) return undefined;
    const { value, alt } = element as HTMLInputElement;
    if (element.tagName === 'INPUT') return value || alt || 'Submit';
    const content = contentOf(element);
    const title = element.getAttribute('title') ?? '';
    // A sign shows a state, and its title says what it does: ☆ Star.
    if (content !== '' && title !== '' && !isOurs && !/[\p{L}\p{N}]{2}/u.test(content)) return `${content} ${title}`;
    return content || title || pictureName(element);
  }

  function legendOf(element: Element): string | undefined {
    const legend = [...element.children].find(({ tagName }) => tagName === 'LEGEND');
    return legend === undefined ? undefined : contentOf(legend);
  }

  /** A label that is not shown names all the same. */
  function labelText(element: Element, id: string): string {
    const root = element.getRootNode() as Document | ShadowRoot;
    const other = id === '' ? null : (root.getElementById?.(id) ?? null);
    if (other === null) return '';
    if (!isShown(other)) return (other.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    return other.getAttribute('aria-label') ?? contentOf(other);
  }

  function fieldName(element: Element): string {
    const { labels, name, placeholder } = element as HTMLInputElement;
    const said = [...(labels ?? [])].map(contentOf).join(' ').trim();
    if (said !== '') return said;
    return (
      element.getAttribute('title') ||
      placeholder ||
      (element.tagName === 'INPUT' ? '' : contentOf(element)) ||
      name ||
      ''
    );
  }

  /** An icon says what it is in a title, a class or a data attribute, if at all. */
  function pictureName(element: Element): string {
    const title = element.querySelector('svg title, [alt], [title], [aria-label]');
    const said = title?.getAttribute('aria-label') ?? title?.getAttribute('alt') ?? title?.getAttribute('title');
    return said ?? title?.textContent ?? (element as HTMLElement).dataset['action'] ?? '';
  }

  function valueOf(element: Element, role: string): string | undefined {
    const said = isOurs ? (element as HTMLElement).dataset['value'] : undefined;
    if (said !== undefined) return said;
    if (role === 'combobox' && element.tagName === 'SELECT') return selected(element as HTMLSelectElement);
    if (role !== 'textbox' && role !== 'combobox') return undefined;
    if (element.tagName !== 'INPUT' && element.tagName !== 'TEXTAREA')
      return (
        element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? element.textContent ?? ''
      );
    const { type, value } = element as HTMLInputElement;
    return type === 'password' ? '•'.repeat(value.length) : value;
  }

  function selected({ multiple, selectedOptions }: HTMLSelectElement): string {
    const chosen = [...selectedOptions].map(option => option.label);
    return multiple ? chosen.join(', ') : (chosen[0] ?? '');
  }

  function statesOf(element: Element): readonly string[] {
    const said = (element as HTMLElement).dataset['states'];
    if (said !== undefined) return said === '' ? [] : said.split(' ');
    const control = element as HTMLInputElement;
    const on: Record<(typeof states)[number], boolean> = {
      checked: control.checked === true || element.getAttribute('aria-checked') === 'true',
      current: (element.getAttribute('aria-current') ?? 'false') !== 'false',
      disabled: isDisabled(element),
      expanded: element.getAttribute('aria-expanded') === 'true' || isOpenSummary(element),
      invalid: element.getAttribute('aria-invalid') === 'true',
      required: control.required === true || element.getAttribute('aria-required') === 'true',
      selected: element.getAttribute('aria-selected') === 'true' || (!isOurs && isChosenByClass(element)),
    };
    return states.filter(state => on[state]);
  }

  function isDisabled(element: Element): boolean {
    return element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true';
  }

  function isOpenSummary(element: Element): boolean {
    return element.tagName === 'SUMMARY' && (element.parentElement as HTMLDetailsElement | null)?.open === true;
  }

  return { nameOf, valueOf, statesOf };
}
