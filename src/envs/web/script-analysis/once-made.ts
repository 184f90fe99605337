import { isNode, type SyntaxNode } from './syntax-tree.ts';

/** How bundlers run a CommonJS module when it is first asked for, and hand out what it exported from then on. */
const wraps = [
  // Rolldown, which Vite builds with.
  /^\(([\w$]+),([\w$]+)\)=>\(\)=>\(\2\|\|\(?\1\(\(\2=\{exports:\{\}\}\)\.exports,\2(,\2\.exports)?\)(,\1=null\))?,\2\.exports\)$/,
  // esbuild.
  /^\(([\w$]+),([\w$]+)\)=>(\(\)=>\(|function[\w$]*\(\)\{return)\2\|\|\(0,\1\[[\w$.]+\(\1\)\[0\]\]\)\(\(\2=\{exports:\{\}\}\)\.exports,\2\),\2\.exports(\)|;?\})$/,
];

/**
 * Names of exports of a module that give the same whenever they are called from now on: CommonJS modules in a bundle that ran
 * with it.
 */
export function onceMade(program: SyntaxNode, source: string): readonly string[] {
  const statements = program['body'] as readonly SyntaxNode[];
  const declared = statements
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(one => one['declarations'] as readonly SyntaxNode[])
    .flatMap(({ id, init }) =>
      isNode(init) && isNode(id) && id.type === 'Identifier' ? [[nameOf(id), init] as const] : [],
    );
  const isWrap = ({ start, end }: SyntaxNode): boolean => {
    const text = end - start < 300 ? source.slice(start, end).replaceAll(/\s+/g, '') : '';
    return wraps.some(wrap => wrap.test(text));
  };
  const wrapping = new Set(declared.filter(([, init]) => isWrap(init)).map(([name]) => name));
  const wrapped = new Set(declared.filter(([, init]) => wrapping.has(calledIn(init) ?? '')).map(([name]) => name));
  const ran = new Set(declared.flatMap(([, init]) => askedIn(init)).filter(name => wrapped.has(name)));
  return statements
    .filter(({ type, source: from }) => type === 'ExportNamedDeclaration' && !isNode(from))
    .flatMap(one => one['specifiers'] as readonly SyntaxNode[])
    .filter(({ local }) => ran.has(nameOf(local as SyntaxNode)))
    .map(({ exported }) => nameOf(exported as SyntaxNode));
}

const nameOf = (node: SyntaxNode): string => String(node['name'] ?? node['value']);

function calledIn({ type, callee }: SyntaxNode): string | null {
  return type === 'CallExpression' && (callee as SyntaxNode).type === 'Identifier'
    ? nameOf(callee as SyntaxNode)
    : null;
}

/** What is called with nothing when a variable is given its first value, in any case. */
function askedIn(init: SyntaxNode): string[] {
  if (init.type !== 'CallExpression' || init['optional'] === true) return [];
  const given = init['arguments'] as readonly SyntaxNode[];
  const name = calledIn(init);
  return [...given.flatMap(askedIn), ...(given.length === 0 && name !== null ? [name] : [])];
}
