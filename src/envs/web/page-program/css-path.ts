/**
 * A path of places from the body down, which finds this element alone: `body > main:nth-child(2) > button:nth-child(1)`. No
 * identifiers and classes: scripts draw some of them. Null in a shadow root, where a document finds nothing.
 */
export function cssPath(element: Element): string | null {
  if (!document.contains(element)) return null;
  const steps: string[] = [];
  let at: Element | null = element;
  for (; at !== null && at !== document.body && at !== document.documentElement; at = at.parentElement) {
    const place = [...(at.parentElement?.children ?? [])].indexOf(at) + 1;
    steps.unshift(`${CSS.escape(at.localName)}:nth-child(${place})`);
  }
  return [at === document.body ? 'body' : 'html', ...steps].join(' > ');
}
