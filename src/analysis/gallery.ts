import { z } from 'zod';
import { outcomeSchema } from '../core/episode/events.ts';
import type { EpisodeRecord } from '../core/episode/record.ts';
import type { Verdict } from '../core/records.ts';
import { actorSchema, type Tree, type TreeNode } from '../core/tree.ts';
import { drawnShotSchema, drawShot } from './shot.ts';

const nodeId = z.int().positive();

const drawnNodeSchema = z.strictObject({
  id: nodeId,
  /** 0 is the start. */
  parent: z.int().nonnegative(),
  text: z.string(),
  thought: z.string().nullable(),
  actor: actorSchema,
  /** On the path to the end of the episode, put there by the teacher, or left behind. */
  status: z.enum(['kept', 'correction', 'rolled-back']),
  /** Why the reviewer rejected the branch at this step; null when it did not. */
  rejection: z.string().nullable(),
  /** The step that this one stands in the place of. */
  replaces: nodeId.nullable(),
  /** Digest of the state that the step led to. */
  digest: z.string(),
  /** At the ends that were verified. */
  verdict: z
    .strictObject({
      pass: z.boolean(),
      clean: z.boolean(),
      /** Checks that do not hold. */
      unmet: z.array(z.string()).readonly(),
    })
    .nullable(),
  /** Where the screen was drawn. */
  shot: drawnShotSchema.optional(),
});
export type DrawnNode = z.infer<typeof drawnNodeSchema>;

/** An episode as a tree that can be drawn. */
export const drawnTreeSchema = z.strictObject({
  key: z.string(),
  app: z.string(),
  template: z.string(),
  instruction: z.string(),
  /** Whose episode it is. Missing in reports of earlier versions. */
  student: z.string().optional(),
  outcome: outcomeSchema,
  reason: z.string().nullable(),
  /** Digest of the initial state. */
  root: z.string(),
  /** In the order they were taken. */
  nodes: z.array(drawnNodeSchema).readonly(),
});
export type DrawnTree = z.infer<typeof drawnTreeSchema>;

export function drawEpisode(record: EpisodeRecord): DrawnTree {
  const { head, end, tree } = record;
  const marksOf = markSteps(record, new Set(tree.path(end.leaf).map(node => node.id)));
  return {
    key: head.key,
    app: head.task.environment,
    template: head.task.template,
    instruction: head.task.instruction,
    student: head.student,
    outcome: end.outcome,
    reason: end.reason,
    root: tree.root,
    nodes: nodesOf(tree).map((node): DrawnNode => {
      const { verdict, ...marks } = marksOf(node.id);
      const shot = drawShot(record, node);
      return {
        id: node.id,
        parent: node.parent,
        text: record.text(node.id),
        thought: node.thought ?? null,
        actor: node.actor,
        ...marks,
        digest: node.after,
        verdict: drawVerdict(verdict),
        ...(shot === null ? {} : { shot }),
      };
    }),
  };
}

/** What was said of a step, as trees mark it. */
export interface StepMarks extends Pick<DrawnNode, 'status' | 'rejection' | 'replaces'> {
  readonly verdict: Verdict | null;
}

type Marked = Pick<EpisodeRecord, 'end' | 'reviews' | 'corrections' | 'leaves'>;

/** The marks of each step; `kept` are the steps on the path to the end. */
export function markSteps({ end, ...record }: Marked, kept: ReadonlySet<number>): (node: number) => StepMarks {
  const corrections = new Map(record.corrections.map(correction => [correction.node, correction]));
  const rejections = new Map(
    record.reviews.filter(({ overruled }) => overruled !== true).map(review => [review.at, review.reason]),
  );
  const verdicts = new Map(record.leaves.map(leaf => [leaf.node, leaf.verdict]));
  if (end.verdict !== null) verdicts.set(end.leaf, end.verdict);
  return node => {
    const correction = corrections.get(node);
    return {
      status: !kept.has(node) ? 'rolled-back' : correction === undefined ? 'kept' : 'correction',
      rejection: rejections.get(node) ?? null,
      replaces: correction?.replaces ?? null,
      verdict: verdicts.get(node) ?? null,
    };
  };
}

/** In the order they were taken, which is that of their numbers. */
function nodesOf(tree: Tree): TreeNode[] {
  const found: TreeNode[] = [...tree.children(0)];
  for (const node of found) found.push(...tree.children(node.id));
  return found.toSorted((a, b) => a.id - b.id);
}

function drawVerdict(verdict: Verdict | null): DrawnNode['verdict'] {
  if (verdict === null) return null;
  const unmet = verdict.checks.filter(check => !check.pass).map(check => check.name);
  return { pass: verdict.pass, clean: verdict.clean, unmet };
}

/** What an episode shows, the most telling first; the last fits whatever is left. */
const stories: readonly { readonly name: string; fits(tree: DrawnTree): boolean }[] = [
  { name: 'A rejected branch that would have passed', fits: hasWrongRejection },
  { name: 'Corrected, and passed', fits: tree => tree.outcome === 'passed' && tree.nodes.some(isCorrection) },
  { name: 'Given up', fits: tree => tree.outcome === 'discarded' },
  { name: 'Broken off', fits: tree => tree.outcome === 'errored' },
  { name: 'Failed', fits: tree => tree.outcome === 'failed' },
  { name: 'Passed alone', fits: () => true },
];

/** What this episode is an example of. */
export function storyOf(tree: DrawnTree): string {
  return stories.find(story => story.fits(tree))?.name as string;
}

/** Trees about this big can be taken in at a glance. */
const legible = 9;

/** A few episodes that show different things in different apps, one kept of each kind while reading. */
export function chooseGallery(records: Iterable<EpisodeRecord>, count: number): readonly DrawnTree[] {
  const best = new Map(stories.map(story => [story.name, new Map<string, DrawnTree>()]));
  for (const record of records) {
    const tree = drawEpisode(record);
    const shown = best.get(storyOf(tree));
    const rival = shown?.get(tree.app);
    if (rival === undefined || strangeness(tree) < strangeness(rival)) shown?.set(tree.app, tree);
  }
  const queues = [...best.values()].map((trees, story) => rotate([...trees.values()], story));
  const longest = Math.max(...queues.map(queue => queue.length));
  const turns = Array.from({ length: longest }, (_, turn) => queues.flatMap(queue => queue[turn] ?? []));
  return turns.flat().slice(0, count);
}

/** Starts each kind at another app, so that a short gallery is not all of one. */
function rotate(trees: readonly DrawnTree[], by: number): readonly DrawnTree[] {
  const start = trees.length === 0 ? 0 : by % trees.length;
  return [...trees.slice(start), ...trees.slice(0, start)];
}

function strangeness({ nodes }: DrawnTree): number {
  return Math.abs(nodes.length - legible);
}

function isCorrection({ status }: DrawnNode): boolean {
  return status === 'correction';
}

/** A branch grew on after its rejection and passed in the end. */
function hasWrongRejection({ nodes }: DrawnTree): boolean {
  const rejected = new Set<number>();
  for (const node of nodes) {
    if (node.rejection !== null || rejected.has(node.parent)) rejected.add(node.id);
    if (rejected.has(node.id) && node.verdict?.pass === true) return true;
  }
  return false;
}
