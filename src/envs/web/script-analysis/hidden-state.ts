import { isDirectEval } from './assigned-variables.ts';
import { escapesArguments, isRegExpStatic, namesSharedWithDefaults } from './hidden-patterns.ts';
import {
  functionAround,
  isFunction,
  isReference,
  memberName,
  type SyntaxNode,
  textOf,
  type Visit,
} from './syntax-tree.ts';

/**
 * Collects the language features by which a script can keep state that a snapshot does not see. A snapshot sees own
 * properties, variables that closures hold, and the contents of collections, dates and buffers.
 *
 * Not listed, because a snapshot sees all of their state:
 * - async functions: a promise that was open and settles later makes the snapshot unusable;
 * - getters, setters, fields, static blocks and names of classes: functions, properties and closure variables;
 * - tagged templates: their strings are frozen and always the same object;
 * - `this` and `new.target` in arrow functions, `using`: never assigned to, gone when the function ends;
 * - functions made from text: each is a script of its own and is analysed as such;
 * - names in inline event handlers that mean members of the element, the form or the document: kept with the document;
 * - iterators, weak collections, bound functions and proxies: refused or kept by the kind of the object.
 */
export interface HiddenState {
  readonly visit: Visit;
  /** One sentence part for each feature, with a few examples. */
  reasons(): readonly string[];
}

const mostExamples = 3;

export function createHiddenState(): HiddenState {
  const found = new Map<string, Set<string>>();

  const add = (what: string, example?: string | null): void => {
    const examples = found.get(what) ?? new Set();
    found.set(what, examples);
    if (example) examples.add(example);
  };

  const visitors: Readonly<Record<string, Visit>> = {
    FunctionDeclaration: (node, ancestors) => addFunction(node, ancestors, add),
    FunctionExpression: (node, ancestors) => addFunction(node, ancestors, add),
    ArrowFunctionExpression: (node, ancestors) => addFunction(node, ancestors, add),
    PropertyDefinition: node => addMember(node, add),
    MethodDefinition: node => addMember(node, add),
    Property: (node, ancestors) => {
      if (ancestors.at(-1)?.type === 'ObjectExpression' && memberName(node) === 'then') add(thenable);
    },
    BinaryExpression: ({ left }) => {
      if (isPrivate(left)) add('checks for private members', privateName(left));
    },
    MemberExpression: (node, ancestors) => addMemberUse(node, ancestors, add),
    Identifier: (node, ancestors) => addVariableUse(node, ancestors, add),
    Literal: (node, ancestors) => addText(node, ancestors, add),
    TemplateLiteral: (node, ancestors) => addText(node, ancestors, add),
    ForOfStatement: (node, ancestors) => {
      if (node['await'] === true) add('a for-await loop');
      if (node['await'] === true) addTopLevelAwait(ancestors, add);
    },
    AwaitExpression: (_node, ancestors) => addTopLevelAwait(ancestors, add),
    VariableDeclaration: (node, ancestors) => {
      if (node['kind'] !== 'await using') return;
      add('asynchronous disposal (await using)');
      addTopLevelAwait(ancestors, add);
    },
    ImportExpression: () => add('a dynamic import()'),
    ImportDeclaration: ({ source }) => add('imports from other modules', textOf(source as SyntaxNode)),
    ExportNamedDeclaration: () => add(exported),
    ExportDefaultDeclaration: () => add(exported),
    ExportAllDeclaration: () => add(exported),
    MetaProperty: ({ meta }) => {
      if ((meta as SyntaxNode)['name'] === 'import') add('import.meta');
    },
    WithStatement: () => add('a with statement'),
    CallExpression: node => {
      if (isDirectEval(node)) add('direct eval, which can add variables to its function');
    },
  };
  return {
    visit: (node, ancestors) => visitors[node.type]?.(node, ancestors),
    reasons: () => [...found].map(([what, examples]) => sentence(what, [...examples])),
  };
}

type Add = (what: string, example?: string | null) => void;

const exported = 'exports to other modules';
const thenable = 'an object with a then method, which can settle promises unseen';

/** Their state is not in properties of theirs. */
const opaqueGlobals = new Set([
  'WeakRef',
  'FinalizationRegistry',
  'SharedArrayBuffer',
  'Atomics',
  'WebAssembly',
  'DisposableStack',
  'AsyncDisposableStack',
]);

function sentence(what: string, examples: readonly string[]): string {
  if (examples.length === 0) return what;
  const shown = examples.slice(0, mostExamples).join(', ');
  return `${what}: ${shown}${examples.length > mostExamples ? ' and more' : ''}`;
}

function addFunction(run: SyntaxNode, ancestors: readonly SyntaxNode[], add: Add): void {
  if (run['generator'] === true) {
    const name = (run['id'] as SyntaxNode | null)?.['name'] ?? methodName(ancestors.at(-1));
    add(run['async'] === true ? 'async generator functions' : 'generator functions', name as string | null);
  }
  for (const name of namesSharedWithDefaults(run))
    add('parameter defaults that use a name which the body of the function declares again', name);
}

function methodName(parent: SyntaxNode | undefined): string | null {
  return parent?.type === 'Property' || parent?.type === 'MethodDefinition' ? memberName(parent) : null;
}

const isPrivate = (node: unknown): boolean => (node as SyntaxNode).type === 'PrivateIdentifier';
const privateName = (node: unknown): string => `#${(node as SyntaxNode)['name'] as string}`;

function addMember(member: SyntaxNode, add: Add): void {
  const { key } = member;
  if (isPrivate(key)) {
    const what = member.type === 'PropertyDefinition' ? 'fields' : 'methods';
    add(`${member['static'] === true ? 'static private' : 'private'} ${what}`, privateName(key));
  } else if (memberName(member) === 'then') add(thenable);
}

function addMemberUse(member: SyntaxNode, ancestors: readonly SyntaxNode[], add: Add): void {
  const object = member['object'] as SyntaxNode;
  const name = memberName(member);
  if (object.type === 'Super') {
    const method = ancestors[ancestors.lastIndexOf(functionAround(ancestors) as SyntaxNode) - 1];
    const isLiteral = method?.type === 'Property' && functionAround(ancestors) !== null;
    add(isLiteral ? 'super in methods of object literals' : 'super members in classes', name && `super.${name}`);
  }
  if (name === 'then' && isTarget(member, ancestors)) add(thenable);
  if (name !== null && opaqueGlobals.has(name)) add(`the use of ${name}`);
  if (isRegExpStatic(member, ancestors)) add('static members of RegExp', name);
}

/** Whether `object.member` is assigned to, also within a pattern. */
function isTarget(member: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const parent = ancestors.at(-1);
  switch (parent?.type) {
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForInStatement':
    case 'ForOfStatement':
      return parent['left'] === member;
    case 'Property':
      return parent['value'] === member && ancestors.at(-2)?.type === 'ObjectPattern';
    case 'ArrayPattern':
    case 'RestElement':
    case 'UpdateExpression':
      return true;
    default:
      return false;
  }
}

function addVariableUse(node: SyntaxNode, ancestors: readonly SyntaxNode[], add: Add): void {
  if (!isReference(node, ancestors.at(-1))) return;
  const name = node['name'] as string;
  if (opaqueGlobals.has(name)) add(`the use of ${name}`);
  if (name === 'arguments' && escapesArguments(node, ancestors)) add('the arguments object, held as a value');
  if (name === 'RegExp' && isRegExpStatic(node, ancestors)) add('static members of RegExp');
}

/** `defineProperty(object, 'then', …)`, and any other way in which the name is passed on. */
function addText(node: SyntaxNode, ancestors: readonly SyntaxNode[], add: Add): void {
  if (textOf(node) !== 'then') return;
  const parent = ancestors.at(-1);
  const isKeyOrRead = parent?.type === 'MemberExpression' || parent?.['key'] === node;
  if (!isKeyOrRead) add(thenable);
}

function addTopLevelAwait(ancestors: readonly SyntaxNode[], add: Add): void {
  if (!ancestors.some(isFunction)) add('top-level await');
}
