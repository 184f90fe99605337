import { parse } from 'acorn';
import { safeCollections, safeFunctions, safeHolders, safeMethods } from '../page-program/safe-language.ts';
import {
  isFunction,
  isReference,
  memberName,
  namesOfPattern,
  walkSyntax,
  type SyntaxNode,
} from '../script-analysis/syntax-tree.ts';

/** What the rewritten script calls the safe language. */
const safe = '$safe';

/** A script of ours, read once for all that is done with it. */
interface ReadScript {
  readonly script: string;
  readonly root: SyntaxNode;
}

export function readScript(script: string): ReadScript {
  return { script, root: parse(script, { ecmaVersion: 'latest', preserveParens: true }) as unknown as SyntaxNode };
}

/** What a script needs that runs in a realm of ours, and only meets objects of the page. */
const iteration = `const ${safe} = (() => {
  const { apply, getPrototypeOf } = Reflect;
  const known = new Set([Array, Map, Set].map(kind => kind.prototype));
  for (const one of [[].values(), new Map().keys(), new Set().keys()]) known.add(getPrototypeOf(one));
  const has = known.has.bind(known);
  const isInstance = Function.prototype[Symbol.hasInstance];
  return {
    is: (value, kind) => apply(isInstance, kind, [value]),
    each(values) {
      if (typeof values !== 'object' || values === null || has(getPrototypeOf(values))) return values;
      const found = [];
      const { length } = values;
      // To see nothing in it would be a quiet mistake.
      if (typeof length !== 'number') throw new TypeError('What is iterated over has no length.');
      for (let index = 0; index < length; index++) found[index] = values[index];
      return found;
    },
  };
})();`;

/**
 * Rewrites a script of ours that runs in a realm of its own: it iterates over lists of the page, and asks what their members are,
 * without calling anything of the page. The result is an expression that gives what `result` names.
 */
export function hardenIteration({ script, root }: ReadScript, result: string): string {
  const body = write({ script, only: light, patterns: [], parameters: 0 }, [root]);
  return `(() => { 'use strict';\n${iteration}\n${body}\nreturn ${result};\n})()`;
}

/** What is rewritten there. */
const light: ReadonlySet<string> = new Set(['SpreadElement', 'ForOfStatement', 'BinaryExpression']);

/**
 * Rewrites a script of ours so that it calls nothing that scripts of the page can replace: literals inherit nothing of the
 * page, and calls go to `page-program/safe-language.ts`. The result is an expression: a function of the safe language and the
 * window, which gives what `result` names.
 */
export function harden({ script, root }: ReadScript, result: string): string {
  const writing: Writing = { script, only: null, patterns: [], parameters: 0 };
  const body = write(writing, [root]);
  const { names, assigned } = globalNames(root);
  const taken = names.filter(name => isTaken(name) && !assigned.has(name));
  const patterns = writing.patterns.map(([source, flags], index) => {
    return `${safe}Pattern${index} = ${safe}.pattern(${JSON.stringify(source)}, ${JSON.stringify(flags)})`;
  });
  const first = patterns.length === 0 ? '' : `const ${patterns.join(', ')};\n`;
  return `(${safe}, ${safe}Window) => { 'use strict';
const { ${taken.join(', ')} } = ${safe}Window;
${first}${body}
return ${result};
}`;
}

/** The names of all members that a script asks for. */
export function namesOfMembers({ root }: ReadScript): readonly string[] {
  const names = new Set<string>();
  walkSyntax(root, node => {
    if (node.type === 'MemberExpression') names.add(memberName(node) ?? '');
    if (node.type !== 'ObjectPattern') return;
    for (const one of node['properties'] as readonly SyntaxNode[])
      if (one.type === 'Property') names.add(memberName(one) ?? '');
  });
  return [...names].filter(name => /^\w+$/.test(name));
}

/** Objects of the window that stay what they are; others, such as its width, are asked for each time. */
const stable = new Set('console document globalThis location navigation performance reportError window'.split(' '));
const isTaken = (name: string): boolean => (/^[A-Z]/.test(name) ? name !== 'Infinity' : stable.has(name));

/** Names that a script uses and does not declare. */
function globalNames(root: SyntaxNode): { readonly names: readonly string[]; readonly assigned: ReadonlySet<string> } {
  const [used, declared, assigned] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const declare = (pattern: unknown): void => namesOfPattern(pattern).forEach(name => declared.add(name));
  walkSyntax(root, (node, ancestors) => {
    if (node.type === 'VariableDeclarator' || node.type === 'ClassDeclaration') declare(node['id']);
    if (node.type === 'CatchClause') declare(node['param']);
    if (isFunction(node)) {
      if (node.type !== 'ArrowFunctionExpression') declare(node['id']);
      for (const parameter of node['params'] as readonly unknown[]) declare(parameter);
    }
    if (node.type === 'AssignmentExpression') namesOfPattern(node['left']).forEach(name => assigned.add(name));
    if (isReference(node, ancestors.at(-1))) used.add(node['name'] as string);
  });
  return { names: [...used].filter(name => !declared.has(name)).toSorted(), assigned };
}

/** What is being rewritten. */
interface Writing {
  readonly script: string;
  /** The kinds of nodes that are rewritten; null when all are. */
  readonly only: ReadonlySet<string> | null;
  /** Regular expressions that are made once, by our realm. */
  readonly patterns: (readonly [source: string, flags: string])[];
  /** Parameters that were given a name of ours. */
  parameters: number;
}

/** A node, and the nodes around it: the outermost first, the node itself last. */
type Path = readonly SyntaxNode[];
const last = (path: Path): SyntaxNode => path.at(-1) as SyntaxNode;
const around = (path: Path): SyntaxNode | undefined => path.at(-2);
const below = (path: Path, part: unknown): Path => [...path, part as SyntaxNode];

const named = (node: unknown, names: readonly string[]): string | null => {
  const { type, name } = node as SyntaxNode;
  return type === 'Identifier' && names.includes(name as string) ? (name as string) : null;
};

/** The text of a node, with its parts rewritten. */
function plain(writing: Writing, path: Path, replaced: ReadonlyMap<unknown, string> = new Map()): string {
  const node = last(path);
  let [text, at] = ['', node.start];
  for (const part of partsOf(node)) {
    text += writing.script.slice(at, part.start) + apart(replaced.get(part) ?? write(writing, below(path, part)));
    at = part.end;
  }
  return text + writing.script.slice(at, node.end);
}

/** What was a bracket before stands beside a word such as `return`. */
const apart = (text: string): string => (text.startsWith(safe) ? ` ${text}` : text);

type Write = (writing: Writing, path: Path) => string;

const rewritten = (writing: Writing, path: Path, name: string): string => write(writing, below(path, last(path)[name]));

/** With what stands in one of its parts made safe to iterate over. */
function eachIn(writing: Writing, path: Path, name: string): string {
  return plain(writing, path, new Map([[last(path)[name], `${safe}.each(${rewritten(writing, path, name)})`]]));
}

/** How each kind of node is rewritten. */
const writers: Readonly<Record<string, Write>> = {
  ArrayExpression: (writing, path) => `${safe}.list(${plain(writing, path).slice(1, -1)})`,
  ObjectExpression: writeObject,
  SpreadElement: (writing, path) =>
    around(path)?.type === 'ObjectExpression'
      ? plain(writing, path)
      : `...${safe}.each(${rewritten(writing, path, 'argument')})`,
  AwaitExpression: (writing, path) => `await ${safe}.wait(${rewritten(writing, path, 'argument')})`,
  ForOfStatement: (writing, path) => eachIn(writing, path, 'right'),
  VariableDeclarator: (writing, path) =>
    isList(last(path)['id']) && last(path)['init'] !== null ? eachIn(writing, path, 'init') : plain(writing, path),
  AssignmentExpression: (writing, path) =>
    isList(last(path)['left']) ? eachIn(writing, path, 'right') : plain(writing, path),
  VariableDeclaration: writeDeclaration,
  BinaryExpression: (writing, path) =>
    last(path)['operator'] === 'instanceof'
      ? `${safe}.is(${rewritten(writing, path, 'left')}, ${rewritten(writing, path, 'right')})`
      : plain(writing, path),
  CallExpression: writeCall,
  NewExpression: writeNew,
  Literal: writeLiteral,
  FunctionDeclaration: writeFunction,
  FunctionExpression: writeFunction,
  ArrowFunctionExpression: writeFunction,
};

function write(writing: Writing, path: Path): string {
  const { type } = last(path);
  const writer = writing.only !== null && !writing.only.has(type) ? undefined : writers[type];
  return (writer ?? plain)(writing, path);
}

function writeObject(writing: Writing, path: Path): string {
  const text = plain(writing, path);
  if (/^\{\s*__proto__:/.test(text)) return text;
  const isEmpty = (last(path)['properties'] as readonly unknown[]).length === 0;
  return isEmpty ? '{ __proto__: null }' : `{ __proto__: null, ${text.slice(1)}`;
}

function writeLiteral(writing: Writing, path: Path): string {
  const regex = last(path)['regex'] as { readonly pattern: string; readonly flags: string } | undefined;
  if (regex === undefined) return plain(writing, path);
  writing.patterns.push([regex.pattern, regex.flags]);
  return `${safe}Pattern${writing.patterns.length - 1}`;
}

function writeCall(writing: Writing, path: Path): string {
  const node = last(path);
  const callee = node['callee'] as SyntaxNode;
  // Written once: a call in a call in a call would be written eight times.
  const written = (): readonly string[] =>
    (node['arguments'] as readonly SyntaxNode[]).map(value => write(writing, below(path, value)));
  const builtIn = named(callee, safeFunctions);
  if (builtIn !== null) return `${safe}.built.${builtIn}(${written().join(', ')})`;
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return plain(writing, path);
  const owner = callee['object'] as SyntaxNode;
  const holder = named(owner, safeHolders);
  const name = (callee['property'] as SyntaxNode)['name'] as string;
  if (holder !== null) return `${safe}.built.${holder}.${name}(${written().join(', ')})`;
  if (!safeMethods.includes(name) || owner.type === 'Super') return plain(writing, path);
  // What an optional chain leaves out is left out as a whole.
  const isLast = around(path)?.type === 'ChainExpression' && !isOptional(owner);
  if (isOptional(callee) && !isLast) return plain(writing, path);
  const self = write(writing, [...path, callee, owner]);
  return `${safe}.${callee['optional'] === true ? 'maybe' : 'call'}.${name}(${[self, ...written()].join(', ')})`;
}

function writeNew(writing: Writing, path: Path): string {
  const { callee } = last(path);
  const kind = named(callee, safeCollections);
  return plain(writing, path, kind === null ? new Map() : new Map([[callee, `${safe}.built.${kind}`]]));
}

/** Parameters that are lists are taken apart in the body, and rest parameters get our methods there. */
function writeFunction(writing: Writing, path: Path): string {
  const node = last(path);
  const replaced = new Map<unknown, string>();
  const first: string[] = [];
  for (const parameter of node['params'] as readonly SyntaxNode[]) {
    if (parameter.type === 'RestElement') first.push(own(namesOfPattern(parameter)));
    if (parameter.type !== 'ArrayPattern') continue;
    const name = `${safe}${++writing.parameters}`;
    replaced.set(parameter, name);
    first.push(`let ${write(writing, below(path, parameter))} = ${safe}.each(${name});`, own(restsIn(parameter)));
  }
  if (first.length === 0) return plain(writing, path);
  const body = node['body'] as SyntaxNode;
  const text = write(writing, below(path, body));
  const rest = body.type === 'BlockStatement' ? text.slice(1) : `return ${text}; }`;
  return plain(writing, path, replaced.set(body, `{ ${first.join(' ')} ${rest}`));
}

const own = (names: readonly string[]): string => names.map(name => `${safe}.own(${name});`).join(' ');

/** Arrays that a declaration makes of what is left over get our methods after it. */
function writeDeclaration(writing: Writing, path: Path): string {
  const text = plain(writing, path);
  const declarations = last(path)['declarations'] as readonly SyntaxNode[];
  const rests = declarations.flatMap(({ id }) => restsIn(id as SyntaxNode));
  if (rests.length === 0) return text;
  if (around(path)?.type.startsWith('For') === true)
    throw new Error(`A rest in a loop is not hardened: ${rests.join()}`);
  return `${text.replace(/;$/, '')}; ${own(rests)}`;
}

const isList = (node: unknown): boolean => (node as SyntaxNode).type === 'ArrayPattern';

/** Whether something in a chain of members and calls is optional. */
function isOptional(node: SyntaxNode): boolean {
  const before = (node['object'] ?? node['callee']) as SyntaxNode | undefined;
  return node['optional'] === true || (before !== undefined && isOptional(before));
}

/** Names that an array pattern gives what is left over. */
function restsIn(pattern: SyntaxNode): readonly string[] {
  if (pattern.type !== 'ArrayPattern') return [];
  const elements = pattern['elements'] as readonly (SyntaxNode | null)[];
  return elements.flatMap(one => (one?.type === 'RestElement' ? namesOfPattern(one) : []));
}

/** The nodes directly below a node, in the order of the text. */
function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  for (const key of Object.keys(node)) {
    const value = node[key];
    for (const part of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (typeof part === 'object' && part !== null && typeof (part as SyntaxNode).type === 'string')
        parts.push(part as SyntaxNode);
  }
  // A member that is written once, such as `{ name }`, is one part and not two.
  return parts
    .toSorted((one, other) => one.start - other.start)
    .filter((part, index, all) => part.start !== all[index - 1]?.start);
}
