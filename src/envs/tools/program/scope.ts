import { ProgramError, type FunctionValue, type Meter, type Value } from './values.ts';

/** A node of a parsed program, as acorn builds it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Where a program stands. */
export interface Running {
  readonly scope: Scope;
  readonly meter: Meter;
  makeFunction(node: SyntaxNode, running: Running): FunctionValue;
}

/** The names that a block of a program declares, inside those of the blocks around it. */
export interface Scope {
  /** A name that the block declares further down: until then it cannot be used. */
  reserve(name: string): void;
  get(name: string): Value;
  set(name: string, value: Value): void;
  declare(name: string, value: Value, isConstant: boolean): void;
}

interface Binding {
  value: Value;
  readonly isConstant: boolean;
}

const reserved = Symbol('reserved');

export function createScope(meter: Meter, outer: Scope | null): Scope {
  const own = new Map<string, Binding | typeof reserved>();
  const find = (name: string): Binding | undefined => {
    const binding = own.get(name);
    if (binding === reserved) throw new ProgramError(`"${name}" is used before it is declared.`);
    return binding;
  };
  return {
    reserve: name => own.set(name, reserved),
    get(name) {
      const binding = find(name);
      if (binding !== undefined) return binding.value;
      if (outer === null) throw new ProgramError(`"${name}" is not defined.`);
      return outer.get(name);
    },
    set(name, value) {
      const binding = find(name);
      if (binding === undefined && outer === null) throw new ProgramError(`"${name}" is not defined.`);
      if (binding === undefined) outer?.set(name, value);
      else if (binding.isConstant) throw new ProgramError(`"${name}" is a constant.`);
      else binding.value = value;
    },
    declare(name, value, isConstant) {
      if (own.has(name) && own.get(name) !== reserved) throw new ProgramError(`"${name}" is declared already.`);
      meter.grow(1);
      own.set(name, { value, isConstant });
    },
  };
}
