import { nearest, suggestion } from '../../core/naming/closest.ts';
import { parseExpression, type Comparison, type Expression } from './parse.ts';
import { wrongExpression } from './tokens.ts';

export type ValueType = 'number' | 'text' | 'boolean';
export type Value = number | string | boolean;

/** The names that an expression may use, with their types. */
export type Vocabulary = ReadonlyMap<string, ValueType>;

/** The value of a name for one episode; null when the episode has none. */
type Lookup = (name: string) => Value | null;

/** A condition on episodes. */
export interface Condition {
  /** The expression as it was given. */
  readonly source: string;
  /** The names that it uses. */
  readonly names: readonly string[];
  /** Null when the answer depends on a value that the episode does not have: such an episode is not selected. */
  test(lookup: Lookup): boolean | null;
}

/** Reads a condition and checks it against the names and types that exist. */
export function readCondition(source: string, vocabulary: Vocabulary): Condition {
  const expression = parseExpression(source);
  const names = new Set<string>();
  const type = checkTypes(expression, { source, vocabulary, names });
  if (type !== 'boolean')
    throw wrongExpression(source, {
      at: expression.at,
      message: `the whole is a ${type}, not a condition`,
      expected: 'a comparison, such as steps <= 12',
    });
  return { source, names: [...names], test: lookup => evaluate(expression, lookup) as boolean | null };
}

interface Checking {
  readonly source: string;
  readonly vocabulary: Vocabulary;
  readonly names: Set<string>;
}

function checkTypes(expression: Expression, checking: Checking): ValueType {
  switch (expression.kind) {
    case 'value':
      return typeOfValue(expression.value);
    case 'name':
      return typeOfName(expression, checking);
    case 'known':
      checkTypes(expression.of, checking);
      return 'boolean';
    case 'not':
      requireType(expression.of, 'boolean', checking);
      return 'boolean';
    case 'and':
    case 'or':
      requireType(expression.left, 'boolean', checking);
      requireType(expression.right, 'boolean', checking);
      return 'boolean';
    case 'in': {
      const type = checkTypes(expression.of, checking);
      for (const item of expression.list) requireValue(item, type, checking);
      return 'boolean';
    }
    case 'compare': {
      const { operator, left, right } = expression;
      const type = checkTypes(left, checking);
      if (operator === '~') requireType(left, 'text', checking);
      else if (operator !== '=' && operator !== '!=') requireType(left, 'number', checking);
      requireValue(right, type, checking);
      return 'boolean';
    }
  }
}

/** What is expected beside a value of this type. */
const valueHints: Readonly<Record<ValueType, string>> = {
  number: 'a number, without quotes',
  text: 'a text in quotes',
  boolean: 'true or false, without quotes',
};

/** What a value is compared with. A word that is no name was meant as a text. */
function requireValue(expression: Expression, wanted: ValueType, checking: Checking): void {
  if (wanted === 'text' && expression.kind === 'name' && findType(expression.name, checking.vocabulary) === undefined)
    throw wrongExpression(checking.source, {
      at: expression.at,
      message: `there is no "${expression.name}"`,
      expected: `a text in quotes: '${expression.name}'`,
    });
  requireHinted({ expression, wanted, hint: valueHints[wanted] }, checking);
}

const partHints: Readonly<Record<ValueType, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'a condition such as steps <= 12',
};

function requireType(expression: Expression, wanted: ValueType, checking: Checking): void {
  requireHinted({ expression, wanted, hint: partHints[wanted] }, checking);
}

interface Required {
  readonly expression: Expression;
  readonly wanted: ValueType;
  readonly hint: string;
}

function requireHinted({ expression, wanted, hint }: Required, checking: Checking): void {
  const type = checkTypes(expression, checking);
  if (type === wanted) return;
  const what = expression.kind === 'name' ? `${expression.name} is a ${type}` : `a ${type}`;
  throw wrongExpression(checking.source, { at: expression.at, message: what, expected: hint });
}

/** There are hundreds of names: an error shows the nearest. */
const shownNames = 5;

function typeOfName({ name, at }: { name: string; at: number }, { source, vocabulary, names }: Checking): ValueType {
  const type = findType(name, vocabulary);
  if (type === undefined) {
    const known = [...vocabulary.keys()];
    throw wrongExpression(source, {
      at,
      message: `there is no "${name}".${suggestion(name, known)}`.replace(/\.$/, ''),
      expected: `a name such as ${nearest(name, known, shownNames).join(', ')}; espalier list signals shows all signals`,
    });
  }
  names.add(name);
  return type;
}

function findType(name: string, vocabulary: Vocabulary): ValueType | undefined {
  return vocabulary.get(name) ?? (ownLabel(name, vocabulary) ? 'number' : undefined);
}

/** A module that does not declare its labels may be asked for any: `signal.mine.*` stands for them. */
function ownLabel(name: string, vocabulary: Vocabulary): boolean {
  const [first, signal, label] = name.split('.');
  return label !== undefined && vocabulary.has(`${first}.${signal}.*`);
}

function typeOfValue(value: Value): ValueType {
  return typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean');
}

/** With three truth values: what is not known stays so, unless the rest decides. */
function evaluate(expression: Expression, lookup: Lookup): Value | null {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'name':
      return lookup(expression.name);
    case 'known':
      return evaluate(expression.of, lookup) !== null;
    case 'not': {
      const inner = evaluate(expression.of, lookup);
      return inner === null ? null : !(inner as boolean);
    }
    case 'and':
    case 'or':
      return connect(expression, lookup);
    case 'in': {
      const value = evaluate(expression.of, lookup);
      if (value === null) return null;
      const items = new Set(expression.list.map(item => evaluate(item, lookup)));
      return items.has(value) || (items.has(null) ? null : false);
    }
    case 'compare': {
      const left = evaluate(expression.left, lookup);
      const right = evaluate(expression.right, lookup);
      return left === null || right === null ? null : compare(left, expression.operator, right);
    }
  }
}

function connect({ kind, left, right }: Extract<Expression, { kind: 'and' | 'or' }>, lookup: Lookup): boolean | null {
  const decisive = kind === 'or';
  const first = evaluate(left, lookup);
  if (first === decisive) return decisive;
  const second = evaluate(right, lookup);
  if (second === decisive) return decisive;
  return first === null || second === null ? null : !decisive;
}

function compare(left: Value, operator: Comparison, right: Value): boolean {
  switch (operator) {
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '~':
      return String(left).toLowerCase().includes(String(right).toLowerCase());
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}
