/**
 * What a page is like, read from outside: boxes, looks, values and pseudo-classes of everything in it. An expression.
 * Names that the browser draws for blobs are left out.
 */
export const probeText = `(() => {
  const pseudo = ['hover', 'focus', 'focus-visible', 'focus-within', 'active', 'target', 'checked', 'indeterminate', 'default', 'disabled',
    'user-valid', 'user-invalid', 'valid', 'invalid', 'placeholder-shown', 'popover-open', 'modal', 'open', 'autofill', 'read-write', 'defined', 'fullscreen'];
  const read = work => { try { return work() } catch (error) { return error.name } };
  const lines = [];
  const describe = element => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const parts = [element.tagName + '#' + element.id, [box.x, box.y, box.width, box.height].map(side => Math.round(side * 10) / 10).join(),
      element.checkVisibility({ visibilityProperty: true }) ? 'shown' : 'hidden',
      style.display, style.color, style.backgroundColor, style.opacity, style.transform, style.outlineStyle,
      element.scrollLeft + ',' + element.scrollTop,
      pseudo.filter(name => read(() => element.matches(':' + name)) === true).join('+'),
      [...element.attributes].map(({ name, value }) => name + '=' + value).join(';').replaceAll(/(blob:[^;]*?)[0-9a-f-]{36}/g, '$1')];
    for (const member of ['value', 'checked', 'indeterminate', 'selectedIndex', 'selectionStart', 'selectionEnd', 'open', 'validationMessage'])
      if (member in element) parts.push(member + '=' + read(() => element[member]));
    return parts.join(' | ');
  };
  const visit = (root, path) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.closest('head, script, style')) continue;
      lines.push(path + describe(element));
      for (const child of element.childNodes) if (child.nodeType === 3 && child.data.trim() !== '') lines.push(path + '  ' + JSON.stringify(child.data));
      if (element.shadowRoot !== null) visit(element.shadowRoot, path + '/');
      const inner = element.tagName === 'IFRAME' ? read(() => element.contentDocument) : null;
      if (inner !== null && typeof inner === 'object') visit(inner, path + '>');
    }
  };
  visit(document, '');
  const selection = read(() => { const s = getSelection(); return [s.type, String(s), s.anchorNode?.nodeName, s.anchorOffset, s.focusNode?.nodeName, s.focusOffset].join() });
  lines.push('title ' + document.title, 'focus ' + document.activeElement?.id, 'selection ' + selection, 'address ' + location.href,
    'scroll ' + [scrollX, scrollY].join(), 'cookie ' + read(() => document.cookie),
    'design ' + document.designMode, 'sheets ' + document.styleSheets.length + '+' + document.adoptedStyleSheets.length);
  return lines;
})()`;

/** The state of the entry in the history. An expression, for a new world: in one that was there before, Chromium may return an earlier one. */
export const historyText = `(() => {
  try { return 'state ' + JSON.stringify(history.state) } catch (error) { return 'state ' + error.name }
})()`;
