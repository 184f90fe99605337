import { type BindingWalk, type Use, walkBindings } from './binding-walk.ts';
import {
  type Binding,
  type FunctionNames,
  homeAbove,
  isChanging,
  type LinePlace,
  namesOf,
  type Run,
  type Scope,
  tailOf,
} from './function-names.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** Which variable each name of a script stands for. */
export interface Bindings {
  /** The variables at the top of a module, which there is once; null for any other script. */
  readonly top: ModuleTop | null;
  /** The function whose parameters, or the class whose body, stand at this place of the script; null when there is none. */
  at(line: number, column: number): FunctionNames | null;
}

/** What a module declares at its top. */
export interface ModuleTop {
  readonly names: readonly string[];
  /** Functions that use nothing but those names: their own, and how they end. */
  readonly plain: readonly { readonly name: string; readonly tail: string }[];
}

/** Follows the scopes of the language. A script with `with` has no answer here; what `eval` does is not counted. */
export function readBindings(program: SyntaxNode, source: string): Bindings {
  const walk = walkBindings(program);
  noteAssigned(walk);
  noteUses(walk);
  noteClasses(walk);
  const breaks = source.matchAll(/\r\n|[\n\r\u2028\u2029]/g);
  const lines = [0, ...Array.from(breaks, ({ 0: end, index }) => index + end.length)];
  const placeOf = (offset: number): LinePlace => {
    const lineNumber = lines.findLastIndex(start => start <= offset);
    return { lineNumber, columnNumber: offset - (lines[lineNumber] as number) };
  };
  const sorted = walk.runs.toSorted((one, other) => one.start - other.start);
  const known = new Map<Run, FunctionNames>();
  const namesIn = (run: Run): FunctionNames => {
    const names = known.get(run) ?? { ...namesOf(run, source), body: run.entry === null ? null : placeOf(run.entry) };
    known.set(run, names);
    return names;
  };
  return {
    top: walk.isModule ? topOf(walk, source) : null,
    at(line, column) {
      const offset = (lines[line] ?? source.length) + column;
      let found: Run | null = null;
      // The innermost one begins last.
      for (const run of sorted) {
        if (run.start > offset) break;
        if (offset <= run.until) found = run;
      }
      return found === null ? null : namesIn(found);
    },
  };
}

/** The scopes that a name may be declared in, as seen from another one; nearly always there is one at most. */
function ownersOf({ name, scope }: Use): readonly Scope[] {
  const owners: Scope[] = [];
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const binding = at.names.get(name);
    if (binding === undefined) continue;
    owners.push(at);
    if (!binding.isDoubtful) break;
  }
  return owners;
}

function noteAssigned({ writes, inits, uses }: BindingWalk): void {
  for (const use of writes) for (const { names } of ownersOf(use)) (names.get(use.name) as Binding).isAssigned = true;
  for (const use of inits)
    for (const owner of ownersOf(use))
      if (owner !== use.scope.outer) (owner.names.get(use.name) as Binding).isAssigned = true;
  for (const { name, scope } of uses) if (name === 'arguments') assignParameters(scope);
}

/** `arguments[0] = value` assigns to the first parameter. */
function assignParameters(scope: Scope): void {
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    if (at.parameters === null) continue;
    for (const name of at.parameters) (at.names.get(name) as Binding).isAssigned = true;
    return;
  }
}

/** Tells every function what it uses of the scopes around it. */
function noteUses({ uses }: BindingWalk): void {
  for (const use of uses) {
    let at = use.scope;
    for (const owner of ownersOf(use)) {
      const binding = owner.names.get(use.name) as Binding;
      for (; at !== owner; at = at.parent as Scope) {
        at.run?.free.set(use.name, binding);
        binding.isCaptured ||= at.run !== null;
      }
    }
  }
}

/** Tells every function which classes around it, and which `this`, it uses. */
function noteClasses({ privateUses, thisUses, superUses }: BindingWalk): void {
  for (const { name, scope } of privateUses)
    for (let at: Scope | null = scope; at !== null && at.home?.declared.has(name) !== true; at = at.parent) {
      const home = homeAbove(at, name);
      if (home !== null) at.run?.privates.add(home);
    }
  for (const scope of thisUses) {
    const arrows: Run[] = [];
    let at: Scope | null = scope;
    for (; at !== null && at.parameters === null && at.home === null; at = at.parent)
      if (at.run !== null) arrows.push(at.run);
    // At the top it is nothing, or the window.
    if (at !== null) for (const run of arrows) run.usesThis = true;
  }
  for (const scope of superUses) {
    const home = homeAbove(scope, null);
    for (let at: Scope | null = scope; at !== null && at.home !== home; at = at.parent)
      if (home !== null) at.run?.supers.add(home);
  }
}

function topOf({ top, functionsAtTop }: BindingWalk, source: string): ModuleTop {
  const isPlain = ({ privates, supers, free }: Run): boolean =>
    privates.size === 0 && supers.size === 0 && [...free.values()].every(({ isTop }) => isTop);
  const plain = functionsAtTop
    .filter(({ name, run }) => !isChanging(top.names.get(name) as Binding) && isPlain(run))
    .map(({ name, run }) => ({ name, tail: tailOf(run, source) }));
  return { names: [...top.names.keys()], plain };
}
