/** Names of the elements on a screen. A text that stands beside a label is no name: `Run: Aspen yard` does not list the yard. */
export function namesOn(screen: string): readonly string[] {
  return [...screen.matchAll(/"([^"\n]+)"/g)].map(match => match[1] as string);
}

const mostNamed = 4;

/** Pages that the screens offered and no step opened: links, and choices that stand on every screen. */
export function neverOpened(
  seen: readonly { readonly description: string; readonly screen: string }[],
): readonly string[] {
  const offered = new Set<string>();
  for (const { screen } of seen) for (const name of pagesOn(screen)) offered.add(name);
  // A choice that stands on every screen and that a step used leads to pages; others are fields of a form.
  const leadsToPages = (label: string): boolean =>
    seen.every(({ screen }) => screen.includes(`combobox ${label}`)) &&
    seen.some(({ description }) => description.includes(`for combobox ${label}`));
  for (const [, label, options] of (seen[0]?.screen ?? '').matchAll(/combobox ("[^"\n]*"): [^{\n]*\{([^}\n]*)\}/g))
    if (leadsToPages(label as string)) for (const option of (options as string).split(' | ')) offered.add(option);
  const isOpened = (name: string): boolean => seen.some(({ description }) => description.includes(`"${name}"`));
  return [...offered].filter(name => !isOpened(name)).slice(0, mostNamed);
}

/** Links whose name stands once: the link of every row of a list leads to a record, not to a page. */
function pagesOn(screen: string): readonly string[] {
  const names = [...screen.matchAll(/\b(?:link|menuitem) "([^"\n]+)"/g)].map(match => match[1] as string);
  return names.filter(name => names.indexOf(name) === names.lastIndexOf(name));
}

const mostLines = 3;

/** What the screen at the end says of these fields, and its alerts, line by line. */
export function shownAtEnd(screen: string, fields: Iterable<string>): readonly string[] {
  const labels = [...fields];
  const lines = screen.split('\n').map(line => line.trim().replace(/^\[e\d+\] /, ''));
  const isOfField = (line: string): boolean =>
    labels.some(
      label =>
        line.startsWith(`${label}: `) ||
        (/^(?:textbox|combobox|checkbox|switch) /.test(line) && line.includes(` "${label}"`)),
    );
  return lines.filter(line => line.startsWith('alert ') || isOfField(line)).slice(0, mostLines);
}
