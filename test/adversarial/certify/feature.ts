/** How the script of a feature may stand in its page. */
type Scope = 'any' | 'sloppy' | 'top';

/** A small thing that a page can do: state somewhere, ways to change it, and a read-out that is computed when asked for. */
export interface Feature {
  readonly name: string;
  readonly group: string;
  readonly scope: Scope;
  readonly html: string;
  readonly css: string;
  /** Runs when the page is loaded. */
  readonly script: string;
  /** Statements; each has a button. */
  readonly changes: readonly string[];
  /** Keys that change something in it. */
  readonly keys: readonly string[];
  /** An expression; its text is shown on request. */
  readonly show: string;
}

type Key = 'html' | 'css' | 'js' | 'do' | 'key' | 'show';

/**
 * Reads features from text: `# name`, flags, then `key: code`; lines that start with two spaces continue the one before.
 * In the code `$word` is a name that is unique in the page, `$#` the number of the feature, and `«a|b»` one of the texts.
 */
export function readFeatures(group: string, text: string): readonly Feature[] {
  return text
    .split(/^# /m)
    .slice(1)
    .map(block => readFeature(group, block));
}

function readFeature(group: string, block: string): Feature {
  const [name, ...lines] = block
    .replaceAll(/\n {2}/g, ' ')
    .trim()
    .split('\n') as [string, ...string[]];
  const parts: Record<Key, string[]> = { html: [], css: [], js: [], do: [], key: [], show: [] };
  let scope: Scope = 'any';
  for (const line of lines) {
    const [, key, code] = /^(html|css|js|do|key|show): (.*)$/.exec(line) ?? [];
    if (key !== undefined) parts[key as Key].push(code as string);
    else if (line === 'sloppy' || line === 'top') scope = line;
    else throw new Error(`Feature ${name}: expected a flag or "key: code", found "${line}".`);
  }
  const { html, css, js, do: changes, key: keys, show } = parts;
  if (show.length !== 1) throw new Error(`Feature ${name}: expected one read-out, found ${show.length}.`);
  return {
    name,
    group,
    scope,
    html: html.join('\n'),
    css: css.join('\n'),
    script: js.join('\n'),
    changes,
    keys,
    show: show[0] as string,
  };
}
