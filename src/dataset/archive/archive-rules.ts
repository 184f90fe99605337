import { actionSchema, describeAction, type Action } from '../../core/action.ts';
import { lacksCertificate } from '../../core/episode/certificate.ts';
import { invalidOption } from '../../core/errors.ts';
import type { Candidate } from '../rows/candidate.ts';

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
  /** Labels that only some worlds can give: each counts once a trajectory shows it. */
  readonly besides?: readonly string[];
  of(candidate: Candidate): string;
  /** Labels that a trajectory of the same episode could have; all that are listed when left out. */
  possible?(candidate: Candidate): readonly string[];
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
    passedGate,
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

/** The one gate of an export that keeps everything which passed. */
export const passedGate: Gate = { name: 'verdict', about: 'verified as passed', lets: passed };

/** The one gate of an export that keeps failures as well: rows for training on what agents do, whatever comes of it. */
export const verifiedGate: Gate = {
  name: 'verdict',
  about: 'verified, passed or failed',
  lets: ({ verdict }) => verdict !== null,
};

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
    throw invalidOption(
      `The bounds of the descriptor "${name}" are ${bounds.join(', ') || 'none'}.`,
      'Expected at least one, each larger than the one before.',
    );
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
  possible(candidate) {
    if (endsAtOnce(candidate)) return ['finish'];
    const kinds = new Set(candidate.path.map(({ action }) => action.kind));
    return allKinds.filter(kind => kind !== 'finish' && kinds.has(kind));
  },
};

/** A path that is a finish alone cannot be long, nor corrected twice. */
function endsAtOnce({ path }: Candidate): boolean {
  return path.every(({ action }) => action.kind === 'finish');
}

const lengthBounds = [5, 12, 25];
const length = bounded('length', lengthBounds, ({ path }) => path.length);
const interventions = counted('interventions', 3, candidate => candidate.interventions);

export const defaultDescriptors: readonly Descriptor[] = [
  {
    ...length,
    possible(candidate) {
      if (endsAtOnce(candidate)) return [length.of(candidate)];
      const most = candidate.record.head.task.budget.steps;
      return length.labels.filter((_, place) => (lengthBounds[place - 1] ?? 0) < most);
    },
  },
  dominantAction,
  {
    ...interventions,
    possible(candidate) {
      if (candidate.record.head.teacher === null) return ['0'];
      return endsAtOnce(candidate) ? ['0', '1'] : interventions.labels;
    },
  },
];

/**
 * How direct a trajectory is: the share of its steps that were carried out and led to a state that it had not been in, or
 * ended it. Trajectories with as many interventions share a bin, so these cannot rank them.
 */
export const directness: Quality = ({ path }) => {
  const seen = new Set(path.slice(0, 1).map(({ before }) => before));
  let useful = 0;
  for (const { action, outcome, after } of path) {
    if (outcome.applied && (action.kind === 'finish' || !seen.has(after))) useful++;
    seen.add(after);
  }
  return path.length === 0 ? null : useful / path.length;
};
