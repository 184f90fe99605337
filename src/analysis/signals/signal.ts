import type { EpisodeRecord } from '../../core/episode/record.ts';
import { causeText, EspalierError } from '../../core/errors.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { Tree, TreeNode } from '../../core/tree.ts';

/** What a signal says of a step, or of the whole episode. */
export interface Annotation {
  /** The step; null for the episode. */
  readonly node: number | null;
  /** What it is, in a word: `revisit`. */
  readonly label: string;
  readonly value?: number;
  /** For people. */
  readonly note?: string;
}

/**
 * Annotates the tree of an episode. It reads nothing but the episode: the same episode gives the same annotations, and every
 * finished episode gives some or none.
 */
export interface Signal extends Entry {
  annotate(episode: EpisodeRecord): Iterable<Annotation>;
}

export type Annotated = Annotation & { readonly signal: string };

/** What signals say of an episode, in the order of the signals and of their annotations. Throws what a signal does wrong, by name. */
export function annotate(episode: EpisodeRecord, signals: readonly Signal[]): readonly Annotated[] {
  return signals.flatMap(signal => annotationsOf(signal, episode).map(found => ({ signal: signal.name, ...found })));
}

function annotationsOf(signal: Signal, episode: EpisodeRecord): readonly Annotation[] {
  const where = `Signal "${signal.name}", episode ${episode.head.key}`;
  let found: readonly unknown[];
  try {
    found = [...signal.annotate(episode)];
  } catch (cause) {
    throw invalid(
      `${where}: \`annotate\` threw: ${causeText(cause)}.`,
      'Expected annotations, or none, of every episode.',
    );
  }
  const last = stepsOf(episode.tree).length;
  return found.map(annotation => {
    const wrong = problemOf(annotation, last);
    if (wrong !== null) throw invalid(`${where}: ${wrong}`, 'Expected { node, label, value?, note? }.');
    const { node, label, value, note } = annotation as Annotation;
    return { node, label, ...(value === undefined ? {} : { value }), ...(note === undefined ? {} : { note }) };
  });
}

const longestLabel = 64;

/** What is wrong with an annotation; null when nothing is. */
function problemOf(annotation: unknown, last: number): string | null {
  if (typeof annotation !== 'object' || annotation === null) return 'an annotation is no object.';
  const { node, label, value, note } = annotation as Partial<Record<keyof Annotation, unknown>>;
  if (typeof label !== 'string' || label === '' || label.length > longestLabel)
    return `the label of an annotation is no text of 1 to ${longestLabel} characters.`;
  if (node !== null && !(Number.isInteger(node) && (node as number) >= 1 && (node as number) <= last))
    return `"${label}" is of node ${String(node)}, and the steps are 1 to ${last}; null is for the whole episode.`;
  if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value)))
    return `the value of "${label}" is no finite number.`;
  return note === undefined || typeof note === 'string' ? null : `the note of "${label}" is no text.`;
}

/** All steps of a tree in the order in which they were taken. */
export function stepsOf(tree: Tree): readonly TreeNode[] {
  const found: TreeNode[] = [];
  const open = [0];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const below = tree.children(node);
    found.push(...below);
    open.push(...below.map(({ id }) => id));
  }
  return found.toSorted((one, other) => one.id - other.id);
}

function invalid(message: string, expected: string): EspalierError {
  return new EspalierError({ boundary: 'input', code: 'invalid-module', message, expected });
}
