import type { UiNode } from '../../core/ui.ts';

/** What was tried last in a world where programs, queries or the like are tried. */
export interface LastTry {
  /** `query`, `program`: what is tried. */
  readonly what: string;
  readonly text: string;
  readonly result: string;
}

/** A page that shows what was tried last and what came of it, line by line. */
export function lastTryScreen({ what, text, result }: LastTry): UiNode {
  const list = (name: string, lines: string): UiNode => ({
    role: 'list',
    name,
    children: lines.split('\n').map(line => ({ role: 'listitem', name: line })),
  });
  const title = `${what[0]?.toUpperCase() ?? ''}${what.slice(1)}`;
  return { role: 'page', name: `The last ${what}`, children: [list(title, text), list('Result', result)] };
}
