import type { Action } from '../../core/action.ts';
import { screenActions, textsIn } from '../../core/episode/screen-actions.ts';
import { describeStep, type View } from '../../core/episode/view.ts';
import type { Memory } from '../memory.ts';
import { headingOn } from './heading.ts';
import { generalLine, literalsOf, withSlots } from './slots.ts';

/** Where an agent stands, as memories know it: everything with the texts of the task as slots. */
export interface Here {
  readonly memory: Memory;
  readonly view: View;
  readonly literals: readonly string[];
  /** The instruction. */
  readonly pattern: string;
  readonly heading: string;
  /** The steps so far. */
  readonly taken: readonly string[];
  /** The step before; null at the start. */
  readonly before: string | null;
  /** A step as a line. */
  lineOf(action: Action): string;
  /** The one action on the screen that a line describes; null when there is none, or several. */
  offered(line: string): Action | null;
}

export function createHere(memory: Memory, view: View): Here {
  const literals = literalsOf(view.instruction);
  const screen = view.observation.text;
  const taken = view.history.map(line => generalLine(line, literals));
  const lineOf = (action: Action): string => generalLine(describeStep(action, screen), literals);
  let lines: Map<string, Action[]> | null = null;
  return {
    memory,
    view,
    literals,
    pattern: withSlots(view.instruction, literals),
    heading: withSlots(headingOn(screen), literals),
    taken,
    before: taken.at(-1) ?? null,
    lineOf,
    offered(line) {
      lines ??= Map.groupBy<string, Action>(
        [...screenActions(screen, textsIn(view.instruction)), { kind: 'finish' }],
        lineOf,
      );
      const fitting = lines.get(line) ?? [];
      return fitting.length === 1 ? (fitting[0] as Action) : null;
    },
  };
}

/** What an item of a memory says about the next step. */
export interface Advice {
  /** Id of the item. */
  readonly item: string;
  /**
   * `take`: carried out, and nobody is asked. `prefer` and `avoid`: more and less likely, by the weight. `broken`: the item should
   * be carried out here, and the screen does not offer its step.
   */
  readonly how: 'take' | 'prefer' | 'avoid' | 'broken';
  readonly line: string;
  /** How far it is trusted, from 0 to 1. */
  readonly weight: number;
}

/** Reads one kind of item: what it says where an agent stands. */
export type Reader = (here: Here) => Advice[];
