import { actionSchema, describeAction, type Action } from '../core/action.ts';
import { lacksCertificate } from '../core/episode/certificate.ts';
import { EspalierError } from '../core/errors.ts';
import type { Candidate } from './candidate.ts';

/** A condition for entering the archive. */
export interface Gate {
  readonly name: string;
  /** What it asks for: the manifest of an export says it. */
  readonly about: string;
  lets(candidate: Candidate): boolean;
}

/** A property that bins are made of: one label for every candidate, out of those listed. */
export interface Descriptor {
  readonly name: string;
  readonly labels: readonly string[];
  /** Labels that only some worlds can give: each counts once an entry has it. */
  readonly besides?: readonly string[];
  of(candidate: Candidate): string;
}

/** How good a candidate is among its like; null when nothing is known. */
export type Quality = (candidate: Candidate) => number | null;

export interface GateLimits {
  readonly steps?: number;
  /** Equal actions in a row. */
  readonly repeats?: number;
  readonly interventions?: number;
}

export function archiveGates({ steps = 60, repeats = 4, interventions = 6 }: GateLimits = {}): readonly Gate[] {
  return [
    { name: 'verdict', about: 'verified as passed', lets: passed },
    { name: 'steps', about: `at most ${steps} steps`, lets: ({ path }) => path.length <= steps },
    {
      name: 'repeats',
      about: `at most ${repeats} equal actions in a row`,
      lets: ({ path }) => longestRepeat(path.map(({ action }) => action)) <= repeats,
    },
    {
      name: 'interventions',
      about: `at most ${interventions} interventions`,
      lets: candidate => candidate.interventions <= interventions,
    },
  ];
}

/** Held by every archive, after its other gates: they can be chosen, this one cannot be left out. */
export const certificateGate: Gate = {
  name: 'certificate',
  about: 'certified: by construction, or by a replay that agreed',
  lets: ({ record, leaf }) => !lacksCertificate(record, leaf),
};

/** What an episode was discarded at is no success, whatever the verifier makes of that state. */
function passed({ record, role, verdict }: Candidate): boolean {
  return verdict?.pass === true && (role !== 'main' || record.end.outcome === 'passed');
}

function longestRepeat(actions: readonly Action[]): number {
  let longest = 0;
  let run = 0;
  let last = '';
  for (const action of actions) {
    const text = describeAction(action);
    run = text === last ? run + 1 : 1;
    last = text;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Bins of a number by its upper bounds. The labels are written from the bounds, so they cannot say anything else. */
export function bounded(
  name: string,
  bounds: readonly number[],
  measure: (candidate: Candidate) => number,
): Descriptor {
  const last = bounds.at(-1);
  if (last === undefined || bounds.some((bound, index) => bound >= (bounds[index + 1] ?? Infinity))) {
    throw new EspalierError({
      boundary: 'input',
      code: 'invalid-option',
      message: `The bounds of the descriptor "${name}" are ${bounds.join(', ') || 'none'}.`,
      expected: 'Expected at least one, each larger than the one before.',
    });
  }
  const labels = [...bounds.map(bound => `≤${bound}`), `>${last}`];
  return {
    name,
    labels,
    of(candidate) {
      const value = measure(candidate);
      const bin = bounds.findIndex(bound => value <= bound);
      return (bin < 0 ? labels.at(-1) : labels[bin]) as string;
    },
  };
}

/** Bins of a count: one for each number below `most`, and one for all the others. */
export function counted(name: string, most: number, measure: (candidate: Candidate) => number): Descriptor {
  const labels = [...Array.from({ length: most }, (_, count) => String(count)), `${most}+`];
  return { name, labels, of: candidate => labels[Math.min(measure(candidate), most)] as string };
}

const actionKinds: readonly Action['kind'][] = ['click', 'fill', 'select', 'call', 'finish'];
const browserKinds = actionSchema.options
  .map(({ shape }): Action['kind'] => shape.kind.value)
  .filter(kind => !actionKinds.includes(kind));
const allKinds = [...actionKinds, ...browserKinds];

/** The kind that most steps are of, the finish left aside; of equally many the one that is listed first. */
export const dominantAction: Descriptor = {
  name: 'action',
  labels: actionKinds,
  besides: browserKinds,
  of({ path }) {
    const counts = allKinds.map(kind =>
      kind === 'finish' ? 0 : path.filter(step => step.action.kind === kind).length,
    );
    const most = Math.max(...counts);
    return most === 0 ? 'finish' : (allKinds[counts.indexOf(most)] as string);
  },
};

export const defaultDescriptors: readonly Descriptor[] = [
  bounded('length', [5, 12, 25], ({ path }) => path.length),
  dominantAction,
  counted('interventions', 3, ({ interventions }) => interventions),
];

/** The more a trajectory is the student's own, the better: 1 without interventions, 1/2 with one, 1/3 with two. */
export const ownWork: Quality = ({ interventions }) => 1 / (1 + interventions);
