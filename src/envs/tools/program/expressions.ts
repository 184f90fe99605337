import { callMethod, isTrue } from './methods.ts';
import type { Running, SyntaxNode } from './scope.ts';
import { isFunction, kindOf, ProgramError, textOf, type Meter, type ObjectValue, type Value } from './values.ts';

type Evaluate = (node: SyntaxNode, running: Running) => Value;

/** The value of an expression. Kinds of syntax that are not listed are refused. */
export function evaluate(node: SyntaxNode, running: Running): Value {
  running.meter.step();
  const rule = expressions.get(node.type);
  if (rule === undefined) throw new ProgramError(`Programs cannot use ${node.type} here.`);
  return running.meter.nested(() => rule(node, running));
}

const expressions: ReadonlyMap<string, Evaluate> = new Map<string, Evaluate>([
  ['Literal', literal],
  ['Identifier', (node, { scope }) => (node['name'] === 'undefined' ? undefined : scope.get(node['name'] as string))],
  ['TemplateLiteral', template],
  ['ArrayExpression', arrayOf],
  ['ObjectExpression', objectOf],
  ['UnaryExpression', unary],
  ['BinaryExpression', (node, running) => operate(node['operator'] as string, both(node, running), running.meter)],
  ['LogicalExpression', logical],
  [
    'ConditionalExpression',
    (node, running) =>
      evaluate(child(node, isTrue(evaluate(child(node, 'test'), running)) ? 'consequent' : 'alternate'), running),
  ],
  ['AssignmentExpression', assign],
  ['UpdateExpression', update],
  ['MemberExpression', (node, running) => member(evaluate(child(node, 'object'), running), keyOf(node, running))],
  ['CallExpression', call],
  ['ArrowFunctionExpression', (node, running) => running.makeFunction(node, running)],
  ['FunctionExpression', (node, running) => running.makeFunction(node, running)],
]);

export function child(node: SyntaxNode, name: string): SyntaxNode {
  return node[name] as SyntaxNode;
}

export function childrenOf(node: SyntaxNode, name: string): readonly (SyntaxNode | null)[] {
  return node[name] as readonly (SyntaxNode | null)[];
}

function literal(node: SyntaxNode, { meter }: Running): Value {
  const value = node['value'];
  if (typeof value === 'string') return meter.allocate(value);
  if (value === null && node['regex'] === undefined && node['bigint'] === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  throw new ProgramError('Programs cannot use regular expressions or big integers.');
}

function template(node: SyntaxNode, running: Running): Value {
  const parts = childrenOf(node, 'expressions').map(part => textOf(evaluate(given(part), running)));
  const texts = childrenOf(node, 'quasis').map(quasi => cookedOf(given(quasi)));
  return running.meter.allocate(texts.map((text, at) => text + (parts[at] ?? '')).join(''));
}

function cookedOf(quasi: SyntaxNode): string {
  return (quasi['value'] as { cooked: string }).cooked;
}

function arrayOf(node: SyntaxNode, running: Running): Value {
  return running.meter.allocate(childrenOf(node, 'elements').map(item => evaluate(given(item), running)));
}

/** A gap in an array is refused like any syntax that is not listed. */
function given(node: SyntaxNode | null): SyntaxNode {
  if (node === null) throw new ProgramError('Programs cannot leave out elements of an array.');
  return node;
}

function objectOf(node: SyntaxNode, running: Running): Value {
  const members = new Map<string, Value>();
  for (const property of childrenOf(node, 'properties')) {
    if (property?.type !== 'Property' || property['kind'] !== 'init' || property['method'] === true)
      throw new ProgramError('Objects in programs have plain members only.');
    const key = child(property, 'key');
    const name = property['computed'] === true ? textOf(evaluate(key, running)) : String(key['name'] ?? key['value']);
    members.set(ownName(name), evaluate(child(property, 'value'), running));
  }
  return running.meter.allocate(members);
}

function unary(node: SyntaxNode, running: Running): Value {
  const operator = node['operator'];
  const value = evaluate(child(node, 'argument'), running);
  if (operator === '!') return !isTrue(value);
  if (operator === '-') return -numberOf(value);
  if (operator === '+' && typeof value === 'string') return Number(value);
  if (operator === 'typeof') return value === null ? 'object' : kindOf(value) === 'array' ? 'object' : kindOf(value);
  throw new ProgramError(`Programs cannot use the operator ${String(operator)} on a value of type ${kindOf(value)}.`);
}

function both(node: SyntaxNode, running: Running): readonly [Value, Value] {
  return [evaluate(child(node, 'left'), running), evaluate(child(node, 'right'), running)];
}

function logical(node: SyntaxNode, running: Running): Value {
  const left = evaluate(child(node, 'left'), running);
  const operator = node['operator'];
  const isDecided =
    operator === '&&' ? !isTrue(left) : operator === '||' ? isTrue(left) : left !== null && left !== undefined;
  return isDecided ? left : evaluate(child(node, 'right'), running);
}

function operate(operator: string, [left, right]: readonly [Value, Value], meter: Meter): Value {
  if (operator === '===') return left === right;
  if (operator === '!==') return left !== right;
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string'))
    return meter.allocate(textOf(left) + textOf(right));
  const compare = comparisons.get(operator);
  if (compare !== undefined) {
    if (typeof left === 'string' && typeof right === 'string') return compare(left, right);
    return compare(numberOf(left), numberOf(right));
  }
  const calculate = calculations.get(operator);
  if (calculate === undefined) throw new ProgramError(`Programs cannot use the operator ${operator}.`);
  return calculate(numberOf(left), numberOf(right));
}

const comparisons: ReadonlyMap<string, (left: string | number, right: string | number) => boolean> = new Map([
  ['<', (left, right) => left < right],
  ['<=', (left, right) => left <= right],
  ['>', (left, right) => left > right],
  ['>=', (left, right) => left >= right],
]);

const calculations: ReadonlyMap<string, (left: number, right: number) => number> = new Map([
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['%', (left, right) => left % right],
]);

function numberOf(value: Value): number {
  if (typeof value !== 'number') throw new ProgramError(`Expected a number, but this is of type ${kindOf(value)}.`);
  return value;
}

function assign(node: SyntaxNode, running: Running): Value {
  const operator = (node['operator'] as string).slice(0, -1);
  const target = targetOf(child(node, 'left'), running);
  // What stands on the left is read before the right side runs.
  const before = operator === '' ? undefined : target.read();
  const right = evaluate(child(node, 'right'), running);
  const value = operator === '' ? right : operate(operator, [before, right], running.meter);
  target.write(value);
  return value;
}

function update(node: SyntaxNode, running: Running): Value {
  const target = targetOf(child(node, 'argument'), running);
  const before = numberOf(target.read());
  const next = node['operator'] === '++' ? before + 1 : before - 1;
  target.write(next);
  return node['prefix'] === true ? next : before;
}

/** A place that a value can be assigned to. */
interface Target {
  read(): Value;
  write(value: Value): void;
}

/** Works out the object and the key once, however often the place is used. */
function targetOf(node: SyntaxNode, running: Running): Target {
  const { scope, meter } = running;
  if (node.type === 'Identifier') {
    const name = node['name'] as string;
    return { read: () => evaluate(node, running), write: value => scope.set(name, value) };
  }
  if (node.type !== 'MemberExpression') throw new ProgramError('Programs can assign to names and members only.');
  const object = evaluate(child(node, 'object'), running);
  const key = keyOf(node, running);
  return { read: () => member(object, key), write: value => store({ object, key }, value, meter) };
}

function store({ object, key }: { object: Value; key: Value }, value: Value, meter: Meter): void {
  meter.grow(1);
  if (object instanceof Map) object.set(ownName(textOf(key)), value);
  else if (
    Array.isArray(object) &&
    typeof key === 'number' &&
    Number.isInteger(key) &&
    key >= 0 &&
    key <= object.length
  )
    object[key] = value;
  else throw new ProgramError(`A value of type ${kindOf(object)} has no member ${quoted(key)} to assign to.`);
}

function keyOf(node: SyntaxNode, running: Running): Value {
  const property = child(node, 'property');
  if (node['computed'] === true) return evaluate(property, running);
  if (property.type !== 'Identifier') throw new ProgramError('Programs have no private members.');
  return property['name'] as string;
}

/** A member of an object, an element of an array or a text, or a length: never anything inherited. */
function member(object: Value, key: Value): Value {
  if (object instanceof Map) return ownMember(object, textOf(key));
  if (Array.isArray(object) || typeof object === 'string') {
    if (key === 'length') return object.length;
    if (typeof key === 'number') return Number.isInteger(key) && key >= 0 ? object[key] : undefined;
  }
  throw new ProgramError(`A value of type ${kindOf(object)} has no member ${quoted(key)}.`);
}

/** Names that every object of JavaScript inherits. Programs would do something else there, so they are refused. */
const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

function ownMember(object: ObjectValue, name: string): Value {
  if (!object.has(name) && inheritedNames.has(name)) throw inherited(name);
  return object.get(name);
}

/** The name of a member that is written. A prototype cannot be set. */
function ownName(name: string): string {
  if (name === '__proto__') throw inherited(name);
  return name;
}

function inherited(name: string): ProgramError {
  return new ProgramError(`Objects of programs inherit no member "${name}". Use another name.`);
}

function quoted(key: Value): string {
  return JSON.stringify(textOf(key).slice(0, 40));
}

function call(node: SyntaxNode, running: Running): Value {
  const callee = child(node, 'callee');
  const values = (): Value[] => childrenOf(node, 'arguments').map(argument => evaluate(given(argument), running));
  if (callee.type === 'MemberExpression') {
    const object = evaluate(child(callee, 'object'), running);
    const key = textOf(keyOf(callee, running));
    if (!(object instanceof Map)) return callMethod(object, key, { given: values(), meter: running.meter });
    return applied(ownMember(object, key), values());
  }
  return applied(evaluate(callee, running), values());
}

function applied(callee: Value, values: readonly Value[]): Value {
  if (!isFunction(callee)) throw new ProgramError(`A value of type ${kindOf(callee)} cannot be called.`);
  return callee.call(values);
}
