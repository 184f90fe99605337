/** An instruction of a Dockerfile, with the line that it begins in. */
export interface Instruction {
  readonly line: number;
  /** In capitals: `RUN`. */
  readonly name: string;
  /** `--from=build` and the like. */
  readonly flags: Readonly<Record<string, string>>;
  /** What follows, with continued lines joined. */
  readonly text: string;
  /** The words, where it is written as a JSON list. */
  readonly list: readonly string[] | null;
  /** Texts between `<<EOF` and `EOF`, by name. */
  readonly documents: readonly HereDocument[];
}

export interface HereDocument {
  readonly name: string;
  readonly content: string;
  /** `<<'EOF'`: nothing in it is replaced. */
  readonly isQuoted: boolean;
}

const hereDocument = /<<(-?)\s*(["']?)([A-Za-z_][\w.]*)\2/g;

/** Reads a Dockerfile into instructions. What each may hold is for the builder to say. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const escape = escapeOf(lines);
  const instructions: Instruction[] = [];
  let at = 0;
  while (at < lines.length) {
    const begin = at;
    if (isSkipped(lines[at] ?? '')) {
      at++;
      continue;
    }
    let joined = '';
    for (;;) {
      const line = lines[at++] ?? '';
      // Comments and empty lines within an instruction are left out.
      if (joined !== '' && isSkipped(line)) {
        if (at >= lines.length) break;
        continue;
      }
      const trimmed = line.trimEnd();
      if (!trimmed.endsWith(escape)) {
        joined += line;
        break;
      }
      joined += `${trimmed.slice(0, -1)} `;
      if (at >= lines.length) break;
    }
    const documents: HereDocument[] = [];
    if (/^\s*(?:RUN|COPY|ADD)\b/i.test(joined))
      for (const [, dash, quote, name = ''] of joined.matchAll(hereDocument)) {
        const content: string[] = [];
        while (at < lines.length && bare(lines[at] ?? '', dash) !== name) content.push(bare(lines[at++] ?? '', dash));
        at++;
        documents.push({ name, content: `${content.join('\n')}\n`, isQuoted: quote !== '' });
      }
    instructions.push(readInstruction(joined, begin + 1, documents));
  }
  return instructions;
}

function bare(line: string, dash: string | undefined): string {
  return dash === '-' ? line.replace(/^\t+/, '') : line;
}

function isSkipped(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const [, name, value] = /^#\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line) ?? [];
    if (name === undefined) break;
    if (name.toLowerCase() === 'escape' && value === '`') return value;
  }
  return '\\';
}

function readInstruction(joined: string, line: number, documents: readonly HereDocument[]): Instruction {
  const [, name = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(joined) ?? [];
  const flags: Record<string, string> = {};
  let text = rest;
  for (;;) {
    const [whole, flag, value = ''] = /^--([a-z][\w-]*)(?:=(\S*))?\s+/.exec(text) ?? [];
    if (whole === undefined || flag === undefined || name.toUpperCase() === 'ENV') break;
    flags[flag] = value;
    text = text.slice(whole.length);
  }
  text = text.trim();
  return { line, name: name.toUpperCase(), flags, text, list: jsonList(text), documents };
}

function jsonList(text: string): string[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every(word => typeof word === 'string') ? list : null;
  } catch {
    return null;
  }
}

type Variables = Readonly<Record<string, string>>;

/** Puts variables in: `$NAME`, `${NAME}`, `${NAME:-word}`, `${NAME:+word}`. What is escaped or in single quotes stays. */
export function replaceVariables(text: string, variables: Variables): string {
  return text.replaceAll(/\\\$|'[^']*'|\$\{\w+(?::[-+][^}]*)?\}|\$\w+/g, found => {
    if (found === String.raw`\$`) return '$';
    if (found.startsWith("'")) return found;
    const [, name = '', sign, word = ''] = /^\$\{?(\w+)(?::([-+])([^}]*))?\}?$/.exec(found) ?? [];
    const value = variables[name] ?? '';
    if (sign === undefined) return value;
    const instead = replaceVariables(word, variables);
    return (sign === '-') === (value === '') ? instead : value;
  });
}

/** The words of a line as a shell splits it, without quotes. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let [word, isOpen] = ['', false];
  const pieces = text.matchAll(/\\([\s\S])|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|(\s+)|([^\s'"\\]+)/g);
  for (const [, escaped, single, double, space, plain] of pieces) {
    if (space !== undefined) {
      if (isOpen) words.push(word);
      [word, isOpen] = ['', false];
      continue;
    }
    isOpen = true;
    word += escaped ?? single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? plain ?? '';
  }
  return isOpen ? [...words, word] : words;
}

/** `A=1 B="two words"`, or in the old way `A one value`. */
export function readPairs(text: string, variables: Variables): [name: string, value: string][] {
  if (!/^[^\s=]+=/.test(text)) {
    const [, name = '', value = ''] = /^(\S+)\s+([\s\S]*)$/.exec(text) ?? [];
    return name === '' ? [] : [[name, replaceVariables(value, variables)]];
  }
  return splitWords(replaceVariables(text, variables)).flatMap(word => {
    const at = word.indexOf('=');
    return at > 0 ? [[word.slice(0, at), word.slice(at + 1)] as [string, string]] : [];
  });
}
