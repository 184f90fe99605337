import { type Options, parse } from 'acorn';
import { createAssignedVariables, isDirectEval } from './assigned-variables.ts';
import { type Bindings, readBindings } from './bindings.ts';
import { createHiddenState } from './hidden-state.ts';
import { callsWhileDeclaring, type ModuleMember } from './inert-modules.ts';
import { onceMade } from './once-made.ts';
import { isNode, type SyntaxNode, textOf, walkSyntax } from './syntax-tree.ts';

/** How the browser compiles a text: inline event handlers are function bodies. */
export type ScriptKind = 'script' | 'module' | 'function-body';

/** What a snapshot of a page has to know of a script. */
export interface ScriptAnalysis {
  /**
   * The variables of this script that may be assigned to after their declaration; null when that can be any variable.
   * Says nothing of global variables: other scripts assign to those as well.
   */
  readonly assigned: ReadonlySet<string> | null;
  /** Which variable each name stands for; null where that cannot be said. */
  readonly bindings: Bindings | null;
  /** Why state of this script can lie where no snapshot reaches, in plain words; empty when none does. */
  readonly hidden: readonly string[];
  readonly modules: ModuleUse;
  /** Whether it calls `eval` by its name: what is evaluated then can assign to all its variables, and add others. */
  readonly callsEval: boolean;
  /** Whether an identifier is written with escapes, so that a search for its name in the source does not find it. */
  readonly escapedIdentifiers: boolean;
}

/** Which other modules a script asks for, and when. */
export interface ModuleUse {
  /** With it. */
  readonly now: readonly string[];
  /** Later, by `import()` with a name that is written out. */
  readonly later: readonly string[];
  /**
   * What it calls of others, where it does nothing else but declare: when it is loaded does not matter if they give the same
   * at any time. Null where it does more.
   */
  readonly calls: readonly ModuleMember[] | null;
  /** What it exports that gives the same whenever it is called. */
  readonly onceMade: readonly string[];
}

/** Reads a script with a real parser. A script that cannot be read may assign to anything and hide anything. */
export function analyseScript(source: string, kind: ScriptKind): ScriptAnalysis {
  try {
    return analyse(parseScript(source, kind), source, kind);
  } catch (cause) {
    // Deep nesting overflows the stack; everything else is a syntax error, also of syntax that the parser does not know yet.
    const reason = cause instanceof Error ? cause.message : String(cause);
    const hidden = [`a script that cannot be parsed (${reason})`];
    const modules = { now: [], later: [], calls: null, onceMade: [] };
    return { assigned: null, bindings: null, hidden, modules, callsEval: true, escapedIdentifiers: true };
  }
}

function analyse(program: SyntaxNode, source: string, kind: ScriptKind): ScriptAnalysis {
  const assigned = createAssignedVariables(kind);
  const hidden = createHiddenState();
  const [now, later]: [string[], string[]] = [[], []];
  let [escapedIdentifiers, callsEval] = [false, false];
  walkSyntax(program, (node, ancestors) => {
    const name = isNode(node['source']) ? textOf(node['source']) : null;
    if (name !== null) (node.type === 'ImportExpression' ? later : now).push(name);
    callsEval ||= isDirectEval(node);
    assigned.visit(node, ancestors);
    hidden.visit(node, ancestors);
    if (node.type === 'Identifier') escapedIdentifiers ||= node.end - node.start !== (node['name'] as string).length;
  });
  const names = assigned.result();
  const bindings = names === null ? null : readBindings(program, source);
  const modules = { now, later, calls: callsWhileDeclaring(program, source), onceMade: onceMade(program, source) };
  return { assigned: names, bindings, hidden: hidden.reasons(), modules, callsEval, escapedIdentifiers };
}

function parseScript(source: string, kind: ScriptKind): SyntaxNode {
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType: kind === 'module' ? 'module' : 'script',
    allowReturnOutsideFunction: kind === 'function-body',
  };
  return parse(source, options) as unknown as SyntaxNode;
}
