/** A handler as its sources write it: fixed texts, with a value between each two. */
export type HandlerParts = readonly string[];

/** Marks the place of a value; no source has it. */
const hole = '\u{10ffff}';

/**
 * The event handlers that a page or a script of an app writes as attributes: `onclick="pick('${id}')"`. In a script they
 * stand in texts of markup, so that what is escaped there is read as the script would.
 */
export function readHandlers(text: string, kind: 'page' | 'script'): HandlerParts[] {
  if (kind === 'page')
    return [...text.matchAll(pageHandler)].map(match => [decodeEntities(match[1] ?? match[2] ?? match[3] ?? '')]);
  const attributes = [...text.matchAll(scriptHandler)].map(match => {
    const [, quote = '', body = ''] = match;
    return partsOf(body, quote.endsWith('"') && quote.length === 1 ? "'" : '"');
  });
  const set = [...text.matchAll(setHandler)].map(match => [unescaped(match[2] as string)]);
  return [...attributes, ...set];
}

const pageHandler = /\son[a-z]+\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const scriptHandler = /[\s"'`]on[a-z]+\s*=\s*(\\?["'])([\s\S]*?)\1/gi;
const setHandler = /setAttribute\(\s*['"`]on[a-z]+['"`]\s*,\s*(['"`])((?:(?!\1)[^\\$]|\\.)*)\1\s*\)/gi;

/** Links that run a script, `javascript:void(0)`, where no value stands in them. */
export function scriptLinks(text: string): string[] {
  const found = [...text.matchAll(/["'`=](javascript:[^"'`<>\s]*)/gi)].map(match => decodeEntities(match[1] as string));
  return found.filter(link => !link.includes('${'));
}

/** Values of a template literal, and those that are put between two texts, become holes. */
function partsOf(body: string, delimiter: string): HandlerParts {
  const joined = new RegExp(String.raw`(?<!\\)${delimiter}\s*\+[^${delimiter}]*\+\s*${delimiter}`, 'g');
  const marked = withoutValues(body).replaceAll(joined, hole);
  return decodeEntities(unescaped(marked)).split(hole);
}

/** Replaces `${…}`, braces inside of it included. */
function withoutValues(body: string): string {
  let [out, at] = ['', 0];
  for (let start = body.indexOf('${'); start >= 0; start = body.indexOf('${', at)) {
    let [end, depth] = [start + 2, 1];
    for (; end < body.length && depth > 0; end++) depth += body[end] === '{' ? 1 : body[end] === '}' ? -1 : 0;
    out += body.slice(at, start) + hole;
    at = end;
  }
  return out + body.slice(at);
}

function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return text.replaceAll(/\\([\s\S])/g, (_, sign: string) => letters[sign] ?? sign);
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[\da-f]+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
    const code = Number(name.slice(1).replace(/^x/i, '0x'));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/**
 * Recognises a handler by its fixed texts. A value between quotes may be any text that cannot leave them; elsewhere it is
 * a number or a word, so that no value brings a call or an assignment of its own.
 */
export function handlerPattern(parts: HandlerParts): RegExp {
  let source = '';
  for (const [index, part] of parts.entries()) {
    source += part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
    const next = parts[index + 1];
    if (next === undefined) break;
    const quote = part.at(-1);
    const isQuoted = (quote === "'" || quote === '"') && next.startsWith(quote);
    source += isQuoted ? String.raw`[^'"\x60\\\n\r\u2028\u2029]*` : String.raw`[\w .-]*`;
  }
  return new RegExp(`^${source}$`);
}
