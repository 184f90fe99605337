import type { DrawnNode, DrawnTree } from '../../../analysis/gallery.ts';
import type { Annotated } from '../../../analysis/signals/signal.ts';
import type { EpisodeRecord } from '../../../core/episode/record.ts';
import { callsText, mark } from '../../terminal/describe.ts';
import { wrap, type Paint } from '../../terminal/output.ts';

interface Drawing extends Pick<EpisodeRecord, 'callsFor'> {
  readonly paint: Paint;
  readonly width: number;
  readonly verbose: boolean;
  /** The annotations of the signals, by step. */
  readonly saidOf: ReadonlyMap<number | null, readonly Annotated[]>;
}

/** `loops: revisit 2, leads back to the state after step 3`. */
export function signalText({ signal, label, value, note }: Annotated): string {
  return `${signal}: ${label}${value === undefined ? '' : ` ${value}`}${note === undefined ? '' : `, ${note}`}`;
}

/** Draws the kept path straight down, and steps that were rolled back beside the step they started from. */
export function treeLines({ nodes, root }: DrawnTree, drawing: Drawing): string[] {
  const below = Map.groupBy(nodes, ({ parent }) => parent);
  const lines = drawing.verbose ? [drawing.paint.dim(`start ${root}`)] : [];
  const branches = verifiedBranches(nodes);
  const draw = (parent: number, indent: string): void => {
    const children = below.get(parent) ?? [];
    // Steps that were rolled back come before those that replaced them.
    for (const node of children.toSorted((a, b) => Number(isKept(a)) - Number(isKept(b)) || a.id - b.id)) {
      const isFirstLeft = !isKept(node) && (parent === 0 || isKept(nodes[parent - 1] as DrawnNode));
      const own = isFirstLeft ? `${indent}  │ ` : indent;
      lines.push(...nodeLines(node, own, { ...drawing, isBranch: branches.has(node.id) }));
      draw(node.id, own);
    }
  };
  draw(0, '');
  return lines;
}

/** Steps that lead to an end that was verified by itself, such as those of a fork: nobody took them back. */
function verifiedBranches(nodes: readonly DrawnNode[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { id, verdict } of nodes) {
    let node = verdict === null ? undefined : nodes[id - 1];
    while (node !== undefined && !isKept(node) && node.rejection === null) {
      found.add(node.id);
      node = nodes[node.parent - 1];
    }
  }
  return found;
}

function isKept({ status }: DrawnNode): boolean {
  return status !== 'rolled-back';
}

interface NodeDrawing extends Drawing {
  readonly isBranch: boolean;
}

function nodeLines(node: DrawnNode, indent: string, drawing: NodeDrawing): string[] {
  const { paint, width, verbose, callsFor, saidOf, isBranch } = drawing;
  const left = isBranch ? '○' : paint.red('✗');
  const sign = { kept: paint.green('●'), correction: paint.cyan('◆'), 'rolled-back': left }[node.status];
  const told = node.status === 'rolled-back' ? paint.dim(node.text) : node.text;
  const by = node.actor.role === 'student' ? '' : paint.cyan(`  ${node.actor.role}`);
  const space = `${indent}    `;
  const lines = [`${indent}${sign} ${told}${by}`];
  const add = (text: string): void => void lines.push(space + wrap(text, width - space.length, space));
  if (node.replaces !== null) add(paint.dim('in the place of what was rejected'));
  if (node.rejection !== null) add(paint.yellow(`rejected: ${node.rejection}`));
  if (node.thought !== null) add(paint.dim(`thought: ${node.thought}`));
  const calls = callsFor(node.id);
  if (calls.length > 0) add(paint.dim(`asked ${callsText(calls)}`));
  if (node.verdict !== null && node.status === 'rolled-back')
    add(`${mark(node.verdict.pass, paint)} verified by itself: ${node.verdict.pass ? 'passed' : 'not passed'}`);
  for (const found of saidOf.get(node.id) ?? []) add(paint.dim(signalText(found)));
  if (verbose) add(paint.dim(node.digest));
  return lines;
}
