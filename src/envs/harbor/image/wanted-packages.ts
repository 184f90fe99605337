import { splitWords } from './dockerfile.ts';

/** What a script would install: packages of Debian, and lines of requirements for pip. */
export interface WantedPackages {
  readonly debian: readonly (readonly string[])[];
  readonly python: readonly (readonly string[])[];
  /** Whether it uses uv, which is itself a package. */
  readonly uv: boolean;
}

const valueFlags = new Set(['-t', '--target', '-r', '--requirement', '-i', '--index-url', '--extra-index-url', '-f']);
const uvValueFlags = new Set(['-p', '--python', '--index-url', '--extra-index-url', '--index', '--directory']);
const withFlags = new Set(['-w', '--with', '--from']);

/** The text of a file of requirements that a script names; null when it is not known. */
type ReadFile = (name: string) => string | null;

/** Reads what a script installs, command by command. What it makes up while it runs is not seen. */
export function wantedPackages(script: string, readFile: ReadFile = () => null): WantedPackages {
  const pipWords = (words: readonly string[]): string[] => pipRequirements(words, readFile);
  const debian: string[][] = [];
  const python: string[][] = [];
  let uv = /\buvx?\b|astral\.sh\/uv/.test(script);
  for (const command of commandsOf(script)) {
    const words = splitWords(command);
    while (words[0] !== undefined && (/^\w+=/.test(words[0]) || wrappers.has(words[0]))) words.shift();
    const program = words[0]?.split('/').at(-1) ?? '';
    if (program === 'apt-get' || program === 'apt') debian.push(namesAfterInstall(words.slice(1)));
    else if (/^pip[\d.]*$/.test(program)) python.push(pipWords(words.slice(1)));
    else if (/^python[\d.]*$/.test(program) && words[1] === '-m' && words[2] === 'pip')
      python.push(pipWords(words.slice(3)));
    else if (program === 'uv' && words[1] === 'pip') python.push(pipWords(words.slice(2)));
    else if (program === 'uv' && words[1] === 'add') python.push(requirementsIn(words.slice(2), uvValueFlags));
    else if (program === 'uv' && words[1] === 'run') python.push(withOf(words.slice(2)));
    else if (program === 'uvx') python.push(toolOf(words.slice(1)));
    else if (program === 'uv' && words[1] === 'tool') python.push(toolOf(words.slice(3)));
    else continue;
    uv ||= program.startsWith('uv');
  }
  const some = (list: string[][]): string[][] => list.filter(names => names.length > 0);
  return { debian: some(debian), python: some(python), uv };
}

const wrappers = new Set(['sudo', 'env', 'exec', 'time', 'then', 'do', 'else', '{', '(', '!', 'if']);

function commandsOf(script: string): string[] {
  return script
    .replaceAll(/\\\r?\n/g, ' ')
    .split(/\n|&&|\|\||[;|]/)
    .map(command => command.trim().replace(/\s+#.*$/, ''))
    .filter(command => command !== '' && !command.startsWith('#'));
}

function namesAfterInstall(words: readonly string[]): string[] {
  const at = words.indexOf('install');
  if (at < 0) return [];
  const names = words.slice(at + 1).filter(word => /^[a-z\d][a-z\d.+-]*(?:[:=].*)?$/.test(word));
  return names.map(word => word.replace(/[:=].*$/, ''));
}

function pipRequirements(words: readonly string[], readFile: ReadFile): string[] {
  const at = words.indexOf('install');
  if (at < 0) return [];
  const files = words.filter((_, place) => /^(?:-r|--requirement)$/.test(words[place - 1] ?? ''));
  const listed = files.flatMap(name => (readFile(name) ?? '').split('\n').map(line => line.replace(/#.*/, '').trim()));
  return [...requirementsIn(words.slice(at + 1), valueFlags), ...listed.filter(line => requirement.test(line))];
}

/** Names with versions and extras; files, folders, addresses and redirections are none. */
const requirement = /^[A-Za-z\d][\w.-]*(?:\[[\w,.-]+\])?(?:\s*(?:===?|~=|!=|[<>]=?)\s*[\w.*+!-]+,?)*$/;

function requirementsIn(words: readonly string[], flagsWithValue: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (/^\d*[<>]/.test(word) || word === '&') break;
    if (flagsWithValue.has(word)) at++;
    else if (requirement.test(word)) found.push(word);
  }
  return found;
}

function withOf(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const [, value] = /^--(?:with|from)=(.+)$/.exec(word) ?? [];
    const named = value ?? (withFlags.has(words[at - 1] ?? '') ? word : undefined);
    return named === undefined ? [] : named.split(',').filter(each => requirement.test(each));
  });
}

/** The packages of `--with`, and the tool itself: the first word that is no flag. */
function toolOf(words: readonly string[]): string[] {
  const given = withOf(words);
  if (words.some(word => word === '--from' || word.startsWith('--from='))) return given;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (uvValueFlags.has(word) || withFlags.has(word)) at++;
    else if (!word.startsWith('-')) {
      const name = word.replace('@', '==');
      const isGiven = given.some(each => each.split(/[=<>~![]/)[0] === name);
      return isGiven || !requirement.test(name) ? given : [...given, name.replace(/==latest$/, '')];
    }
  }
  return given;
}
