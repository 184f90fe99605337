import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { TreeNode } from '../../core/tree.ts';
import { headingOn } from '../heading.ts';
import type { NewItem } from '../item.ts';
import { generalLine, literalsOf, withSlots } from '../slots.ts';

/** A way to write memory: what it keeps of episodes. A program, without a model. */
export interface MemoryWriter extends Entry {
  write(episodes: readonly EpisodeRecord[]): NewItem[];
}

/** A step as memories know it: where it was taken, and what was done, with the texts of the task as slots. */
export interface SlottedStep {
  readonly node: TreeNode;
  readonly heading: string;
  readonly line: string;
}

/** The steps of an episode to where it ended. */
export function slottedSteps(record: EpisodeRecord): SlottedStep[] {
  const literals = literalsOf(record.head.task.instruction);
  return record.tree.path(record.end.leaf).map(node => ({
    node,
    heading: withSlots(headingOn(record.screen(node.id)), literals),
    line: generalLine(record.text(node.id), literals),
  }));
}

/** The instruction of an episode with its texts as slots. */
export function patternOf({ head }: EpisodeRecord): string {
  return withSlots(head.task.instruction, literalsOf(head.task.instruction));
}

export function provenanceOf(writer: string, episodes: readonly EpisodeRecord[]): NewItem['provenance'] {
  const environment = episodes[0]?.head.task.environment ?? '';
  return { writer, environment, tasks: [...new Set(episodes.map(({ head }) => head.task.id))] };
}

/** The checks that an episode did not meet, with the texts of its task as slots. */
export function unmetChecks({ head, end }: EpisodeRecord): string[] {
  const literals = literalsOf(head.task.instruction);
  const unmet = end.verdict?.checks.filter(({ pass }) => !pass) ?? [];
  return unmet.map(({ name }) => withSlots(name, literals));
}

/** Only what may be learned from: training tasks of collected episodes. Nothing of an evaluation or a held-out task is kept. */
export function isLearnable({ head }: EpisodeRecord): boolean {
  return head.phase === 'collect' && head.task.split === 'train';
}
