/** A line without what differs from machine to machine and from run to run: numbers, hashes, spaces. */
function comparable(line: string): string {
  return line
    .replaceAll(/\b[0-9a-f]{8,}\b/g, '#')
    .replaceAll(/[-+]?\d[\d,.]*/g, '#')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\b(ms|min|s)\b/g, 'time')
    .trim();
}

/** Lines of the page that the program did not print, in their order. A line `…` on the page stands for any lines. */
export function missingLines(shown: string, printed: string): string[] {
  const actual = meaningful(printed);
  const expected = meaningful(shown);
  const isWhole = !expected.includes('…');
  const missing: string[] = [];
  let next = 0;
  for (const line of expected) {
    if (line === '…') continue;
    const found = actual.findIndex((candidate, index) => index >= next && matches(line, candidate));
    if (found < 0) missing.push(line);
    else next = found + 1;
  }
  if (isWhole && missing.length === 0 && actual.length > expected.length) missing.push('(the program printed more)');
  return missing;
}

function meaningful(text: string): string[] {
  return text
    .split('\n')
    .map(comparable)
    .filter(line => line !== '');
}

/** `…` at the end of a line stands for the rest of it. */
function matches(shown: string, printed: string): boolean {
  return shown.endsWith('…') ? printed.startsWith(shown.slice(0, -1)) : shown === printed;
}

/** Whether a page leaves out part of an output. */
export function isShortened(text: string): boolean {
  return /…$/m.test(text);
}
