import type { HarnessComponent } from '../../src/analysis/harness/locate-fault.ts';
import type { Action } from '../../src/core/action.ts';
import type { Decision, OrdinaryPolicy } from '../../src/core/episode/agents.ts';
import type { View } from '../../src/core/episode/view.ts';
import type { Limits } from '../../src/episode/cursor/budget.ts';

/** A fault in one component of the harness around a student. */
interface PlantedFault {
  readonly policy: OrdinaryPolicy;
  readonly limits: Partial<Limits>;
}

/** Steps that a harness with a spent budget leaves. */
const stepsLeft = 3;
/** Share of the answers that a broken reader reads wrong. */
const misread = 1 / 3;

/** The harness of a student with a fault in one component; null for the harness as it is. */
export function plantFault(student: OrdinaryPolicy, fault: HarnessComponent | null): PlantedFault {
  if (fault === null) return { policy: student, limits: {} };
  if (fault === 'budget') return { policy: student, limits: { steps: stepsLeft } };
  const { sees, does } = faults[fault];
  return {
    limits: {},
    policy: {
      ...student,
      async act(view) {
        const decision = await student.act(sees(view));
        return { ...decision, action: does(decision, view) };
      },
    },
  };
}

interface Fault {
  /** What is left of what the student should see. */
  sees(view: View): View;
  /** What becomes of what it decides. */
  does(decision: Decision, view: View): Action | null;
}

const seesAll = (view: View): View => view;
const doesIt = ({ action }: Decision): Action | null => action;

const faults: Readonly<Record<Exclude<HarnessComponent, 'budget'>, Fault>> = {
  /** The second half of the instruction is missing. */
  prompt: { sees: view => ({ ...view, instruction: firstHalf(view.instruction) }), does: doesIt },
  /** The student sees the screen, and nothing of what it did. */
  memory: { sees: view => ({ ...view, history: [], path: [] }), does: doesIt },
  /** Texts are entered into no field. */
  tool: {
    sees: seesAll,
    does: ({ action }) => (action?.kind === 'fill' ? { ...action, ref: 'e999' } : action),
  },
  /** References lose their number now and then. */
  parser: {
    sees: seesAll,
    does: ({ action }, { random }) =>
      action !== null && 'ref' in action && random.fork('parser').chance(misread) ? { ...action, ref: 'e999' } : action,
  },
};

function firstHalf(text: string): string {
  const words = text.split(' ');
  return words.slice(0, Math.ceil(words.length / 2)).join(' ');
}
