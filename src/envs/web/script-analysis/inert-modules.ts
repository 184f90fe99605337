import {
  isFunction,
  isNode,
  memberName,
  namesOfDeclaration,
  namesOfPattern,
  type SyntaxNode,
  textOf,
} from './syntax-tree.ts';

/** What a module exports. */
export interface ModuleMember {
  readonly from: string;
  readonly name: string;
}

/** What a statement at the top of a module may use. */
interface Known {
  /** Names whose values are the same whenever the module runs. */
  readonly declared: Set<string>;
  readonly imported: ReadonlyMap<string, ModuleMember>;
  /** Imports that are called with nothing, and not marked as pure. */
  readonly asked: ModuleMember[];
  /** Where calls stand that their author marked as pure (`@__PURE__`). */
  readonly pure: ReadonlySet<number>;
}

const ofLanguage = 'Array BigInt Boolean Date Error Function Map Number Object Promise RegExp Set String Symbol'.split(
  ' ',
);

/**
 * Whether a module does nothing but declare what is the same whenever it runs: functions, classes and values that are written
 * out. It reads nothing but what it has declared before, and calls nothing but what it imports, where the call is marked as
 * pure and is given nothing else. What it calls with nothing and without a mark is listed: these have to give the same
 * whenever they are called (`onceMade`). Null where it does more.
 */
export function callsWhileDeclaring(program: SyntaxNode, source: string): readonly ModuleMember[] | null {
  const statements = program['body'] as readonly SyntaxNode[];
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration');
  const marks = source.matchAll(/\/\*\s*[#@]__PURE__\s*\*\/\s*/g);
  const known = {
    declared: new Set(ofLanguage),
    imported: new Map(imports.flatMap(importedBy)),
    asked: [],
    pure: new Set(Array.from(marks, ({ 0: mark, index }) => index + mark.length)),
  };
  for (const name of [...known.imported.keys(), ...statements.flatMap(namesOfStatement)]) known.declared.delete(name);
  return statements.every(statement => isInertStatement(statement, known)) ? known.asked : null;
}

function importedBy({ source, specifiers }: SyntaxNode): [string, ModuleMember][] {
  const from = textOf(source as SyntaxNode) ?? '';
  return (specifiers as readonly SyntaxNode[]).map(one => {
    const imported = isNode(one['imported']) ? one['imported'] : null;
    const name = (imported?.['name'] ?? imported?.['value'] ?? one.type) as string;
    return [(one['local'] as SyntaxNode)['name'] as string, { from, name }];
  });
}

function namesOfStatement(node: SyntaxNode): readonly string[] {
  if (isNode(node['declaration'])) return namesOfStatement(node['declaration']);
  return node.type === 'VariableDeclaration' ? namesOfDeclaration(node) : namesOfPattern(node['id']);
}

function isInertStatement(node: SyntaxNode, known: Known): boolean {
  switch (node.type) {
    case 'EmptyStatement':
      return true;
    case 'ExpressionStatement':
      return node['directive'] !== undefined;
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      // With attributes it is no script.
      return ((node['attributes'] ?? []) as readonly unknown[]).length === 0;
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration': {
      const { declaration } = node;
      return !isNode(declaration) || isInertStatement(declaration, known) || isInert(declaration, known);
    }
    case 'VariableDeclaration':
      return !String(node['kind']).includes('using') && declaresInert(node, known);
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      if (!isInert(node, known)) return false;
      for (const name of namesOfPattern(node['id'])) known.declared.add(name);
      return true;
    default:
      return false;
  }
}

function declaresInert({ kind, declarations }: SyntaxNode, known: Known): boolean {
  return (declarations as readonly SyntaxNode[]).every(({ id, init }) => {
    if ((id as SyntaxNode).type !== 'Identifier' || !(init === null || isInert(init as SyntaxNode, known)))
      return false;
    if (kind === 'const') known.declared.add((id as SyntaxNode)['name'] as string);
    return true;
  });
}

function isInert(node: SyntaxNode, known: Known): boolean {
  if (isFunction(node)) return true;
  switch (node.type) {
    case 'Literal':
      return true;
    case 'TemplateLiteral':
      return textOf(node) !== null;
    case 'UnaryExpression':
      return node['operator'] !== 'delete' && (node['argument'] as SyntaxNode).type === 'Literal';
    case 'Identifier':
      return known.declared.has(node['name'] as string);
    case 'ArrayExpression':
      return (node['elements'] as readonly (SyntaxNode | null)[]).every(one => one === null || isInert(one, known));
    case 'ObjectExpression':
      return (node['properties'] as readonly SyntaxNode[]).every(
        one => one.type === 'Property' && memberName(one) !== null && isInert(one['value'] as SyntaxNode, known),
      );
    case 'CallExpression':
      return isPureCall(node, known);
    case 'ClassDeclaration':
    case 'ClassExpression':
      return isInertClass(node, known);
    default:
      return false;
  }
}

function isInertClass({ superClass, body }: SyntaxNode, known: Known): boolean {
  if (isNode(superClass) && !isInert(superClass, known)) return false;
  return ((body as SyntaxNode)['body'] as readonly SyntaxNode[]).every(member => {
    if (member.type === 'StaticBlock' || (member['computed'] === true && memberName(member) === null)) return false;
    const { value } = member;
    return member.type !== 'PropertyDefinition' || member['static'] !== true || !isNode(value) || isInert(value, known);
  });
}

function isPureCall({ start, callee, arguments: given, optional }: SyntaxNode, known: Known): boolean {
  const { type, name } = callee as SyntaxNode;
  const member = type === 'Identifier' ? known.imported.get(name as string) : undefined;
  if (member === undefined || optional === true) return false;
  const values = given as readonly SyntaxNode[];
  if (known.pure.has(start)) return values.every(one => isInert(one, known));
  if (values.length === 0) known.asked.push(member);
  return values.length === 0;
}
