import { child, childrenOf, evaluate } from './expressions.ts';
import { isTrue } from './methods.ts';
import { createScope, type Running, type SyntaxNode } from './scope.ts';
import { kindOf, ProgramError, type FunctionValue, type Value } from './values.ts';

/** How a statement ended; null when the next one follows. */
export type Completion =
  | { readonly kind: 'break' | 'continue' }
  | { readonly kind: 'return'; readonly value: Value }
  | null;

type Execute = (node: SyntaxNode, running: Running) => Completion;

/** Carries out a statement. Kinds of syntax that are not listed are refused. */
function execute(node: SyntaxNode, running: Running): Completion {
  running.meter.step();
  const rule = statements.get(node.type);
  if (rule === undefined) throw new ProgramError(`Programs cannot use ${node.type}.`);
  return running.meter.nested(() => rule(node, running));
}

const statements: ReadonlyMap<string, Execute> = new Map<string, Execute>([
  ['EmptyStatement', () => null],
  [
    'ExpressionStatement',
    (node, running) => {
      evaluate(child(node, 'expression'), running);
      return null;
    },
  ],
  ['VariableDeclaration', declare],
  ['BlockStatement', (node, running) => runBlock(childrenOf(node, 'body'), inner(running))],
  ['IfStatement', choose],
  ['ForStatement', (node, running) => loop(node, inner(running))],
  ['WhileStatement', (node, running) => loop(node, running)],
  ['ForOfStatement', loopOver],
  ['BreakStatement', node => jump(node, 'break')],
  ['ContinueStatement', node => jump(node, 'continue')],
  [
    'ReturnStatement',
    (node, running) => ({
      kind: 'return',
      value: node['argument'] === null ? undefined : evaluate(child(node, 'argument'), running),
    }),
  ],
  ['FunctionDeclaration', () => null],
]);

function inner(running: Running): Running {
  return { ...running, scope: createScope(running.meter, running.scope) };
}

/** Functions are declared first, so that they can be called before they stand; other names are reserved. */
export function runBlock(body: readonly (SyntaxNode | null)[], running: Running): Completion {
  for (const node of body) if (node?.type === 'VariableDeclaration') reserve(node, running);
  for (const node of body)
    if (node?.type === 'FunctionDeclaration')
      running.scope.declare(child(node, 'id')['name'] as string, runFunction(node, running), true);
  for (const node of body) {
    const completion = node === null ? null : execute(node, running);
    if (completion !== null) return completion;
  }
  return null;
}

function nameIn(pattern: SyntaxNode): string {
  if (pattern.type !== 'Identifier') throw new ProgramError(`Programs cannot use ${pattern.type}: declare one name.`);
  if (pattern['name'] === 'undefined') throw new ProgramError('Programs cannot declare undefined.');
  return pattern['name'] as string;
}

function reserve(node: SyntaxNode, { scope }: Running): void {
  for (const name of namesDeclared(node)) scope.reserve(name);
}

function namesDeclared(node: SyntaxNode): string[] {
  return childrenOf(node, 'declarations').map(declarator => nameIn((declarator as SyntaxNode)['id'] as SyntaxNode));
}

function declare(node: SyntaxNode, running: Running): Completion {
  if (node['kind'] === 'var') throw new ProgramError('Programs declare names with let and const, not var.');
  for (const declarator of childrenOf(node, 'declarations')) {
    const { id, init } = declarator as SyntaxNode;
    const value = init === null ? undefined : evaluate(init as SyntaxNode, running);
    running.scope.declare(nameIn(id as SyntaxNode), value, node['kind'] === 'const');
  }
  return null;
}

function choose(node: SyntaxNode, running: Running): Completion {
  if (isTrue(evaluate(child(node, 'test'), running))) return execute(child(node, 'consequent'), running);
  return node['alternate'] === null ? null : execute(child(node, 'alternate'), running);
}

function jump(node: SyntaxNode, kind: 'break' | 'continue'): Completion {
  if (node['label'] !== null) throw new ProgramError('Programs cannot use labels.');
  return { kind };
}

/** `while` has no start and no update. */
function loop(node: SyntaxNode, running: Running): Completion {
  const { init = null, test = null, update = null } = node as { [part: string]: SyntaxNode | null | undefined };
  let turn = running;
  if (init?.type === 'VariableDeclaration') {
    reserve(init, turn);
    declare(init, turn);
  } else if (init !== null) evaluate(init, turn);
  // Every turn has names of its own: a function keeps those of the turn that made it.
  const names = init?.type === 'VariableDeclaration' && init['kind'] === 'let' ? namesDeclared(init) : [];
  const next = (): Running => {
    if (names.length === 0) return turn;
    const following = inner(running);
    for (const name of names) following.scope.declare(name, turn.scope.get(name), false);
    return following;
  };
  turn = next();
  const goesOn = (): boolean => test === null || isTrue(evaluate(test, turn));
  while (goesOn()) {
    running.meter.step();
    const completion = execute(child(node, 'body'), turn);
    if (completion?.kind === 'break') return null;
    if (completion?.kind === 'return') return completion;
    turn = next();
    if (update !== null) evaluate(update, turn);
  }
  return null;
}

function loopOver(node: SyntaxNode, running: Running): Completion {
  const left = child(node, 'left');
  if (left.type !== 'VariableDeclaration' || node['await'] === true)
    throw new ProgramError('Expected for (const name of array).');
  const around = inner(running);
  reserve(left, around);
  const items = evaluate(child(node, 'right'), around);
  if (!Array.isArray(items))
    throw new ProgramError(`Expected an array to go through, but this is of type ${kindOf(items)}.`);
  const name = namesDeclared(left)[0] as string;
  for (const item of items) {
    running.meter.step();
    const turn = inner(running);
    turn.scope.declare(name, item, left['kind'] === 'const');
    const completion = execute(child(node, 'body'), turn);
    if (completion?.kind === 'break') return null;
    if (completion?.kind === 'return') return completion;
  }
  return null;
}

/** The function that a node declares. */
export function runFunction(node: SyntaxNode, running: Running): FunctionValue {
  if (node['async'] === true || node['generator'] === true)
    throw new ProgramError('Programs are synchronous: no async functions, no generators.');
  const names = childrenOf(node, 'params').map(parameter => nameIn(parameter as SyntaxNode));
  const body = child(node, 'body');
  running.meter.grow(1);
  return {
    type: 'function',
    call: given =>
      running.meter.nested(() => {
        const called = inner(running);
        for (const [at, name] of names.entries()) called.scope.declare(name, given[at], false);
        if (node['expression'] === true) return evaluate(body, called);
        const completion = runBlock(childrenOf(body, 'body'), called);
        return completion?.kind === 'return' ? completion.value : undefined;
      }),
  };
}
