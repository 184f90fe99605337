/** Words that pages put into the class of what is chosen, alone or at the end: `selected`, `is-active`, `tab--current`; not `not-selected`. */
const chosen = /(?:^|(?<!(?:^|[-_])(?:not|non|no|un))[-_])(?:selected|checked|active|current)$/;
/** These may also say what a thing is: an active user, the current year. */
const ambiguous = /(?:^|[-_])(?:active|current)$/;

/** Where a page says it for screen readers, that counts. */
const said = 'input,option,[aria-selected],[aria-checked],[aria-current],[aria-pressed],[aria-expanded]';

/** Whether a page shows by a class that an element is chosen, where nothing else says so. */
export function isChosenByClass(element: Element): boolean {
  if (element.matches(said)) return false;
  for (const name of element.classList) {
    if (!chosen.test(name)) continue;
    if (!ambiguous.test(name) || !isCommon(element, name)) return true;
  }
  return false;
}

/** Whether most of its kind have a class: then it does not tell what is chosen. One that stands alone may be a switch. */
function isCommon({ parentElement, tagName }: Element, name: string): boolean {
  let [all, having] = [0, 0];
  for (const other of parentElement?.children ?? []) {
    if (other.tagName !== tagName) continue;
    all++;
    if (other.classList.contains(name)) having++;
  }
  return all > 1 && having * 2 > all;
}
