/** A node of a parsed script, as acorn builds it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Is told every node; `ancestors` lists the nodes around it, outermost first, and is only valid during the call. */
export type Visit = (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void;

/** Visits a node and everything below it, in source order. */
export function walkSyntax(root: SyntaxNode, visit: Visit): void {
  const ancestors: SyntaxNode[] = [];
  const enter = (node: SyntaxNode): void => {
    visit(node, ancestors);
    ancestors.push(node);
    for (const key in node) {
      const child = node[key];
      if (typeof child !== 'object' || child === null) continue;
      if (Array.isArray(child)) {
        for (const member of child as readonly unknown[]) if (isNode(member)) enter(member);
      } else if (isNode(child)) enter(child);
    }
    ancestors.pop();
  };
  enter(root);
}

/** Arrays have holes, and literals hold values that are no nodes. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** The names that a pattern binds or assigns to; members such as `object.key` bind no name. */
export function namesOfPattern(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [pattern['name'] as string];
    case 'ObjectPattern':
      return (pattern['properties'] as readonly unknown[]).flatMap(namesOfPattern);
    case 'Property':
      return namesOfPattern(pattern['value']);
    case 'ArrayPattern':
      return (pattern['elements'] as readonly unknown[]).flatMap(namesOfPattern);
    case 'AssignmentPattern':
      return namesOfPattern(pattern['left']);
    case 'RestElement':
      return namesOfPattern(pattern['argument']);
    default:
      return [];
  }
}

/** The names that `var`, `let`, `const` or `using` declares. */
export function namesOfDeclaration(declaration: SyntaxNode): readonly string[] {
  return (declaration['declarations'] as readonly SyntaxNode[]).flatMap(({ id }) => namesOfPattern(id));
}

export function namesOfParameters(run: SyntaxNode): readonly string[] {
  return (run['params'] as readonly unknown[]).flatMap(namesOfPattern);
}

export function isFunction({ type }: SyntaxNode): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

/** The function whose `this`, `arguments` and `super` a node sees; null at the top of a script. */
export function functionAround(ancestors: readonly SyntaxNode[]): SyntaxNode | null {
  return ancestors.findLast(node => isFunction(node) && node.type !== 'ArrowFunctionExpression') ?? null;
}

/** Whether an identifier stands for a variable; if not, it is the name of a member, a label or the like. */
export function isReference(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (node.type !== 'Identifier') return false;
  switch (parent?.type) {
    case 'MemberExpression':
      return parent['object'] === node || parent['computed'] === true;
    case 'Property':
      return parent['value'] === node || parent['computed'] === true;
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent['value'] === node || parent['computed'] === true;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return false;
    default:
      return true;
  }
}

/** The name of the member that `object.name`, `object['name']`, `{ name: … }` or a class member is about; null when unknown. */
export function memberName(node: SyntaxNode): string | null {
  const key = (node.type === 'MemberExpression' ? node['property'] : node['key']) as SyntaxNode;
  if (node['computed'] !== true && key.type === 'Identifier') return key['name'] as string;
  return textOf(key);
}

/** The text of a string that is written out; null for anything else. */
export function textOf(node: SyntaxNode): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string | null } }[];
  return quasis.length === 1 ? (quasis[0]?.value.cooked ?? null) : null;
}
