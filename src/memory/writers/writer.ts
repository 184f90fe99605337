import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Gate } from '../gate.ts';
import type { NewItem, PlacedStep } from '../item.ts';
import type { Memory } from '../memory.ts';
import type { PracticeOptions } from '../practice.ts';
import { headingOn } from '../reading/heading.ts';
import { generalLine, literalsOf, withSlots } from '../reading/slots.ts';

/** A way to remember: what it keeps of episodes, and what it refuses. Programs, without a model. Every item is read by its kind. */
export interface MemoryMethod extends Entry {
  /** What could be kept of episodes. */
  write(episodes: readonly EpisodeRecord[]): NewItem[];
  /** Refuses candidates, beside the gate that every memory has. */
  readonly gate?: Gate;
  /** Tries candidates with a student on practice tasks, and keeps what helps. Such a memory needs a student to be written. */
  practise?(options: PracticeOptions): Promise<Memory>;
}

/** A step as memories know it: where it was taken, and what was done, with the texts of the task as slots. */
export interface SlottedStep extends PlacedStep {
  readonly node: TreeNode;
}

/** The steps of an episode to where it ended. */
export function slottedSteps(record: EpisodeRecord): SlottedStep[] {
  return stepsAt(record, record.tree.path(record.end.leaf));
}

/** These steps of an episode. */
export function stepsAt(record: EpisodeRecord, nodes: readonly TreeNode[]): SlottedStep[] {
  const literals = literalsOf(record.head.task.instruction);
  return nodes.map(node => ({
    node,
    heading: withSlots(headingOn(record.screen(node.id)), literals),
    line: generalLine(record.text(node.id), literals),
  }));
}

/** The steps of an episode that the environment took. */
export function takenSteps(record: EpisodeRecord): PlacedStep[] {
  return slottedSteps(record)
    .filter(({ node }) => node.outcome.applied)
    .map(({ heading, line }) => ({ heading, line }));
}

/** The instruction of an episode with its texts as slots. */
export function patternOf({ head }: EpisodeRecord): string {
  return withSlots(head.task.instruction, literalsOf(head.task.instruction));
}

export function hasPassed({ end }: EpisodeRecord): boolean {
  return end.outcome === 'passed';
}

/** Episodes of tasks with the same pattern, in one environment. */
export function byPattern(episodes: readonly EpisodeRecord[]): EpisodeRecord[][] {
  return [...Map.groupBy(episodes, record => `${record.head.task.environment}\n${patternOf(record)}`).values()];
}

export function provenanceOf(writer: string, episodes: readonly EpisodeRecord[]): NewItem['provenance'] {
  const environment = episodes[0]?.head.task.environment ?? '';
  return { writer, environment, tasks: [...new Set(episodes.map(({ head }) => head.task.id))] };
}

/** Whether a step was refused, or changed nothing. The end of an episode changes nothing either, and is no idle step. */
export function isIdle({ outcome, before, after }: TreeNode): boolean {
  return outcome.end === undefined && (!outcome.applied || before === after);
}

/** The checks that an episode did not meet, with the texts of its task as slots. */
export function unmetChecks({ head, end }: EpisodeRecord): string[] {
  const literals = literalsOf(head.task.instruction);
  const unmet = end.verdict?.checks.filter(({ pass }) => !pass) ?? [];
  return unmet.map(({ name }) => withSlots(name, literals));
}

/** Only what may be learned from: training tasks of collected episodes. Nothing of an evaluation or a held-out task is kept. */
export function isLearnable({ head }: Pick<EpisodeRecord, 'head'>): boolean {
  return head.phase === 'collect' && head.task.split === 'train';
}
