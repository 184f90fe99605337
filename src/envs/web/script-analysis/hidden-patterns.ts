import { functionAround, memberName, type SyntaxNode } from './syntax-tree.ts';

/** What RegExp shows of the last match in the whole page; it also exists on `constructor` of any regular expression. */
const legacyStatics = /^(\$[1-9_&+`']|input|lastMatch|lastParen|leftContext|rightContext)$/;
const harmlessStatics = new Set(['prototype', 'escape', 'name', 'length']);

/** Whether `RegExp` is used for more than making and recognising regular expressions. */
export function isRegExpStatic(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const parent = ancestors.at(-1);
  if (node.type === 'MemberExpression') {
    const object = node['object'] as SyntaxNode;
    const name = memberName(node);
    if (object.type === 'MemberExpression' && memberName(object) === 'constructor')
      return name !== null && legacyStatics.test(name);
    if (name !== 'RegExp') return false;
  }
  switch (parent?.type) {
    case 'CallExpression':
    case 'NewExpression':
      return parent['callee'] !== node;
    case 'BinaryExpression':
    case 'SwitchCase':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return false;
    case 'UnaryExpression':
      return parent['operator'] !== 'typeof';
    case 'MemberExpression':
      return !(parent['object'] === node && harmlessStatics.has(memberName(parent) ?? ''));
    default:
      return true;
  }
}

/** Whether the arguments object is kept as a value, not only read or passed on. */
export function escapesArguments(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const parent = ancestors.at(-1) as SyntaxNode;
  switch (parent.type) {
    case 'MemberExpression':
      return !isRead(parent, ancestors.at(-2)) || !(memberName(parent) === 'length' || isIndex(parent, node));
    case 'SpreadElement':
      return false;
    case 'UnaryExpression':
      return parent['operator'] !== 'typeof';
    case 'ForOfStatement':
      return parent['right'] !== node;
    case 'CallExpression':
      return !isPassedOn(parent, node);
    default:
      return true;
  }
}

/** `arguments[expression]`; with a name that is written out it could be `callee`. */
function isIndex(member: SyntaxNode, list: SyntaxNode): boolean {
  return member['object'] === list && member['computed'] === true && memberName(member) === null;
}

/** Writing to a member is no escape by itself: it changes a parameter, which counts as assigned. Calling one passes the list as `this`. */
function isRead(member: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  return !(parent?.type === 'CallExpression' && parent['callee'] === member);
}

/** `run.apply(self, arguments)`, `Reflect.apply(run, self, arguments)`, `Array.from(arguments)`, `[].slice.call(arguments)`. */
function isPassedOn(call: SyntaxNode, list: SyntaxNode): boolean {
  const callee = call['callee'] as SyntaxNode;
  if (callee.type !== 'MemberExpression') return false;
  const object = callee['object'] as SyntaxNode;
  const place = (call['arguments'] as readonly SyntaxNode[]).indexOf(list);
  const owner = object.type === 'Identifier' ? object['name'] : null;
  switch (memberName(callee)) {
    case 'apply':
      return place === (owner === 'Reflect' ? 2 : 1);
    case 'construct':
      return owner === 'Reflect' && place === 1;
    case 'from':
      return owner === 'Array' && place === 0;
    case 'call':
      return place === 0 && isArrayMethod(object);
    default:
      return false;
  }
}

function isArrayMethod(method: SyntaxNode): boolean {
  if (method.type !== 'MemberExpression' || !copying.has(memberName(method) ?? '')) return false;
  const object = method['object'] as SyntaxNode;
  if (object.type === 'ArrayExpression') return true;
  const owner = object.type === 'MemberExpression' ? (object['object'] as SyntaxNode) : null;
  return owner?.['name'] === 'Array' && memberName(object) === 'prototype';
}

const copying = new Set(['slice', 'concat', 'join', 'indexOf', 'includes', 'map', 'filter', 'reduce', 'forEach']);

/** Whether a constructor returns a parameter: a class below it gives private members to objects of others, which nobody can take back. */
export function givesBackParameter(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const run = functionAround(ancestors);
  const method = run === null ? undefined : ancestors[ancestors.lastIndexOf(run) - 1];
  if (run === null || method?.type !== 'MethodDefinition' || method['kind'] !== 'constructor') return false;
  const parameters = new Set(
    (run['params'] as readonly SyntaxNode[])
      .map(one => (one.type === 'AssignmentPattern' ? (one['left'] as SyntaxNode) : one))
      .map(one => one['name']),
  );
  return resultsOf(node['argument'] as SyntaxNode | null).some(
    ({ type, name }) => type === 'Identifier' && parameters.has(name),
  );
}

/** Whether instances of a class have private members. */
export function hasPrivateMembers(body: SyntaxNode): boolean {
  return (body['body'] as readonly SyntaxNode[]).some(
    member => member['static'] !== true && (member['key'] as SyntaxNode | undefined)?.type === 'PrivateIdentifier',
  );
}

/** What an expression may come to. */
function resultsOf(node: SyntaxNode | null): readonly SyntaxNode[] {
  if (node === null) return [];
  const parts =
    node.type === 'LogicalExpression'
      ? [node['left'], node['right']]
      : node.type === 'ConditionalExpression'
        ? [node['consequent'], node['alternate']]
        : node.type === 'SequenceExpression'
          ? (node['expressions'] as readonly SyntaxNode[]).slice(-1)
          : null;
  return parts === null ? [node] : parts.flatMap(part => resultsOf(part as SyntaxNode));
}
