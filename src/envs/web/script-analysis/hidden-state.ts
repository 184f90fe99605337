import { escapesArguments, givesBackParameter, hasPrivateMembers, isRegExpStatic } from './hidden-patterns.ts';
import {
  functionAround,
  isFunction,
  isNode,
  isReference,
  memberName,
  type SyntaxNode,
  type Visit,
} from './syntax-tree.ts';

/**
 * Collects the language features by which a script can keep state that a snapshot does not see. A snapshot sees own
 * properties, variables that closures hold, and the contents of collections, dates and buffers.
 *
 * Not listed, because a snapshot sees all of their state:
 * - async functions and their for-await loops: one that waited for a promise and went on since makes the snapshot unusable;
 * - objects with a `then` method: functions of the browser that they hold are refused where they are reached;
 * - getters, setters, fields, static blocks and names of classes: functions, properties and closure variables;
 * - private members and `super` of classes: read from within the class;
 * - imports and exports: variables at the top of modules are known by name;
 * - direct eval: the page tells when one is made;
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
/** Where it is over, nothing of it is left. */
export const topLevelAwait = 'top-level await';

export function createHiddenState(): HiddenState {
  const found = new Map<string, Set<string>>();

  const add = (what: string, example?: string | null): void => {
    const examples = found.get(what) ?? new Set();
    found.set(what, examples);
    if (example) examples.add(example);
  };

  /** Both together give private members to objects of others. */
  let [givesBack, marksOthers] = [false, false];
  const visitors: Readonly<Record<string, Visit>> = {
    FunctionDeclaration: (node, ancestors) => addFunction(node, ancestors, add),
    FunctionExpression: (node, ancestors) => addFunction(node, ancestors, add),
    ArrowFunctionExpression: (node, ancestors) => addFunction(node, ancestors, add),
    MemberExpression: (node, ancestors) => addMemberUse(node, ancestors, add),
    Identifier: (node, ancestors) => addVariableUse(node, ancestors, add),
    ForOfStatement: (node, ancestors) => {
      if (node['await'] === true) addTopLevelAwait(ancestors, add);
    },
    AwaitExpression: (_node, ancestors) => addTopLevelAwait(ancestors, add),
    VariableDeclaration: (node, ancestors) => {
      if (node['kind'] !== 'await using') return;
      add('asynchronous disposal (await using)');
      addTopLevelAwait(ancestors, add);
    },
    MetaProperty: (node, ancestors) => {
      if ((node['meta'] as SyntaxNode)['name'] === 'import' && !isReadOnly(node, ancestors)) add('import.meta');
    },
    ImportExpression: ({ options }) => {
      // What is in such a module is no script's variable.
      if (isNode(options)) add('import() of what is no script');
    },
    WithStatement: () => add('a with statement'),
    ReturnStatement: (node, ancestors) => {
      givesBack ||= givesBackParameter(node, ancestors);
    },
    ClassBody: (node, ancestors) => {
      marksOthers ||= hasPrivateMembers(node) && (ancestors.at(-1)?.['superClass'] ?? null) !== null;
    },
  };
  return {
    visit: (node, ancestors) => visitors[node.type]?.(node, ancestors),
    reasons() {
      if (givesBack && marksOthers)
        add('a constructor that returns what it was given, and a class with private members');
      return [...found].map(([what, examples]) => sentence(what, [...examples]));
    },
  };
}

/** A member of `import.meta` that is only read: nobody else can write there. */
function isReadOnly(meta: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const [around, outer, member] = [ancestors.at(-3), ancestors.at(-2), ancestors.at(-1)];
  if (member?.type !== 'MemberExpression' || member['object'] !== meta) return false;
  switch (outer?.type) {
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForInStatement':
    case 'ForOfStatement':
      return outer['left'] !== member;
    case 'Property':
      return around?.type !== 'ObjectPattern';
    case 'UnaryExpression':
      return outer['operator'] !== 'delete';
    case 'UpdateExpression':
    case 'ArrayPattern':
    case 'RestElement':
      return false;
    default:
      return true;
  }
}

type Add = (what: string, example?: string | null) => void;

/** Their state is not in properties of theirs. */
const opaqueGlobals = new Set([
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
}

function methodName(parent: SyntaxNode | undefined): string | null {
  return parent?.type === 'Property' || parent?.type === 'MethodDefinition' ? memberName(parent) : null;
}

function addMemberUse(member: SyntaxNode, ancestors: readonly SyntaxNode[], add: Add): void {
  const object = member['object'] as SyntaxNode;
  const name = memberName(member);
  if (object.type === 'Super') {
    const method = ancestors[ancestors.lastIndexOf(functionAround(ancestors) as SyntaxNode) - 1];
    if (method?.type === 'Property') add('super in methods of object literals', name && `super.${name}`);
  }
  if (name !== null && opaqueGlobals.has(name)) add(`the use of ${name}`);
  if (isRegExpStatic(member, ancestors)) add('static members of RegExp', name);
}

function addVariableUse(node: SyntaxNode, ancestors: readonly SyntaxNode[], add: Add): void {
  if (!isReference(node, ancestors.at(-1))) return;
  const name = node['name'] as string;
  if (opaqueGlobals.has(name)) add(`the use of ${name}`);
  if (name === 'arguments' && !isStrict(ancestors) && escapesArguments(node, ancestors))
    add('the arguments object, held as a value');
  if (name === 'RegExp' && isRegExpStatic(node, ancestors)) add('static members of RegExp');
}

/** Arguments of strict functions are not tied to parameters: a snapshot keeps them as any object. */
function isStrict(ancestors: readonly SyntaxNode[]): boolean {
  return ancestors.some(
    ({ type, body, sourceType }) =>
      type === 'ClassBody' ||
      sourceType === 'module' ||
      [body, (body as SyntaxNode | undefined)?.['body']].some(
        list => Array.isArray(list) && list.some(one => (one as SyntaxNode)['directive'] === 'use strict'),
      ),
  );
}

function addTopLevelAwait(ancestors: readonly SyntaxNode[], add: Add): void {
  if (!ancestors.some(isFunction)) add(topLevelAwait);
}
