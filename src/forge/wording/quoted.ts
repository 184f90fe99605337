/** Numbers, dates and addresses stand bare, everything else in quotation marks. */
export function quoted(value: string): string {
  return /^[\d-]+$|^\d+[.,]\d+$|^\S+@\S+$/.test(value) ? value : `"${value}"`;
}

/** One, two and three. */
export function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
