import { type Options, parse } from 'acorn';
import { createAssignedVariables } from './assigned-variables.ts';
import { createHiddenState } from './hidden-state.ts';
import { type SyntaxNode, walkSyntax } from './syntax-tree.ts';

/** How the browser compiles a text: inline event handlers are function bodies. */
export type ScriptKind = 'script' | 'module' | 'function-body';

/** What a snapshot of a page has to know of a script. */
export interface ScriptAnalysis {
  /**
   * The variables of this script that may be assigned to after their declaration; null when that can be any variable.
   * Says nothing of global variables: other scripts assign to those as well.
   */
  readonly assigned: ReadonlySet<string> | null;
  /** Why state of this script can lie where no snapshot reaches, in plain words; empty when none does. */
  readonly hidden: readonly string[];
  /** Whether an identifier is written with escapes, so that a search for its name in the source does not find it. */
  readonly escapedIdentifiers: boolean;
}

/** Reads a script with a real parser. A script that cannot be read may assign to anything and hide anything. */
export function analyseScript(source: string, kind: ScriptKind): ScriptAnalysis {
  try {
    return analyse(parseScript(source, kind), kind);
  } catch (cause) {
    // Deep nesting overflows the stack; everything else is a syntax error, also of syntax that the parser does not know yet.
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { assigned: null, hidden: [`a script that cannot be parsed (${reason})`], escapedIdentifiers: true };
  }
}

function analyse(program: SyntaxNode, kind: ScriptKind): ScriptAnalysis {
  const assigned = createAssignedVariables(kind);
  const hidden = createHiddenState();
  let escapedIdentifiers = false;
  walkSyntax(program, (node, ancestors) => {
    assigned.visit(node, ancestors);
    hidden.visit(node, ancestors);
    if (node.type === 'Identifier') escapedIdentifiers ||= node.end - node.start !== (node['name'] as string).length;
  });
  return { assigned: assigned.result(), hidden: hidden.reasons(), escapedIdentifiers };
}

function parseScript(source: string, kind: ScriptKind): SyntaxNode {
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType: kind === 'module' ? 'module' : 'script',
    allowReturnOutsideFunction: kind === 'function-body',
  };
  return parse(source, options) as unknown as SyntaxNode;
}
