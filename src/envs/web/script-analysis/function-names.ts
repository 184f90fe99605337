import type { ClassHome, KnownNames, ScopeOwner } from '../page-program/page-records.ts';
import { isNode, type SyntaxNode } from './syntax-tree.ts';

/** What one function uses of the variables around it: what its page is told of it, and what is needed to enter it. */
export interface FunctionNames {
  readonly told: Required<Omit<KnownNames, 'script'>>;
  /** Those that cannot be reached from within the function: its body has others of these names. */
  readonly covered: readonly string[];
  /** Names at the top of the script that cannot be seen from within the function. */
  readonly hides: readonly string[];
  /** By mark, all variables of a scope around it that change and can be seen from within it. */
  readonly visible: ReadonlyMap<string, readonly string[]>;
  /** Where its body begins, in its script: by then it has worked out its parameters. Null where that tells nothing. */
  readonly body: LinePlace | null;
}

export interface LinePlace {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** A class, as the functions in it know it. */
export interface Home extends ClassHome {
  /** All private names that it declares. */
  readonly declared: ReadonlySet<string>;
}

export interface Binding {
  isAssigned: boolean;
  /** How many declarations give it a value. */
  inits: number;
  readonly isLate: boolean;
  readonly scope: Scope;
  /** Whether it is a function that is made with its scope, so that it tells one such scope from another. */
  isMark: boolean;
  /** Whether a function within uses it. */
  isCaptured: boolean;
  /** Declared at the top of the script. */
  readonly isTop: boolean;
  /** Whether the name may mean a variable further out after all: a function in a block of a sloppy script. */
  isDoubtful: boolean;
}

/** A function or class, with the variables around it that something in it uses. */
export interface Run {
  readonly start: number;
  /** Where its parameters have ended for certain. */
  readonly until: number;
  /** Where something in its body runs first; null where that belongs to another function, or when it may lack arguments. */
  readonly entry: number | null;
  readonly end: number;
  readonly free: Map<string, Binding>;
  /** What its body declares apart from its parameters. */
  readonly bodies: ReadonlyMap<string, Binding>[];
  /** Where what it declares itself stands. */
  scope: Scope | null;
  /** Classes around it whose private members it uses, and those whose `super`. */
  readonly privates: Set<Home>;
  readonly supers: Set<Home>;
  /** Set on a class. */
  readonly home: Home | null;
  /** Whether it is an arrow function that uses the `this` of the function around it. */
  usesThis: boolean;
}

export interface Scope {
  readonly parent: Scope | null;
  readonly names: Map<string, Binding>;
  /** The scope that `var` declares in. */
  readonly outer: Scope;
  /** Set on the outermost scope of a function or class. */
  readonly run: Run | null;
  /** Set on the scope of a function that is no arrow: the names of its parameters. */
  readonly parameters: readonly string[] | null;
  readonly isLate: boolean;
  readonly isStrict: boolean;
  /** Set on the scope of a class. */
  readonly home: Home | null;
  /** Whether each turn of a loop has a copy: what is in them does not tell one from another. */
  readonly isCopied: boolean;
  shared: SharedNames | null;
}

const tailLength = 24;

export const tailOf = ({ start, end }: Run, source: string): string =>
  source.slice(Math.max(start, end - tailLength), end);

export function namesOf(run: Run, source: string): Omit<FunctionNames, 'body'> {
  const { free, bodies, privates, supers, home, usesThis } = run;
  const names = [...free];
  const having = (isWanted: (binding: Binding) => boolean): readonly string[] =>
    names.filter(([, binding]) => isWanted(binding)).map(([name]) => name);
  const owners = ownersOf(run);
  return {
    told: {
      uses: names.map(([name]) => name),
      assigned: having(isChanging),
      // An async function or a generator may still have to declare it: nothing there need not be final.
      late: having(({ isLate }) => isLate),
      atTop: having(({ isTop }) => isTop),
      owners: owners.map(({ mark, names: its }) => ({ mark, names: its })),
      privates: [...privates].map(one => ({ ...asClassHome(one), isCovered: isCovered(run, one) })),
      supers: [...supers].map(asClassHome),
      home: home && asClassHome(home),
      usesThis,
      tail: tailOf(run, source),
    },
    // Whoever stops in the function finds the variable of the body instead.
    covered: names.map(([name]) => name).filter(name => bodies.some(declared => declared.has(name))),
    hides: [...namesWithin(run, topAbove(run))],
    visible: new Map(owners.map(({ mark, visible }) => [mark, visible])),
  };
}

const asClassHome = ({ offset, fields, isSingle }: Home): ClassHome => ({ offset, fields, isSingle });

export const isChanging = ({ isAssigned, inits }: Binding): boolean => isAssigned || inits > 1;

/** The scopes around a function that it uses changing variables of, each with a function by which one is told from another. */
function ownersOf(run: Run): readonly (ScopeOwner & { readonly visible: readonly string[] })[] {
  const used = [...run.free].filter(([, one]) => isChanging(one) && !one.isTop);
  return [...new Set(used.map(([, { scope }]) => scope))].flatMap(scope => {
    const hidden = namesWithin(run, scope);
    const { marks, changing } = sharedNames(scope);
    const mark = marks.find(name => !hidden.has(name));
    if (mark === undefined) return [];
    const names = used.filter(([, one]) => one.scope === scope).map(([name]) => name);
    return [{ mark, names, visible: changing.filter(name => !hidden.has(name)) }];
  });
}

interface SharedNames {
  /** Functions that tell one such scope from another. Long names come first: short ones are often hidden. */
  readonly marks: readonly string[];
  readonly changing: readonly string[];
}

/** What functions share of a scope around them; worked out once. */
function sharedNames(scope: Scope): SharedNames {
  if (scope.shared !== null) return scope.shared;
  const captured = [...scope.names].filter(([, { isCaptured }]) => isCaptured);
  const isFixed = (one: Binding): boolean => one.isMark && !isChanging(one) && !one.isDoubtful;
  scope.shared = {
    marks: captured
      .filter(([, one]) => isFixed(one))
      .map(([name]) => name)
      .toSorted((one, other) => other.length - one.length),
    changing: captured.filter(([, one]) => isChanging(one)).map(([name]) => name),
  };
  return scope.shared;
}

/** Whether a class in between has a private member of the same name. */
function isCovered({ scope }: Run, home: Home): boolean {
  for (let at = scope; at !== null && at.home !== home; at = at.parent)
    if (home.fields.some(name => at?.home?.declared.has(name) === true)) return true;
  return false;
}

/** What a function, and those around it up to this scope, declare: names further out that are called so are not seen from there. */
function namesWithin({ scope, bodies }: Run, outer: Scope | null): ReadonlySet<string> {
  const names = new Set(bodies.flatMap(declared => [...declared.keys()]));
  for (let at = scope; at !== null && at !== outer; at = at.parent) for (const name of at.names.keys()) names.add(name);
  return names;
}

function topAbove({ scope }: Run): Scope | null {
  let at = scope;
  while (at !== null && at.parent !== null) at = at.parent;
  return at;
}

/** The class that a private name, or else `super`, belongs to. */
export function homeAbove(scope: Scope, name: string | null): Home | null {
  for (let at: Scope | null = scope; at !== null; at = at.parent)
    if (at.home !== null && (name === null || at.home.declared.has(name))) return at.home;
  return null;
}

/** A class is made once where it stands at the top of a module, in no loop. */
export function homeOf(node: SyntaxNode, around: Scope, inLoop: boolean): Home {
  const members = (node['body'] as SyntaxNode)['body'] as readonly SyntaxNode[];
  const named = members.filter(({ key }) => isNode(key) && key.type === 'PrivateIdentifier');
  const nameOf = ({ key }: SyntaxNode): string => (key as SyntaxNode)['name'] as string;
  let isSingle = !inLoop;
  for (let at: Scope | null = around; at !== null; at = at.parent) isSingle &&= at.run === null;
  return {
    offset: node.start,
    isSingle,
    fields: named.filter(({ type }) => type === 'PropertyDefinition').map(nameOf),
    declared: new Set(named.map(nameOf)),
  };
}
