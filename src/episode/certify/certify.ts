import type { Action } from '../../core/action.ts';
import type { Clock, Timers } from '../../core/clock.ts';
import type { Appearance, Environment, Session } from '../../core/contracts.ts';
import { addressOf, createDigest } from '../../core/digest.ts';
import type { Divergence, Outside } from '../../core/episode/certificate.ts';
import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Opener } from '../../core/episode/trail.ts';
import { invalidOption, type EspalierError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { StepOutcome, Task, Verdict } from '../../core/records.ts';
import type { TreeNode } from '../../core/tree.ts';
import { createBudget, limitsFor, type Limits } from '../cursor/budget.ts';
import { createGuard } from '../cursor/deadline.ts';
import { verdictOn } from '../cursor/verdict.ts';
import { closeQuietly, watchWorld } from '../cursor/watched-world.ts';

/** What was recorded on the way to one leaf. */
export interface RecordedPath {
  readonly task: Task;
  /** Digest of the initial state. */
  readonly root: string;
  readonly steps: readonly RecordedStep[];
  /** The screen at the leaf; null when it was not recorded. */
  readonly screen: string | null;
  /** The hash of its picture, or what moved in it; null when neither was recorded. */
  readonly appearance: Appearance | null;
  readonly verdict: Verdict;
}

interface RecordedStep extends Pick<TreeNode, 'id' | 'action' | 'outcome' | 'after'> {
  /** The screen that the step was taken on. */
  readonly screen: string;
  /** The address of its picture; null when none was kept. */
  readonly picture: string | null;
}

export type Finding =
  | { readonly certified: true; readonly outside?: Outside }
  | ({ readonly certified: false } & Omit<Divergence, 'result'>);

/** Longer texts are cut in a certificate. */
const mostCharacters = 300;

/**
 * Replays a path in a fresh session and compares every digest, observation, outcome and fingerprint, the pictures that were kept, the
 * one at the leaf, and the verdict. Throws what the session throws: a replay that breaks proves nothing.
 */
export async function certify(environment: Opener<Session>, path: RecordedPath): Promise<Finding> {
  const session = await environment.open(path.task);
  try {
    const found = await compare(session, path);
    if (found.certified) return found;
    const why = (await session.unsteady?.()) ?? null;
    return why === null ? found : { ...found, why };
  } finally {
    await closeQuietly(session);
  }
}

async function compare(session: Session, { root, steps, screen, appearance, verdict }: RecordedPath): Promise<Finding> {
  const screenAfter = (step: number): string | null => steps[step]?.screen ?? screen;
  const state = async (step: number, node: number, digest: string): Promise<Finding | null> => {
    const reached = await session.digest();
    if (reached !== digest) return differing({ step, node, what: 'digest' }, digest, reached);
    const recorded = screenAfter(step);
    if (recorded === null) return null;
    const { text, image } = await session.observe();
    if (text !== recorded) return differing({ step, node, what: 'observation' }, ...firstDifference(recorded, text));
    // Where the replay takes none, as the run did, only the last one is compared.
    const [picture, drawn] = [steps[step]?.picture ?? null, image && addressOf(image.data)];
    if (picture === null || drawn === undefined || picture === drawn) return null;
    return differing({ step, node, what: 'picture' }, picture, drawn);
  };
  let found = await state(0, 0, root);
  if (found !== null) return found;
  const outside = await noteOutside(session);
  let isFinished = false;
  for (const [index, { id: node, action, outcome, after }] of steps.entries()) {
    await outside.note(action);
    const step = await session.step(action);
    const [recorded, came] = [comparable(outcome), comparable(step)];
    if (!isSame(recorded, came))
      return differing({ step: index + 1, node, what: 'outcome' }, JSON.stringify(recorded), JSON.stringify(came));
    found = await state(index + 1, node, after);
    if (found !== null) return found;
    const marks = fingerprintsOf(outcome, step);
    if (marks !== null) return differing({ step: index + 1, node, what: 'fingerprint' }, ...marks);
    isFinished = outcome.end === 'terminated';
  }
  const cursor = { step: steps.length, node: steps.at(-1)?.id ?? 0 };
  const look = await pictureDifference(session, appearance);
  if (look !== null) return differing({ ...cursor, what: 'picture' }, ...look);
  const [recorded, came] = [asJson(verdict), asJson(verdictOn(await session.verify(), isFinished))];
  if (isSame(recorded, came)) return { certified: true, ...outside.found() };
  return differing({ ...cursor, what: 'verdict' }, JSON.stringify(recorded), JSON.stringify(came));
}

interface OutsideNotes {
  /** Told of each action before it is taken. */
  note(action: Action): Promise<void>;
  found(): { readonly outside?: Outside };
}

/** Notes what programs of others need to take the same path, where the world can tell. */
async function noteOutside(session: Session): Promise<OutsideNotes> {
  const conditions = await session.conditions?.();
  const locators: (string | null)[] = [];
  return {
    note: async action => void locators.push((await session.locator?.(action)) ?? null),
    found: () => (conditions === undefined ? {} : { outside: { conditions, locators } }),
  };
}

const noPicture =
  'no picture: the episode was recorded before leaves had one, or without its screen; collect it again to certify it';

/**
 * A screen that follows the real clock is never certified, be it at the leaf or in the replay: screens that look the same
 * do so by chance. A screen that can be drawn needs a recorded picture: without one there is nothing to compare.
 */
async function pictureDifference(session: Session, recorded: Appearance | null): Promise<[string, string] | null> {
  const look = await session.appearance?.();
  if (look === undefined) return recorded === null ? null : ['a screen that can be drawn', 'none'];
  if (recorded === null) return ['a picture that was recorded at the leaf', noPicture];
  if ('moving' in recorded) return ['a screen that stands still', `${recorded.moving}, when it was recorded`];
  if ('moving' in look) return ['a screen that stands still', look.moving];
  return recorded.picture === look.picture ? null : [recorded.picture, look.picture];
}

/** The path to a leaf that was verified, as its episode recorded it. */
export function pathTo(record: EpisodeRecord, leaf: number): RecordedPath {
  const { head, tree, end, leaves } = record;
  const own = leaves.findLast(({ node, verdict }) => node === leaf && verdict !== null);
  const verdict = own?.verdict ?? (end.leaf === leaf ? end.verdict : null);
  if (verdict === null) throw notVerified(head.key, leaf);
  return {
    task: head.task,
    root: tree.root,
    steps: tree.path(leaf).map(({ id, action, outcome, after }) => {
      const { screen } = record.situation(id);
      return { id, action, outcome, after, screen, picture: record.shot(id)?.hash ?? null };
    }),
    screen: own?.screen ?? null,
    appearance: appearanceAt(own),
    verdict,
  };
}

function appearanceAt(leaf: EpisodeRecord['leaves'][number] | undefined): Appearance | null {
  if (leaf?.moving !== undefined) return { moving: leaf.moving };
  return leaf?.picture === undefined ? null : { picture: leaf.picture };
}

/** Replays a recorded path in a fresh session, and says whether everything came out as recorded. */
export type ReplayPath = (path: RecordedPath) => Promise<Finding>;

export interface ReplayOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly limits?: Partial<Limits> | undefined;
}

/** Replays in this thread. The time limit of the episode does not apply; each answer keeps its deadline. */
export function replayIn(environment: Environment, { clock, timers, signal, limits }: ReplayOptions): ReplayPath {
  return path => {
    const budget = createBudget({ ...limitsFor(path.task, limits), milliseconds: Infinity }, clock);
    return certify(watchWorld(environment, createGuard({ budget, timers, signal })), path);
  };
}

function notVerified(episode: string, leaf: number): EspalierError {
  return invalidOption(
    `Node ${leaf} of episode ${episode} has no verdict.`,
    'Expected a leaf that the verifier has spoken on.',
  );
}

type Cursor = Pick<Divergence, 'step' | 'node' | 'what'>;

function differing(cursor: Cursor, expected: string, got: string): Finding {
  return { certified: false, ...cursor, expected: shortened(expected), got: shortened(got) };
}

function shortened(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
}

/** The first line that is not the same in both. */
function firstDifference(recorded: string, came: string): [string, string] {
  const [left, right] = [recorded.split('\n'), came.split('\n')];
  const at = left.findIndex((line, index) => line !== right[index]);
  const line = at < 0 ? left.length : at;
  return [left, right].map(lines => `line ${line + 1}: ${lines[line] ?? '(nothing)'}`) as [string, string];
}

/** All of an outcome but what a page did beside, and its fingerprint: whether a page was lost on the way says nothing of the path. */
function comparable({ incidents: _incidents, fingerprint: _fingerprint, ...outcome }: StepOutcome): Json {
  return asJson(outcome);
}

/** Both, where they differ. Older records have none. */
function fingerprintsOf({ fingerprint: recorded }: StepOutcome, { fingerprint: came }: StepOutcome) {
  if (recorded === undefined || came === undefined || recorded === came) return null;
  return [recorded, `${came} (focus, scrolling, listeners, timers, or where something lies on the screen)`] as const;
}

/** As it is stored: members without a value are not there. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

function isSame(left: Json, right: Json): boolean {
  const digest = createDigest();
  return digest(left) === digest(right);
}
