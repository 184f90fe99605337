import { mostArguments } from '../page-program/state/function-texts.ts';
import { type Binding, type Home, homeOf, type Run, type Scope } from './function-names.ts';
import { isNode, isReference, namesOfPattern, type SyntaxNode } from './syntax-tree.ts';

/** A name, and the scope that it is used in. */
export interface Use {
  readonly name: string;
  readonly scope: Scope;
}

/** What is found on the way through a script. */
export interface BindingWalk {
  readonly top: Scope;
  readonly isModule: boolean;
  readonly runs: Run[];
  readonly uses: Use[];
  readonly writes: Use[];
  /** `var` that gives a value: it may stand below another variable of that name, which it then gives the value to. */
  readonly inits: Use[];
  readonly privateUses: Use[];
  readonly superUses: Scope[];
  readonly thisUses: Scope[];
  readonly functionsAtTop: { readonly name: string; readonly run: Run }[];
}

interface Place {
  readonly scope: Scope;
  readonly parent: SyntaxNode;
  readonly inLoop: boolean;
}

const loops = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement']);
const once: Readonly<Record<string, string>> = {
  ForStatement: 'init',
  ForInStatement: 'right',
  ForOfStatement: 'right',
};

/** Finds all scopes of a script, what is declared in them, and which names are used where. */
export function walkBindings(program: SyntaxNode): BindingWalk {
  const isModule = program['sourceType'] === 'module';
  const top = createScope(null, { isStrict: isStrictBody(program) || isModule });
  const found = { runs: [], uses: [], writes: [], inits: [], privateUses: [], superUses: [], thisUses: [] };
  const walk: BindingWalk = { top, isModule, ...found, functionsAtTop: [] };
  visitChildren(walk, program, { scope: top, inLoop: false });
  return walk;
}

function createScope(parent: Scope | null, more: Partial<Scope> & { isOuter?: boolean } = {}): Scope {
  const { isOuter = parent === null, run = null, parameters = null, isLate = parent?.isLate ?? false } = more;
  const isStrict = more.isStrict === true || parent?.isStrict === true;
  const home = more.home ?? null;
  const names = new Map<string, Binding>();
  const isCopied = more.isCopied === true;
  const scope = { parent, names, run, parameters, isLate, isStrict, home, isCopied, shared: null };
  return Object.assign(scope, { outer: isOuter ? (scope as unknown as Scope) : (parent as Scope).outer });
}

function declare(scope: Scope, names: readonly string[], more: Partial<Binding> = {}): void {
  const { isAssigned = false, inits = 0, isDoubtful = false } = more;
  for (const name of names) {
    const known = scope.names.get(name);
    const fixed = { scope, isLate: scope.isLate, isTop: scope.parent === null, isCaptured: false, isMark: false };
    if (known === undefined) scope.names.set(name, { ...fixed, isAssigned, inits, isDoubtful });
    else {
      known.isAssigned ||= isAssigned;
      known.inits += inits;
      known.isDoubtful &&= isDoubtful;
    }
  }
}

function visitChildren(walk: BindingWalk, node: SyntaxNode, { scope, inLoop }: Omit<Place, 'parent'>): void {
  for (const key in node) {
    const child = node[key];
    if (typeof child !== 'object' || child === null) continue;
    const isInLoop = inLoop || (loops.has(node.type) && once[node.type] !== key);
    for (const one of Array.isArray(child) ? (child as unknown[]) : [child])
      if (isNode(one)) visit(walk, one, { scope, parent: node, inLoop: isInLoop });
  }
}

function entryOf({ params, body }: SyntaxNode): number | null {
  const { type, start } = body as SyntaxNode;
  // An expression may work something out before the first place in it where the browser can stop.
  if (!Array.isArray(params) || params.length > mostArguments || type !== 'BlockStatement') return null;
  // A computed name is worked out whatever is given.
  return (params as readonly SyntaxNode[]).some(hasComputedNames) ? null : start;
}

function hasComputedNames(pattern: SyntaxNode): boolean {
  if (pattern['computed'] === true) return true;
  if (pattern.type === 'AssignmentPattern') return hasComputedNames(pattern['left'] as SyntaxNode);
  const parts = [pattern['properties'], pattern['elements'], pattern['value'], pattern['argument']].flat();
  return parts.some(part => isNode(part) && hasComputedNames(part));
}

function addRun({ runs }: BindingWalk, node: SyntaxNode, home: Home | null): Run {
  const { start, end } = node;
  const sets = { free: new Map<string, Binding>(), bodies: [], privates: new Set<Home>(), supers: new Set<Home>() };
  const until = (node['body'] as SyntaxNode).start;
  const run = { start, until, end, entry: entryOf(node), ...sets, scope: null, home, usesThis: false };
  runs.push(run);
  return run;
}

function visitFunction(walk: BindingWalk, node: SyntaxNode, { scope: around, run }: FunctionPlace): void {
  const body = node['body'] as SyntaxNode;
  const params = node['params'] as readonly SyntaxNode[];
  const names = params.flatMap(namesOfPattern);
  let scope = around;
  const own = namesOfPattern(node['id']);
  if (node.type === 'FunctionExpression' && own.length > 0) {
    scope = createScope(scope);
    declare(scope, own);
  }
  const isArrow = node.type === 'ArrowFunctionExpression';
  const made = run ?? addRun(walk, node, null);
  const inner = createScope(scope, {
    isOuter: true,
    run: made,
    parameters: isArrow ? null : names,
    isLate: node['async'] === true || node['generator'] === true,
    isStrict: isStrictBody(body),
  });
  made.scope = inner;
  declare(inner, names, { inits: 1 });
  if (!isArrow) declare(inner, ['arguments']);
  const place = { scope: inner, parent: node, inLoop: false };
  for (const param of params) visit(walk, param, place);
  if (body.type !== 'BlockStatement') return visit(walk, body, place);
  // With defaults, what stands in the body is declared in a scope of its own.
  const isSimple = params.every(({ type }) => type === 'Identifier');
  const within = isSimple ? inner : createScope(inner, { isOuter: true });
  visitChildren(walk, body, { scope: within, inLoop: false });
  if (isSimple) return;
  made.bodies.push(within.names);
  // A variable that is called as a parameter begins with its value.
  declare(
    within,
    names.filter(name => within.names.has(name)),
    { inits: 1 },
  );
}

interface FunctionPlace {
  readonly scope: Scope;
  /** Set where the function is known already: the constructor of a class. */
  readonly run?: Run;
}

function visitClass(walk: BindingWalk, node: SyntaxNode, { scope: around, inLoop }: Place): void {
  const body = node['body'] as SyntaxNode;
  const home = homeOf(node, around, inLoop || !walk.isModule);
  const made = addRun(walk, node, home);
  const scope = createScope(around, { run: made, isStrict: true, home });
  made.scope = scope;
  declare(scope, namesOfPattern(node['id']));
  if (isNode(node['superClass'])) visit(walk, node['superClass'], { scope, parent: node, inLoop: false });
  for (const member of body['body'] as readonly SyntaxNode[]) {
    const value = member['value'] as SyntaxNode;
    // The browser may say that a class stands where its constructor does.
    if (member['kind'] === 'constructor') {
      const run = { ...made, start: value.start, until: (value['body'] as SyntaxNode).start };
      walk.runs.push(run);
      visitFunction(walk, value, { scope, run });
    } else if (member.type === 'StaticBlock')
      visitChildren(walk, member, { scope: createScope(scope, { isOuter: true }), inLoop: false });
    else visitChildren(walk, member, { scope, inLoop: false });
  }
}

function declareVariables({ inits }: BindingWalk, node: SyntaxNode, { scope, parent, inLoop }: Place): void {
  const isHead = /^For(In|Of)/.test(parent.type) && parent['left'] === node;
  for (const { id, init } of node['declarations'] as readonly SyntaxNode[]) {
    const names = namesOfPattern(id);
    const isGiven = isHead || (init !== null && init !== undefined);
    if (node['kind'] !== 'var') declare(scope, names, { inits: 1 });
    else {
      declare(scope.outer, names, isGiven ? { inits: 1, isAssigned: inLoop || isHead } : {});
      if (isGiven) inits.push(...names.map(name => ({ name, scope })));
    }
  }
}

function declareFunction(node: SyntaxNode, scope: Scope): void {
  const names = namesOfPattern(node['id']);
  declare(scope, names, { inits: 1 });
  if (scope === scope.outer || scope.isStrict) return;
  // One in a block also gives a variable of the function around it its value, unless that is declared otherwise.
  declare(scope, names, { isAssigned: true });
  declare(scope.outer, names, { isAssigned: true, isDoubtful: true });
}

type Visit = (walk: BindingWalk, node: SyntaxNode, place: Place) => void;

const writes =
  (key: string): Visit =>
  (walk, node, { scope, inLoop }) => {
    if (node.type !== 'UnaryExpression' || node['operator'] === 'delete')
      for (const name of namesOfPattern(node[key])) walk.writes.push({ name, scope });
    visitChildren(walk, node, { scope, inLoop });
  };

const importsName: Visit = (_walk, node, { scope }) =>
  declare(scope, namesOfPattern(node['local']), { isAssigned: true });

/** A loop: what its head declares is there for the loop alone. */
const visitLoop: Visit = (walk, node, { scope, inLoop }) => {
  const left = node['left'] as SyntaxNode | undefined;
  if (left !== undefined && left.type !== 'VariableDeclaration')
    for (const name of namesOfPattern(left)) walk.writes.push({ name, scope });
  visitChildren(walk, node, { scope: createScope(scope, { isCopied: true }), inLoop });
};

const visitors: Readonly<Record<string, Visit>> = {
  FunctionDeclaration(walk, node, { scope }) {
    declareFunction(node, scope);
    visitFunction(walk, node, { scope });
    noteFunction(walk, { id: node['id'], value: node, scope });
  },
  FunctionExpression: visitFunction,
  ArrowFunctionExpression: visitFunction,
  ClassDeclaration(walk, node, place) {
    declare(place.scope, namesOfPattern(node['id']), { inits: 1 });
    visitClass(walk, node, place);
  },
  ClassExpression: visitClass,
  VariableDeclaration(walk, node, place) {
    declareVariables(walk, node, place);
    visitChildren(walk, node, place);
  },
  VariableDeclarator(walk, node, place) {
    visitChildren(walk, node, place);
    noteFunction(walk, { id: node['id'], value: node['init'], scope: place.scope });
  },
  AssignmentExpression: writes('left'),
  UpdateExpression: writes('argument'),
  UnaryExpression: writes('argument'),
  ImportSpecifier: importsName,
  ImportDefaultSpecifier: importsName,
  ImportNamespaceSpecifier: importsName,
  ForStatement: visitLoop,
  ForInStatement: visitLoop,
  ForOfStatement: visitLoop,
  BlockStatement: (walk, node, { scope, inLoop }) => visitChildren(walk, node, { scope: createScope(scope), inLoop }),
  IfStatement(walk, node, { scope, inLoop }) {
    for (const part of [node['test'], node['consequent'], node['alternate']])
      if (isNode(part)) {
        // A function that is no statement of a block has a block of its own.
        const isBlock = part.type === 'FunctionDeclaration';
        visit(walk, part, { scope: isBlock ? createScope(scope) : scope, parent: node, inLoop });
      }
  },
  CatchClause(walk, node, { scope, inLoop }) {
    const inner = createScope(scope);
    declare(inner, namesOfPattern(node['param']), { inits: 1 });
    visitChildren(walk, node, { scope: inner, inLoop });
  },
  SwitchStatement(walk, node, place) {
    visit(walk, node['discriminant'] as SyntaxNode, place);
    const scope = createScope(place.scope);
    for (const one of node['cases'] as readonly SyntaxNode[])
      visit(walk, one, { scope, parent: node, inLoop: place.inLoop });
  },
  PrivateIdentifier({ privateUses }, node, { parent, scope }) {
    if (parent.type === 'MemberExpression' || parent.type === 'BinaryExpression')
      privateUses.push({ name: node['name'] as string, scope });
  },
  ThisExpression: ({ thisUses }, _node, { scope }) => void thisUses.push(scope),
  Super({ thisUses, superUses }, _node, { parent, scope }) {
    thisUses.push(scope);
    if (parent.type === 'MemberExpression') superUses.push(scope);
  },
  Identifier({ uses }, node, { parent, scope }) {
    if (isReference(node, parent)) uses.push({ name: node['name'] as string, scope });
  },
};

function visit(walk: BindingWalk, node: SyntaxNode, place: Place): void {
  (visitors[node.type] ?? visitChildren)(walk, node, place);
}

interface NamedFunction {
  readonly id: unknown;
  readonly value: unknown;
  readonly scope: Scope;
}

/** Notes a function that a name stands for. */
function noteFunction({ top, runs, functionsAtTop }: BindingWalk, { id, value, scope }: NamedFunction): void {
  const [name] = (id as SyntaxNode | null)?.type === 'Identifier' ? namesOfPattern(id) : [];
  if (name === undefined || !isNode(value) || !value.type.includes('Function')) return;
  const binding = scope.names.get(name) ?? scope.outer.names.get(name);
  if (binding?.scope.isCopied === false) binding.isMark = true;
  if (scope !== top) return;
  const run = runs.findLast(({ start, end }) => start === value.start && end === value.end);
  if (run !== undefined) functionsAtTop.push({ name, run });
}

function isStrictBody(body: SyntaxNode): boolean {
  const first = body['body'];
  return Array.isArray(first) && first.some(one => (one as SyntaxNode)['directive'] === 'use strict');
}
