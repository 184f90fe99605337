import type { ClassHome, KnownNames } from '../page-program/page-records.ts';
import { isNode, type SyntaxNode } from './syntax-tree.ts';

/** What one function uses of the variables around it. */
export type FunctionNames = Required<Omit<KnownNames, 'script'>>;

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
}

const tailLength = 24;

export const tailOf = ({ start, end }: Run, source: string): string =>
  source.slice(Math.max(start, end - tailLength), end);

export function namesOf(run: Run, source: string): FunctionNames {
  const { free, bodies, privates, supers, home, usesThis } = run;
  const hides = namesAround(run);
  const names = [...free];
  const having = (isWanted: (binding: Binding) => boolean): readonly string[] =>
    names.filter(([, binding]) => isWanted(binding)).map(([name]) => name);
  return {
    uses: names.map(([name]) => name),
    assigned: having(isChanging),
    // An async function or a generator may still have to declare it: nothing there need not be final.
    late: having(({ isLate }) => isLate),
    atTop: having(({ isTop }) => isTop),
    // Whoever stops in the function finds the variable of the body instead.
    covered: names.map(([name]) => name).filter(name => bodies.some(declared => declared.has(name))),
    hides,
    owners: ownersOf(run, new Set(hides)),
    privates: [...privates].map(one => ({ ...asClassHome(one), isCovered: isCovered(run, one) })),
    supers: [...supers].map(asClassHome),
    home: home && asClassHome(home),
    usesThis,
    tail: tailOf(run, source),
  };
}

const asClassHome = ({ offset, fields, isSingle }: Home): ClassHome => ({ offset, fields, isSingle });

export const isChanging = ({ isAssigned, inits }: Binding): boolean => isAssigned || inits > 1;

/** The scopes around a function that it uses changing variables of, each with a function by which one is told from another. */
function ownersOf({ free }: Run, hidden: ReadonlySet<string>): NonNullable<KnownNames['owners']> {
  const scopes = new Set([...free.values()].filter(one => isChanging(one) && !one.isTop).map(({ scope }) => scope));
  return [...scopes].flatMap(scope => {
    const names = [...scope.names].filter(([name]) => free.get(name)?.scope === scope || !hidden.has(name));
    const isUnique = ([, one]: (typeof names)[number]): boolean =>
      one.isMark && one.isCaptured && !isChanging(one) && !one.isDoubtful;
    const [mark] = names.find(isUnique) ?? [];
    const changing = names.filter(([, one]) => isChanging(one) && one.isCaptured).map(([name]) => name);
    return mark === undefined ? [] : [{ mark, names: changing }];
  });
}

/** Whether a class in between has a private member of the same name. */
function isCovered({ scope }: Run, home: Home): boolean {
  for (let at = scope; at !== null && at.home !== home; at = at.parent)
    if (home.fields.some(name => at?.home?.declared.has(name) === true)) return true;
  return false;
}

/** What a function, and those around it, declare: names at the top of the script that are called so are not seen from there. */
function namesAround({ scope, bodies }: Run): readonly string[] {
  const names = new Set(bodies.flatMap(declared => [...declared.keys()]));
  for (let at = scope; at !== null && at.parent !== null; at = at.parent)
    for (const name of at.names.keys()) names.add(name);
  return [...names];
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
