import {
  functionAround,
  isFunction,
  isReference,
  namesOfDeclaration,
  namesOfParameters,
  namesOfPattern,
  type SyntaxNode,
  type Visit,
} from './syntax-tree.ts';

/** Collects the names of variables that a script may assign to after it declared them. */
export interface AssignedVariables {
  readonly visit: Visit;
  /** Null when it can be any name. What `eval` does is not counted. */
  result(): ReadonlySet<string> | null;
}

/**
 * Names are compared by text, not by scope: a name that is assigned to in one function counts as assigned in all of them.
 * So the set can hold a name too many, never one too few.
 */
export function createAssignedVariables(kind: 'script' | 'module' | 'function-body'): AssignedVariables {
  const names = new Set<string>();
  const declaredFunctions = new Map<SyntaxNode, Set<string>>();
  let canBeAny = false;

  const add = (more: readonly string[]): void => {
    for (const name of more) names.add(name);
  };

  /** Functions in blocks also assign to a variable of the function around; functions of one name replace each other. */
  function addFunction(run: SyntaxNode, ancestors: readonly SyntaxNode[]): void {
    const [name] = namesOfPattern(run['id']);
    if (name === undefined) return;
    const scope = scopeOfTopLevel(ancestors);
    if (scope === null) return add([name]);
    const known = declaredFunctions.get(scope) ?? new Set(isFunction(scope) ? namesOfParameters(scope) : []);
    declaredFunctions.set(scope, known);
    if (known.has(name)) add([name]);
    known.add(name);
  }

  /** `arguments[0] = value` assigns to the first parameter. */
  function addParameters(ancestors: readonly SyntaxNode[]): void {
    const run = functionAround(ancestors);
    if (run !== null) add(namesOfParameters(run));
    else if (kind === 'function-body') add(handlerParameters);
  }

  return {
    visit(node, ancestors) {
      const parent = ancestors.at(-1);
      add(assignedBy(node, parent));
      if (node.type === 'FunctionDeclaration') addFunction(node, ancestors);
      if (isReference(node, parent) && node['name'] === 'arguments') addParameters(ancestors);
      canBeAny ||= node.type === 'WithStatement';
    },
    result: () => (canBeAny ? null : names),
  };
}

/** The names that one node assigns to, whatever is around it. */
function assignedBy(node: SyntaxNode, parent: SyntaxNode | undefined): readonly string[] {
  switch (node.type) {
    case 'AssignmentExpression':
      return namesOfPattern(node['left']);
    case 'UpdateExpression':
      return namesOfPattern(node['argument']);
    case 'UnaryExpression':
      return node['operator'] === 'delete' ? namesOfPattern(node['argument']) : [];
    case 'ForInStatement':
    case 'ForOfStatement':
      return loopTargets(node['left'] as SyntaxNode);
    case 'VariableDeclaration':
      return declaredAgain(node, parent);
    case 'CatchClause':
      return namesOfPattern(node['param']);
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return namesOfPattern(node['local']);
    default:
      return [];
  }
}

/** `var` with a value assigns whenever it is reached; what is exported with `let` is there to be changed. */
function declaredAgain(declaration: SyntaxNode, parent: SyntaxNode | undefined): readonly string[] {
  if (declaration['kind'] === 'let') return parent?.type.startsWith('Export') ? namesOfDeclaration(declaration) : [];
  if (declaration['kind'] !== 'var') return [];
  const declarators = declaration['declarations'] as readonly SyntaxNode[];
  return declarators.flatMap(({ id, init }) => (init === null ? [] : namesOfPattern(id)));
}

/** What the browser names the parameters of an inline event handler; `onerror` of the window has all but the first. */
const handlerParameters = ['event', 'source', 'lineno', 'colno', 'error'];

export function isDirectEval({ type, callee }: SyntaxNode): boolean {
  return type === 'CallExpression' && (callee as SyntaxNode)['name'] === 'eval';
}

/** `for (x of …)` and `for (var x of …)` assign; `for (let x of …)` makes a new variable each time. */
function loopTargets(left: SyntaxNode): readonly string[] {
  if (left.type !== 'VariableDeclaration') return namesOfPattern(left);
  return left['kind'] === 'var' ? namesOfDeclaration(left) : [];
}

/** The script or function that a declaration stands directly in; null when it stands in a block. */
function scopeOfTopLevel(ancestors: readonly SyntaxNode[]): SyntaxNode | null {
  const around = ancestors.filter(({ type }) => !type.startsWith('Export'));
  const [outer, parent] = [around.at(-2), around.at(-1)];
  if (parent?.type === 'Program') return parent;
  return parent?.type === 'BlockStatement' && outer !== undefined && isFunction(outer) ? outer : null;
}
