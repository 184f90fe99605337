/** Finds changes of the document that last when they are undone. */
export interface LastingChanges {
  note(changes: readonly MutationRecord[]): void;
}

/** Metas that say something about the page and change nothing in it. All others take effect for good. */
const inertMetas = /^(description|keywords|author|application-name|generator|robots|theme-color|og:.*|twitter:.*)$/i;

/** A form answers to former names of these as well. */
const namedInForms = new Set(['INPUT', 'SELECT', 'TEXTAREA', 'BUTTON', 'OUTPUT', 'FIELDSET', 'OBJECT', 'IMG']);

/** Whatever is found is told to `onLasting`: no snapshot from before can be restored. */
export function createLastingChanges(onLasting: (what: string) => void): LastingChanges {
  /** A document gives the focus by the attribute once; it does not matter for which element. */
  let hasAutofocused = false;

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

  function noteElement(element: Element): void {
    if (element.nodeName === 'META') noteMeta(element);
    else if (element.nodeName === 'STYLE' || element.nodeName === 'LINK') noteTitle(element);
    noteAutofocus(element);
  }

  function noteTree(node: Node): void {
    if (node.nodeType === 1) noteElement(node as Element);
    for (let child = node.firstChild; child !== null; child = child.nextSibling) noteTree(child);
  }

  function noteName(element: Element, name: string, before: string | null): void {
    if (before === null || before === '' || before === element.getAttribute(name)) return;
    if (namedInForms.has(element.nodeName) && element.closest('form') !== null)
      onLasting('a field of a form that a script renamed');
  }

  function noteAttribute(element: Element, name: string, before: string | null): void {
    if (name === 'autofocus') noteAutofocus(element);
    else if (name === 'name' || name === 'id') noteName(element, name, before);
    else if (name === 'title' && /^(STYLE|LINK)$/.test(element.nodeName))
      onLasting('a title that a script gave or took from a style sheet');
    if (element.nodeName === 'META') noteMeta(element);
  }

  return {
    note(changes) {
      for (const { target, type, attributeName, oldValue, addedNodes } of changes)
        if (type === 'attributes') noteAttribute(target as Element, attributeName as string, oldValue);
        else for (const node of addedNodes) noteTree(node);
    },
  };
}
