import type { Awaitable, Planner, StateSession, Verifier } from '../../core/contracts.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import { causeText, invalidModule } from '../../core/errors.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { Random } from '../../core/random.ts';
import { createTrace, stepCount, type Trace } from './trace.ts';

/** What a signal says of a step, or of the whole episode. */
export interface Annotation {
  /** The step; null for the episode. */
  readonly node: number | null;
  /** What it is, in a word: `revisit`. */
  readonly label: string;
  readonly value?: number;
  /** For people. */
  readonly note?: string;
}

/** What a label is said of. A `leaf` is the last step of a branch that was verified; a `group` is all episodes of a task. */
export type Scope = 'step' | 'leaf' | 'episode' | 'group';

/**
 * Annotates episodes. It reads nothing but what it is given: the same episodes give the same annotations, and every finished
 * episode gives some or none. A change of what it says is a new version.
 */
export interface Signal extends Entry {
  /** 1 when left out. Annotations of another version are computed again. */
  readonly version?: number;
  /** Its labels, so that expressions can be checked before anything is read. A module may leave them out. */
  readonly labels?: Readonly<Record<string, Scope>>;
  annotate(episode: EpisodeRecord, trace: Trace): Iterable<Annotation>;
  /** Says nothing unless episodes are played again. */
  readonly needsForks?: true;
  /** What it says when the episode can be played again: only with --forks. */
  readonly forks?: (episode: EpisodeRecord, world: ForkWorld) => Awaitable<Iterable<Annotation>>;
  /** What it says of episodes in comparison with the others of their task. */
  readonly group?: GroupPart;
}

/** Compares the episodes of a task. Each is kept as a small profile, so that a run of any length fits into memory. */
export interface GroupPart<P = unknown> {
  /** With `usesForks` and --forks the episode can be played again, too. */
  profile(episode: EpisodeRecord, trace: Trace, world?: ForkWorld): P;
  /** Says more when episodes are played again. */
  readonly usesForks?: true;
  compare(members: readonly GroupMember<P>[]): Iterable<GroupAnnotation>;
}

export interface GroupMember<P = unknown> {
  /** Key of the episode. */
  readonly episode: string;
  readonly profile: P;
}

/** Of one episode of the group, or of the group itself: then `episode` and `node` are null. */
export interface GroupAnnotation extends Annotation {
  readonly episode: string | null;
}

/** An episode that is played again in its environment, so that every state of it can be continued from. */
export interface ForkWorld {
  readonly planner: Planner;
  /** Judges states that the episode did not reach. */
  readonly verifier: Verifier;
  /** A session in the state after this step, 0 for the start: a fork, free to spoil. */
  at(node: number): StateSession;
  /** Continues to an end with the policy under study; whether it passed. */
  continueFrom(session: StateSession, random: Random): Awaitable<boolean>;
}

export type Annotated = Annotation & { readonly signal: string };

/** `loops@1`: annotations of another version are not mixed with these. */
export function versionOf({ name, version = 1 }: Signal): string {
  return `${name}@${version}`;
}

/** What signals say of an episode, in the order of the signals and of their annotations. Throws what a signal does wrong, by name. */
export function annotate(
  episode: EpisodeRecord,
  signals: readonly Signal[],
  trace = createTrace(episode),
): readonly Annotated[] {
  return signals.flatMap(signal => {
    const found = guarded(
      () => placeOf(signal, episode),
      () => [...signal.annotate(episode, trace)],
    );
    return checkAnnotations({ signal, episode, last: trace.steps.length }, found);
  });
}

/** What signals say of an episode that is played again. */
export async function annotateForks(
  episode: EpisodeRecord,
  signals: readonly Signal[],
  world: ForkWorld,
): Promise<readonly Annotated[]> {
  const said: Annotated[] = [];
  const last = stepCount(episode.tree);
  for (const signal of signals) {
    if (signal.forks === undefined) continue;
    const found = [...(await signal.forks(episode, world))];
    said.push(...checkAnnotations({ signal, episode, last }, found));
  }
  return said;
}

function placeOf({ name }: Signal, { head }: EpisodeRecord): string {
  return `Signal "${name}", episode ${head.key}`;
}

function guarded<T>(where: () => string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw invalidModule(
      `${where()}: \`annotate\` threw: ${causeText(cause)}.`,
      'Expected annotations, or none, of every episode.',
    );
  }
}

interface Said {
  readonly signal: Signal;
  readonly episode: EpisodeRecord;
  /** The number of its last step. */
  readonly last: number;
}

function checkAnnotations({ signal, episode, last }: Said, found: readonly unknown[]): Annotated[] {
  return found.map(annotation => {
    const wrong = problemOf(annotation, last);
    if (wrong !== null)
      throw invalidModule(`${placeOf(signal, episode)}: ${wrong}`, 'Expected { node, label, value?, note? }.');
    return { signal: signal.name, ...plain(annotation as Annotation) };
  });
}

function plain({ node, label, value, note }: Annotation): Annotation {
  return { node, label, ...(value === undefined ? {} : { value }), ...(note === undefined ? {} : { note }) };
}

/** What a signal says of the episodes of one task. */
export function annotateGroup(
  signal: Signal,
  members: readonly GroupMember[],
): readonly (Annotated & GroupAnnotation)[] {
  const where = `Signal "${signal.name}", a group of ${members.length}`;
  const found = guarded(
    () => where,
    () => [...(signal.group as GroupPart).compare(members)],
  );
  const keys = new Set(members.map(({ episode }) => episode));
  return found.map(annotation => {
    const wrong = problemOf(annotation, Infinity);
    if (wrong !== null) throw invalidModule(`${where}: ${wrong}`, 'Expected { episode, node, label, value?, note? }.');
    const { episode } = annotation;
    if (episode !== null && !keys.has(episode))
      throw invalidModule(`${where}: "${episode}" is no episode of the group.`, 'Expected the key of one, or null.');
    return { signal: signal.name, episode, ...plain(annotation) };
  });
}

const longestLabel = 64;

/** What is wrong with an annotation; null when nothing is. */
function problemOf(annotation: unknown, last: number): string | null {
  if (typeof annotation !== 'object' || annotation === null) return 'an annotation is no object.';
  const { node, label, value, note } = annotation as Partial<Record<keyof Annotation, unknown>>;
  if (typeof label !== 'string' || label === '' || label.length > longestLabel)
    return `the label of an annotation is no text of 1 to ${longestLabel} characters.`;
  if (node !== null && !(Number.isInteger(node) && (node as number) >= 1 && (node as number) <= last))
    return `"${label}" is of node ${String(node)}, and the steps are 1 to ${last}; null is for the whole episode.`;
  if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value)))
    return `the value of "${label}" is no finite number.`;
  return note === undefined || typeof note === 'string' ? null : `the note of "${label}" is no text.`;
}
