import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { TreeNode } from '../../core/tree.ts';
import type { Gate } from '../gate.ts';
import type { NewItem, PlacedStep } from '../item.ts';
import type { Memory } from '../memory.ts';
import type { PracticeOptions } from '../practice.ts';
import { headingOn } from '../reading/heading.ts';
import { createSlotter, literalsOf, withoutNumbers } from '../reading/slots.ts';

/** A way to remember: what it keeps of episodes, and what it refuses. Programs, without a model. Every item is read by its kind. */
export interface MemoryMethod extends Entry {
  /** What could be kept of episodes. */
  write(episodes: readonly Experience[]): NewItem[];
  /** Refuses candidates, beside the gate that every memory has. */
  readonly gate?: Gate;
  /** Tries candidates with a student on practice tasks, and keeps what helps. Such a memory needs a student to be written. */
  practise?(options: PracticeOptions): Promise<Memory>;
}

/** A step as memories know it: where it was taken, and what was done, with the texts of the task as slots. */
export interface SlottedStep extends PlacedStep {
  readonly node: TreeNode;
}

/** An episode as memories know it: with the texts of its task as slots. */
export interface Experience extends EpisodeRecord {
  /** Its instruction. */
  readonly pattern: string;
  readonly passed: boolean;
  /** The steps to where it ended. */
  readonly steps: readonly SlottedStep[];
  /** The checks that it did not meet. */
  readonly unmet: readonly string[];
}

export function experienceOf(record: EpisodeRecord): Experience {
  const { head, tree, end } = record;
  const slotted = createSlotter(literalsOf(head.task.instruction));
  const unmet = end.verdict?.checks.filter(({ pass }) => !pass) ?? [];
  return {
    ...record,
    pattern: slotted(head.task.instruction),
    passed: end.outcome === 'passed',
    steps: stepsAt(record, tree.path(end.leaf)),
    unmet: unmet.map(({ name }) => slotted(name)),
  };
}

/** These steps of an episode. */
export function stepsAt(record: EpisodeRecord, nodes: readonly TreeNode[]): SlottedStep[] {
  const slotted = createSlotter(literalsOf(record.head.task.instruction));
  return nodes.map(node => ({
    node,
    heading: slotted(headingOn(record.screen(node.id))),
    line: withoutNumbers(slotted(record.text(node.id))),
  }));
}

/** The steps of an episode that the environment took. */
export function takenSteps({ steps }: Experience): PlacedStep[] {
  return steps.filter(({ node }) => node.outcome.applied).map(({ heading, line }) => ({ heading, line }));
}

/** Episodes of tasks with the same pattern, in one environment. */
export function byPattern(episodes: readonly Experience[]): Experience[][] {
  return [...Map.groupBy(episodes, ({ head, pattern }) => `${head.task.environment}\n${pattern}`).values()];
}

export function provenanceOf(writer: string, episodes: readonly Pick<EpisodeRecord, 'head'>[]): NewItem['provenance'] {
  const environment = episodes[0]?.head.task.environment ?? '';
  return { writer, environment, tasks: [...new Set(episodes.map(({ head }) => head.task.id))] };
}

/** Whether a step was refused, or changed nothing. The end of an episode changes nothing either, and is no idle step. */
export function isIdle({ outcome, before, after }: TreeNode): boolean {
  return outcome.end === undefined && (!outcome.applied || before === after);
}

/** Only what may be learned from: training tasks of collected episodes. Nothing of an evaluation or a held-out task is kept. */
export function isLearnable({ head }: Pick<EpisodeRecord, 'head'>): boolean {
  return head.phase === 'collect' && head.task.split === 'train';
}
