/** Text that is already markup. Everything else is escaped. */
export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | null | readonly Content[];

/** Markup with values put in, each escaped: nothing that a task or an agent says becomes part of the page. */
export function html(strings: TemplateStringsArray, ...parts: readonly Content[]): Markup {
  let markup = strings[0] ?? '';
  for (const [index, part] of parts.entries()) markup += textOf(part) + (strings[index + 1] ?? '');
  return { markup };
}

/** For text of our own that is no data: style and script. */
export function trusted(markup: string): Markup {
  return { markup };
}

function textOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'number') return String(content);
  if (typeof content === 'string') return escape(content);
  return 'markup' in content ? content.markup : content.map(textOf).join('');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\u0000', '\uFFFD');
}
