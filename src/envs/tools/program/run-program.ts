import { parse, tokenizer } from 'acorn';
import type { Json } from '../../../core/json.ts';
import { createScope, type SyntaxNode } from './scope.ts';
import { runBlock, runFunction } from './statements.ts';
import {
  createMeter,
  fromJson,
  programLimits,
  ProgramError,
  toJson,
  type ProgramLimits,
  type Value,
} from './values.ts';

export interface ProgramOptions {
  /** What the program can call, by name. A tool gets JSON and returns a text or a truth value. */
  readonly tools: readonly string[];
  call(tool: string, input: Json): string | boolean;
  /** Constants of the program, by name. */
  readonly values?: Readonly<Record<string, Json>>;
  readonly limits?: ProgramLimits;
}

/**
 * Runs a program in a small part of JavaScript: synchronous, deterministic, bounded, and with nothing of the host in
 * reach. Throws a ProgramError when the program is wrong or takes too much.
 */
export function runProgram(source: string, { limits = programLimits, ...options }: ProgramOptions): Json {
  return readProgram(source, limits)(options);
}

/** Reads a program once, to run it many times. Each run has limits of its own and sees nothing of another. */
export function readProgram(
  source: string,
  limits: ProgramLimits = programLimits,
): (options: Omit<ProgramOptions, 'limits'>) => Json {
  if (source.length > limits.source)
    throw new ProgramError(`Expected at most ${limits.source} characters, but the program has ${source.length}.`);
  const body = parsed(source, limits.depth);
  return ({ tools, call, values = {} }) => {
    const meter = createMeter(limits);
    const globals = createScope(meter, null);
    for (const tool of tools) {
      const invoke = ([input, ...more]: readonly Value[]): Value => {
        if (more.length > 0) throw new ProgramError(`${tool} takes one object, with its parameters as members.`);
        return call(tool, toJson(input, meter));
      };
      globals.declare(tool, { type: 'function', call: invoke }, true);
    }
    for (const [name, value] of Object.entries(values)) globals.declare(name, fromJson(value), true);
    try {
      const completion = runBlock(body, { scope: createScope(meter, globals), meter, makeFunction: runFunction });
      return toJson(completion?.kind === 'return' ? completion.value : undefined, meter);
    } catch (cause) {
      throw cause instanceof RangeError ? tooDeep() : cause;
    }
  };
}

/** Modules are in strict mode. */
const syntax = { ecmaVersion: 2022, sourceType: 'module', allowReturnOutsideFunction: true } as const;
const deepestBrackets = 60;

/** What is too deep is refused here, before the size of the stack could decide. */
function parsed(source: string, deepest: number): readonly SyntaxNode[] {
  try {
    let depth = 0;
    for (const { type } of tokenizer(source, syntax)) {
      if (opening.has(type.label)) depth++;
      else if (closing.has(type.label)) depth--;
      if (depth > deepestBrackets) throw tooDeep();
    }
    const { body } = parse(source, syntax);
    checkDepth(body, deepest);
    return body as unknown as readonly SyntaxNode[];
  } catch (cause) {
    if (cause instanceof ProgramError) throw cause;
    const message = cause instanceof Error ? cause.message : 'unknown error';
    if (cause instanceof RangeError || message.includes('stack space')) throw tooDeep();
    throw new ProgramError(`The program cannot be read: ${message}.`);
  }
}

const opening: ReadonlySet<string> = new Set(['(', '[', '{', '${']);
const closing: ReadonlySet<string> = new Set([')', ']', '}']);

function checkDepth(node: unknown, left: number): void {
  if (typeof node !== 'object' || node === null) return;
  if (left === 0) throw tooDeep();
  for (const part of Object.values(node)) checkDepth(part, Array.isArray(node) ? left : left - 1);
}

function tooDeep(): ProgramError {
  return new ProgramError('The program is nested too deeply.');
}
