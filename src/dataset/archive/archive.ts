import { invalidOption } from '../../core/errors.ts';
import {
  archiveGates,
  certificateGate,
  defaultDescriptors,
  directness,
  type Descriptor,
  type Gate,
  type Quality,
} from './archive-rules.ts';
import type { Candidate } from '../rows/candidate.ts';

/** What the archive keeps of a trajectory: where it is, and why it stays. */
export interface ArchiveEntry {
  readonly run: string;
  readonly episode: string;
  readonly round: number;
  /** Place in the plan of its round: the smaller, the older. */
  readonly index: number;
  readonly leaf: number;
  /** The template or the task that it competes in. */
  readonly scope: string;
  /** One label for each descriptor. */
  readonly bin: readonly string[];
  readonly quality: number | null;
  readonly steps: number;
  readonly interventions: number;
}

export interface Admission {
  /** The candidate is in the archive now. */
  readonly admitted: boolean;
  /** The gate that did not let it in; null when all did. */
  readonly gate: string | null;
  /** What had to leave for it. */
  readonly displaced: ArchiveEntry | null;
}

interface DescriptorFigures {
  readonly name: string;
  /** Entries under each label. */
  readonly labels: Readonly<Record<string, number>>;
  /** Share of the reachable labels that have an entry. */
  readonly coverage: number;
}

interface GateFigures {
  readonly name: string;
  readonly about: string;
  /** Candidates that it turned away; each counts for the first gate that does. */
  readonly rejected: number;
}

interface ArchiveFigures {
  readonly scope: 'template' | 'task';
  readonly perBin: number | 'all';
  readonly offered: number;
  readonly gates: readonly GateFigures[];
  /** Let in by every gate, and yet not among the best of their bin. */
  readonly outranked: number;
  readonly entries: number;
  readonly scopes: number;
  /** Bins that hold an entry of any scope, and those that the offered episodes could have reached. */
  readonly filled: number;
  readonly bins: number;
  readonly coverage: number;
  readonly descriptors: readonly DescriptorFigures[];
  /** Over the entries whose quality is known; null when there are none. */
  readonly meanQuality: number | null;
}

export interface ArchiveOptions {
  readonly gates?: readonly Gate[];
  readonly descriptors?: readonly Descriptor[];
  readonly quality?: Quality;
  /** Entries kept in each bin of each scope; `all` sets no bound. */
  readonly perBin?: number | 'all';
  /** What trajectories compete within: the trajectories of one task, or of all instances of a template. */
  readonly scope?: 'template' | 'task';
}

export interface Archive {
  offer(candidate: Candidate): Admission;
  entries(): readonly ArchiveEntry[];
  figures(): ArchiveFigures;
}

/** Keeps the best few of every kind of trajectory. What it holds does not depend on the order of the offers. */
export function createArchive(options: ArchiveOptions = {}): Archive {
  const { gates: chosen = archiveGates(), descriptors = defaultDescriptors, quality = directness } = options;
  const { perBin = 3, scope = 'task' } = options;
  const most = perBin === 'all' ? Infinity : perBin;
  if (perBin !== 'all' && (!Number.isInteger(perBin) || perBin < 1)) {
    throw invalidOption(`${perBin} entries per bin were asked for.`, 'Expected a whole number from 1, or "all".');
  }
  const gates = [...chosen, certificateGate];
  const cells = new Map<string, ArchiveEntry[]>();
  const rejected = new Map(gates.map(({ name }) => [name, 0]));
  const reachable = createReachableBins(descriptors);
  let offered = 0;

  const entries = (): ArchiveEntry[] => [...cells.values()].flat().toSorted(older);
  return {
    entries,
    offer(candidate) {
      offered++;
      reachable.add(candidate);
      const closed = gates.find(gate => !gate.lets(candidate));
      if (closed !== undefined) {
        rejected.set(closed.name, (rejected.get(closed.name) ?? 0) + 1);
        return { admitted: false, gate: closed.name, displaced: null };
      }
      const entry = entryOf(candidate, { descriptors, quality, scope });
      const cell = JSON.stringify([entry.scope, entry.bin]);
      const held = cells.get(cell) ?? [];
      if (held.length === 0) cells.set(cell, held);
      const place = placeOf(entry, held);
      if (place === most) return { admitted: false, gate: null, displaced: null };
      const before = held[place];
      // The same trajectory once more changes nothing.
      if (before !== undefined && better(before, entry) === 0) return { admitted: true, gate: null, displaced: null };
      held.splice(place, 0, entry);
      return { admitted: true, gate: null, displaced: held.length > most ? (held.pop() ?? null) : null };
    },
    figures: () => ({
      scope,
      perBin,
      offered,
      gates: gates.map(({ name, about }) => ({ name, about, rejected: rejected.get(name) ?? 0 })),
      ...binFigures(entries(), {
        descriptors,
        reachable: reachable.bins(),
        letIn: offered - total([...rejected.values()]),
      }),
    }),
  };
}

function entryOf(
  candidate: Candidate,
  { descriptors, quality, scope }: Required<Pick<ArchiveOptions, 'descriptors' | 'quality' | 'scope'>>,
): ArchiveEntry {
  const { record, leaf, path, interventions } = candidate;
  const { run, key, round, index, task } = record.head;
  return {
    run,
    episode: key,
    round,
    index,
    leaf,
    scope: scope === 'task' ? task.id : `${task.environment}/${task.template}`,
    bin: descriptors.map(descriptor => labelOf(descriptor, candidate)),
    quality: qualityOf(quality, candidate),
    steps: path.length,
    interventions,
  };
}

function labelOf(descriptor: Descriptor, candidate: Candidate): string {
  const label = descriptor.of(candidate);
  if (descriptor.labels.includes(label) || descriptor.besides?.includes(label)) return label;
  throw invalidOption(
    `The descriptor "${descriptor.name}" gave the label "${label}".`,
    `Expected one of its own: ${descriptor.labels.join(', ')}.`,
  );
}

function qualityOf(quality: Quality, candidate: Candidate): number | null {
  const value = quality(candidate);
  if (value === null || Number.isFinite(value)) return value;
  throw invalidOption(`The quality of a candidate is ${value}.`, 'Expected a number, or null when nothing is known.');
}

/** How many of the held, which are ranked, are better. */
function placeOf(entry: ArchiveEntry, held: readonly ArchiveEntry[]): number {
  let low = 0;
  let high = held.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (better(held[middle] as ArchiveEntry, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Best quality first, unknown last; then shorter, then fewer interventions, then older. None but the same are equal. */
function better(left: ArchiveEntry, right: ArchiveEntry): number {
  if (left.quality !== right.quality) {
    if (left.quality === null) return 1;
    if (right.quality === null) return -1;
    return right.quality - left.quality;
  }
  return left.steps - right.steps || left.interventions - right.interventions || older(left, right);
}

function older(left: ArchiveEntry, right: ArchiveEntry): number {
  return (
    left.round - right.round ||
    left.index - right.index ||
    compare(left.run, right.run) ||
    compare(left.episode, right.episode) ||
    left.leaf - right.leaf
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

type Bin = readonly string[];

/** The bins that episodes like the offered ones can reach: others say nothing about coverage. */
function createReachableBins(descriptors: readonly Descriptor[]) {
  const bins = new Map<string, Bin>();
  const known = new Set<string>();
  return {
    add(candidate: Candidate): void {
      const possible = descriptors.map(descriptor => {
        const labels = descriptor.possible?.(candidate) ?? descriptor.labels;
        const own = labelOf(descriptor, candidate);
        return labels.includes(own) ? labels : [...labels, own];
      });
      const key = JSON.stringify(possible);
      if (known.has(key)) return;
      known.add(key);
      for (const bin of product(possible)) bins.set(JSON.stringify(bin), bin);
    },
    bins: (): readonly Bin[] => [...bins.values()],
  };
}

function product(labels: readonly Bin[]): Bin[] {
  return labels.reduce<Bin[]>((bins, own) => bins.flatMap(bin => own.map(label => [...bin, label])), [[]]);
}

interface BinsSeen {
  readonly descriptors: readonly Descriptor[];
  readonly reachable: readonly Bin[];
  /** Candidates that every gate let in. */
  readonly letIn: number;
}

function binFigures(entries: readonly ArchiveEntry[], { descriptors, reachable, letIn }: BinsSeen) {
  const described = descriptors.map((descriptor, place) => {
    const reached = new Set(reachable.map(bin => bin[place]));
    return descriptorFigures(
      descriptor,
      entries.map(({ bin }) => bin[place] as string),
      reached,
    );
  });
  const bins = reachable.length;
  const filled = new Set(entries.map(({ bin }) => JSON.stringify(bin))).size;
  const known = entries.flatMap(({ quality }) => (quality === null ? [] : [quality]));
  return {
    outranked: letIn - entries.length,
    entries: entries.length,
    scopes: new Set(entries.map(entry => entry.scope)).size,
    filled,
    bins,
    coverage: bins === 0 ? 0 : filled / bins,
    descriptors: described,
    meanQuality: known.length === 0 ? null : total(known) / known.length,
  };
}

function descriptorFigures(
  { name, labels, besides = [] }: Descriptor,
  entries: readonly string[],
  reached: ReadonlySet<string | undefined>,
): DescriptorFigures {
  const counted = [...labels, ...besides].filter(label => reached.has(label));
  const counts = counted.map((label): [string, number] => [label, entries.filter(own => own === label).length]);
  const filled = counts.filter(([, found]) => found > 0).length;
  return { name, labels: Object.fromEntries(counts), coverage: counts.length === 0 ? 0 : filled / counts.length };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
