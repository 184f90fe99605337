import { contractIncidents, contractProblem } from '../../../core/step-contracts/step-contract.ts';
import type { Signal } from '../signal.ts';

/** What contracts that were held while the episode ran did: steps that were refused, and steps that broke one. */
export const stepContracts: Signal = {
  name: 'step-contracts',
  about: 'Contracts held at run time: steps that broke one, steps that were stopped, and whether the episode kept all.',
  labels: { broken: 'step', stopped: 'step', kept: 'episode' },
  *annotate(_episode, { steps }) {
    const inForce = steps.some(({ outcome }) =>
      outcome.incidents?.some(({ kind }) => kind === contractIncidents.inForce),
    );
    if (!inForce) return;
    let isKept = true;
    for (const { id, outcome } of steps) {
      const names = (outcome.incidents ?? []).filter(({ kind }) => kind === contractIncidents.broken);
      const isStopped = outcome.problem?.code === contractProblem;
      for (const { detail } of names) yield { node: id, label: isStopped ? 'stopped' : 'broken', note: detail };
      // What was stopped did no harm.
      if (names.length > 0 && !isStopped) isKept = false;
    }
    yield { node: null, label: 'kept', value: Number(isKept) };
  },
};
