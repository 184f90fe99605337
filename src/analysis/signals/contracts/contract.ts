import type { TreeNode } from '../../../core/tree.ts';
import { wilson, type Interval } from '../../stats.ts';
import type { Annotation, Signal } from '../signal.ts';

/** What a contract may ask of a step. */
interface ContractStep {
  readonly node: TreeNode;
  /** What it does: `click button "Star" in "Lunch"`. */
  readonly description: string;
}

/** A rule that every step, or every prefix of a run, keeps. A hard one must hold always; a soft one may be broken for a while. */
export interface Contract {
  /** A word, the same in every run: `no-delete`. */
  readonly id: string;
  readonly hard: boolean;
  /** The last step is the one that is asked about; those before it are the run so far. */
  holds(prefix: readonly ContractStep[]): boolean;
}

/** P(all hard ones hold) is to be at least `p`; a soft one may be broken by at most `delta` of the steps, or for `k` in a row. */
export const contractDefaults = { p: 0.95, delta: 0.1, k: 3 } as const;

/** Step and trace contracts of MAT, with the satisfaction of ABC: a module of yours exports `signal = createContractSignal([…])`. */
export function createContractSignal(contracts: readonly Contract[], name = 'contracts'): Signal {
  return {
    name,
    about: 'Contracts: the first step that breaks each, whether all hard ones hold, and how far soft ones deviate.',
    labels: { violation: 'step', satisfied: 'episode', deviation: 'episode' },
    *annotate(_episode, { main, description }) {
      const steps = main.map(node => ({ node, description: description(node) }));
      yield* judge(contracts, steps);
    },
  };
}

function* judge(contracts: readonly Contract[], steps: readonly ContractStep[]): Iterable<Annotation> {
  let isSatisfied = true;
  let deviation = 0;
  for (const contract of contracts) {
    const broken = steps.map((_, index) => !contract.holds(steps.slice(0, index + 1)));
    const first = broken.indexOf(true);
    if (first < 0) continue;
    yield { node: (steps[first] as ContractStep).node.id, label: 'violation', note: contract.id };
    if (contract.hard) isSatisfied = false;
    else {
      const share = broken.filter(Boolean).length / broken.length;
      deviation = Math.max(deviation, recovers(broken) ? 0 : share);
    }
  }
  yield { node: null, label: 'satisfied', value: Number(isSatisfied && deviation <= contractDefaults.delta) };
  yield { node: null, label: 'deviation', value: deviation };
}

/** Whether a soft contract holds again within `k` steps each time. */
function recovers(broken: readonly boolean[]): boolean {
  let row = 0;
  for (const isBroken of broken) {
    row = isBroken ? row + 1 : 0;
    if (row > contractDefaults.k) return false;
  }
  return row === 0;
}

/** How often contracts were satisfied, and whether that is enough: the lower end of the interval decides. */
export function satisfaction(
  satisfied: number,
  runs: number,
): { readonly interval: Interval; readonly isEnough: boolean } {
  const interval = wilson(satisfied, runs);
  return { interval, isEnough: interval.low >= contractDefaults.p };
}
