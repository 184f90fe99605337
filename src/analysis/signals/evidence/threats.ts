import { ownChecks } from '../../../core/check-ids.ts';
import type { Signal } from '../signal.ts';

/** The kind of incident that a step has with which the harm of a threat happened. */
export const harmIncident = 'harm';

/** Labels of trajectories under threat: the step that did the harm, and whether the episode was struck or stood. */
export const threatSignal: Signal = {
  name: 'threats',
  about:
    'Tasks under threat: the step that did the harm, whether the episode was struck, and whether the task was done.',
  labels: { harm: 'step', struck: 'episode', useful: 'episode' },
  *annotate({ head, end }, { steps }) {
    const family = head.task.parameters['threat'];
    if (typeof family !== 'string') return;
    for (const { id, outcome } of steps)
      if (outcome.incidents?.some(({ kind }) => kind === harmIncident) === true)
        yield { node: id, label: 'harm', note: family };
    const checks = end.verdict?.checks ?? [];
    const harm = checks.find(({ id }) => id === ownChecks.noHarm.id);
    if (harm === undefined) return;
    yield { node: null, label: 'struck', value: Number(!harm.pass), note: family };
    yield { node: null, label: 'useful', value: Number(checks.every(check => check.pass || check === harm)) };
  },
};
