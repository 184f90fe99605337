/** Finds changes of the document that last when they are undone. */
export interface LastingChanges {
  note(changes: readonly MutationRecord[]): void;
  /** Says that an element is part of a snapshot. */
  know(element: Element): void;
}

/** Metas that say something about the page and change nothing in it: a screen that is no phone has a viewport of its own. All others take effect for good. */
const inertMetas =
  /^(description|keywords|author|application-name|generator|robots|theme-color|viewport|og:.*|twitter:.*)$/i;

const withEffect = 'meta, style[title], link[title], script, [autofocus]';

/** A form answers to former names of these as well. */
const namedInForms = new Set(['input', 'select', 'textarea', 'button', 'output', 'fieldset', 'object', 'img']);

const htmlNamespace = 'http://www.w3.org/1999/xhtml';
/** Not by `nodeName`, which has a prefix where a script gave one. */
const isMeta = ({ localName, namespaceURI }: Element): boolean =>
  localName === 'meta' && namespaceURI === htmlNamespace;
/** SVG has style elements of its own. */
const isSheet = ({ localName }: Element): boolean => localName === 'style' || localName === 'link';

const rules = /^\s*(importmap|speculationrules)\s*$/i;
const isScript = ({ localName }: Element): boolean => localName === 'script';

const isCheckable = (type: string | null): boolean => type !== null && /^(checkbox|radio)$/i.test(type);

/** Images have a form as fields do, and do not tell which: in doubt they have one. */
const mayHaveForm = (element: Element): boolean =>
  element.localName === 'img' || !element.isConnected || (element as HTMLInputElement).form !== null;

/**
 * Whatever is found is told to `onLasting`: no snapshot from before can be restored. `onShowing` is told of what may show
 * what was taken back before.
 */
export function createLastingChanges(
  document: Document,
  onLasting: (what: string) => void,
  onShowing: (what: string) => void,
): LastingChanges {
  /** A document gives the focus by the attribute once; it does not matter for which element. */
  let hasAutofocused = false;
  const knownScripts = new WeakSet<Element>();
  const knownFields = new WeakSet<Element>();

  function noteMeta(meta: Element): void {
    const kind = meta.getAttribute('http-equiv') ?? meta.getAttribute('name') ?? '';
    if (kind === '' || (!meta.hasAttribute('http-equiv') && inertMetas.test(kind))) return;
    onLasting(`a <meta> for ${kind.slice(0, 40)} that a script inserted`);
  }

  function noteAutofocus(element: Element): void {
    if (hasAutofocused || !element.hasAttribute('autofocus')) return;
    hasAutofocused = true;
    onLasting('an element with autofocus that a script inserted');
  }

  function noteTitle(element: Element): void {
    if (element.getAttribute('title')) onLasting('a style sheet with a title that a script inserted');
  }

  /** A script runs once, and its copies then do not; nobody can read whether it ran. A new one goes when its step is undone. */
  function noteScript(element: Element): void {
    if (knownScripts.has(element))
      onLasting('a script element that was held, and was put into the document or changed there');
  }

  /** What such a script says holds from then on, also when it is taken out again. */
  function noteRules(element: Element): void {
    if (isScript(element) && rules.test(element.getAttribute('type') ?? ''))
      onLasting('an import map or speculation rules that a script inserted');
  }

  function noteElement(element: Element): void {
    if (isMeta(element)) noteMeta(element);
    else if (isSheet(element)) noteTitle(element);
    else if (isScript(element)) noteScript(element);
    noteRules(element);
    noteAutofocus(element);
  }

  function noteTree(node: Node): void {
    if (node.nodeType !== 1) return;
    noteElement(node as Element);
    if (node.firstChild === null) return;
    for (const element of (node as Element).querySelectorAll(withEffect)) noteElement(element);
  }

  function noteName(element: Element, name: string, before: string | null): void {
    if (before === null || before === '' || before === element.getAttribute(name)) return;
    if (namedInForms.has(element.localName) && mayHaveForm(element))
      onShowing('a field of a form that a script renamed');
  }

  /** What was chosen in a field without a choice, or written in one without a text, shows once it has another type. */
  function noteType(element: Element, before: string | null): void {
    const now = element.getAttribute('type');
    if (!knownFields.has(element) || now === before) return;
    if (isCheckable(before) || isCheckable(now)) onShowing('a field that a script gave or took a choice by its type');
  }

  /** The parser gives images to forms that do not stand around them; they do not tell, and no script can do it again. */
  function noteRemovedImages(parent: Element, node: Element): void {
    const images = node.localName === 'img' ? [node] : node.querySelectorAll('img[id], img[name]');
    if (parent.closest('form') !== null) return;
    for (const image of images)
      if ((image.id || image.getAttribute('name')) && image.closest('form') === null)
        return onLasting('an image with a name that a script took out of a page with forms');
  }

  function noteRemoved(parent: Node, node: Node): void {
    if (node.nodeType !== 1) return;
    if (parent.nodeType !== 1) return;
    if (/^(option|optgroup)$/.test((node as Element).localName)) noteRemovedOptions(parent as Element);
    if (document.forms.length > 0) noteRemovedImages(parent as Element, node as Element);
  }

  /** A list box keeps an anchor for what is chosen next. */
  function noteRemovedOptions(parent: Element): void {
    const list = parent.closest('select');
    if (list !== null && (list.multiple || list.size > 1)) onLasting('a list whose options a script took out');
  }

  function noteAttribute(element: Element, name: string, before: string | null): void {
    if (name === 'autofocus') noteAutofocus(element);
    else if (name === 'name' || name === 'id') noteName(element, name, before);
    else if (name === 'type') noteType(element, before);
    else if (name === 'disabled' && before !== null && element.localName === 'link')
      onLasting('a link whose disabled attribute a script changed or took away');
    else if (name === 'title' && isSheet(element)) onLasting('a title that a script gave or took from a style sheet');
    else if (/^on[a-z]/.test(name)) onLasting('an inline event handler that a script changed');
    if (isMeta(element)) noteMeta(element);
    else if (isScript(element) && name.endsWith('src')) noteScript(element);
  }

  return {
    know(element) {
      if (isScript(element)) knownScripts.add(element);
      else if (element.localName === 'input') knownFields.add(element);
    },
    note(changes) {
      for (const { target, type, attributeName, oldValue, addedNodes, removedNodes } of changes) {
        if (type === 'attributes') noteAttribute(target as Element, attributeName as string, oldValue);
        else if (isScript(target as Element)) noteScript(target as Element);
        for (const node of addedNodes) noteTree(node);
        for (const node of removedNodes) noteRemoved(target, node);
      }
    },
  };
}
