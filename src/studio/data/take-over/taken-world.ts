import { hash } from 'node:crypto';
import type { Action } from '../../../core/action.ts';
import type { ModelCall } from '../../../core/chat/model.ts';
import type { Environment } from '../../../core/contracts.ts';
import { isStateSession } from '../../../core/contracts.ts';
import type { Decision, Policy, Teacher } from '../../../core/episode/agents.ts';
import type { EpisodeEnd, EpisodeEvent, EpisodeHead } from '../../../core/episode/events.ts';
import type { EpisodeLog } from '../../../core/episode/journal.ts';
import { createCallWriter } from '../../../core/episode/call-log.ts';
import { describeStep } from '../../../core/episode/view.ts';
import { EspalierError } from '../../../core/errors.ts';
import { defined } from '../../../core/json.ts';
import { createRandom } from '../../../core/random.ts';
import type { Verdict } from '../../../core/records.ts';
import type { Actor } from '../../../core/tree.ts';
import type { Cursor, PlannedStep } from '../../../episode/cursor/cursor.ts';
import { createLifecycle, type Lifecycle } from '../../../episode/cursor/lifecycle.ts';
import { failureReason, verifiedResult } from '../../../episode/cursor/result.ts';
import { createTrail } from '../../../worlds/trail.ts';
import type { Advice, OfferedAction, TakenStep } from '../../api/api.ts';
import type { Host } from '../../../runs/host/host.ts';
import type { BranchPrefix } from './branch-prefix.ts';
import { DraftWriteError, type Draft } from './draft.ts';

export interface TakenWorldOptions {
  readonly environment: Environment;
  readonly head: EpisodeHead;
  /** What was recorded of it so far; no events where the task is opened at its start. */
  readonly prefix: BranchPrefix & { readonly attachments?: readonly Uint8Array[] };
  /** Where the branch is written while it grows. */
  readonly draft: Draft;
  /** The draft has what was recorded so far. */
  readonly isResumed: boolean;
  readonly host: Host;
}

/** A branch as it will stand in the journal. */
export interface WrittenBranch {
  readonly events: readonly EpisodeEvent[];
  readonly end: EpisodeEnd;
  readonly attachments: readonly Uint8Array[];
}

/** The world of an episode, restored at a node and compared, for a person and the agents that the person asks. */
export interface TakenWorld {
  readonly digest: string;
  look(): Promise<{ readonly screen: string; readonly candidates: readonly OfferedAction[] }>;
  /** The node where it stands. A step that was taken back and another in its place have different nodes. */
  at(): number;
  steps(): readonly TakenStep[];
  hasEnded(): boolean;
  step(step: PlannedStep, actor: Actor): Promise<void>;
  /** Takes the last step back. */
  undo(): Promise<void>;
  advise(agent: AskedAgent): Promise<Advice & { readonly decision: Decision }>;
  verify(): Promise<Verdict>;
  /** Ends it, with the first step after the prefix as a correction when there is a step to replace. */
  finish(by: Actor, reason: string): Promise<WrittenBranch>;
  close(): Promise<void>;
}

export type AskedAgent =
  | { readonly role: 'student'; readonly agent: Policy }
  | { readonly role: 'teacher'; readonly agent: Teacher; readonly rejected: Action | null };

/** A person may think for long; a world that takes longer counts as broken. */
const limits = { steps: Infinity, forks: Infinity, leaves: Infinity, waitMilliseconds: 120_000 };

/** Stands after a step that could not be written where it stood before it. */
export async function openTakenWorld(options: TakenWorldOptions): Promise<TakenWorld> {
  let current = await openWorld(options);
  const orGoBack = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof DraftWriteError)) throw cause;
      // The tree of the old world has the step; a new one is opened with what was written.
      const prefix = { ...options.prefix, ...current.written() };
      const opened = await openWorld({ ...options, prefix, isResumed: true });
      await current.close();
      current = opened;
      throw cause;
    }
  };
  return {
    digest: current.digest,
    look: () => current.look(),
    at: () => current.at(),
    steps: () => current.steps(),
    hasEnded: () => current.hasEnded(),
    step: (step, actor) => orGoBack(() => current.step(step, actor)),
    undo: () => orGoBack(() => current.undo()),
    advise: agent => orGoBack(() => current.advise(agent)),
    verify: () => current.verify(),
    finish: (by, reason) => current.finish(by, reason),
    close: () => current.close(),
  };
}

interface OpenedWorld extends TakenWorld {
  written(): Written;
}

async function openWorld(options: TakenWorldOptions): Promise<OpenedWorld> {
  const { environment, head, prefix, draft, isResumed, host } = options;
  let isGrowing = !isResumed;
  const written: { events: EpisodeEvent[]; end: EpisodeEnd | null; attachments: Uint8Array[] } = {
    events: [],
    end: null,
    attachments: [],
  };
  const log: EpisodeLog = {
    // Written first: what could not be written did not happen.
    attach(data) {
      if (isGrowing) draft.attach(data);
      written.attachments.push(data);
      return addressOf(data);
    },
    append(event) {
      if (isGrowing) draft.append(event);
      written.events.push(event);
    },
    end: end => void (written.end = end),
  };
  const { signal } = new AbortController();
  const { clock, timers } = host;
  const lifecycle = createLifecycle({ environment, task: head.task, log, limits, clock, timers, signal, createTrail });
  try {
    const cursor = await openCursor(lifecycle, prefix.events);
    const { start } = prefix;
    takeRecorded(written, prefix);
    if (!isResumed) for (const event of prefix.events) draft.append(event);
    isGrowing = true;
    return {
      ...lookingAt(cursor, start, written.events),
      ...movingIn(cursor, { start, lifecycle, seed: head.key }),
      async finish(by, reason) {
        const verdict = await cursor.verify();
        isGrowing = false;
        markCorrection(lifecycle, { cursor, start, replaces: prefix.replaces, by, reason });
        cursor.leaf({ role: 'main', verdict, from: null });
        const stopped = cursor.ended() === 'terminated' ? null : 'not finished';
        const end = lifecycle.end(verifiedResult(verdict, failureReason(verdict, stopped)), cursor.at());
        await lifecycle.close();
        return { events: written.events, end, attachments: written.attachments };
      },
      close: lifecycle.close,
      written: () => ({ events: [...written.events], attachments: [...written.attachments] }),
    };
  } catch (cause) {
    await lifecycle.close();
    throw cause;
  }
}

/** Opens the task, and walks to where the branch stands. */
async function openCursor(lifecycle: Lifecycle, recorded: readonly EpisodeEvent[]): Promise<Cursor> {
  if (recorded.length === 0) return lifecycle.open();
  const walked = recorded.filter(({ kind }) => kind !== 'call');
  const { cursors, diverged } = await lifecycle.resume(lifecycle.record(walked), { open: new Set([0]), lastNumber: 0 });
  const divergence = diverged.get(0);
  if (divergence !== undefined) throw divergence;
  return cursors.get(0) as Cursor;
}

interface Written {
  readonly events: EpisodeEvent[];
  readonly attachments: Uint8Array[];
}

/** Puts what was recorded before first: a world that is resumed does not write it again. */
function takeRecorded(written: Written, { events, attachments = [] }: TakenWorldOptions['prefix']): void {
  if (events.length > 0) written.events.splice(0, written.events.length, ...events);
  written.attachments.push(...attachments);
}

function addressOf(data: Uint8Array): string {
  return hash('sha256', data, 'hex');
}

type Looking = Pick<TakenWorld, 'digest' | 'at' | 'look' | 'steps' | 'hasEnded' | 'verify'>;

function lookingAt(cursor: Cursor, start: number, events: readonly EpisodeEvent[]): Looking {
  const lineOf = (node: number): string => {
    const found = events.find(event => event.kind === 'step' && event.node.id === node);
    return found?.kind === 'step' ? found.text : '';
  };
  return {
    digest: cursor.tree.digest(start),
    at: () => cursor.at(),
    hasEnded: () => cursor.ended() !== null || cursor.left('steps') <= 0,
    verify: () => cursor.verify(),
    steps: () =>
      cursor.tree
        .path(cursor.at())
        .filter(({ id }) => id > start)
        .map(({ id, actor, outcome }) => ({
          id,
          text: lineOf(id),
          by: `${actor.role} ${actor.name}`,
          problem: outcome.problem?.message ?? null,
          result: outcome.result ?? null,
        })),
    async look() {
      const { text } = await cursor.observe();
      const candidates = cursor.ended() === null ? ((await cursor.trail.session().candidates?.()) ?? []) : [];
      return {
        screen: text,
        candidates: candidates.map(({ action, role, name, value, within = [] }) => ({
          action,
          ...(role === undefined ? {} : { role }),
          ...(name === undefined ? {} : { name }),
          ...(value === undefined ? {} : { value }),
          text: describeStep(action, text),
          within: within.join(' › '),
        })),
      };
    },
  };
}

interface MovingOptions {
  readonly start: number;
  readonly lifecycle: Lifecycle;
  readonly seed: string;
}

function movingIn(cursor: Cursor, options: MovingOptions): Pick<TakenWorld, 'step' | 'undo' | 'advise'> {
  const { start, lifecycle, seed } = options;
  const writeCall = createCallWriter(lifecycle.attach);
  return {
    async step(step, actor) {
      await cursor.step(step, { actor });
      const { cost, tokens } = step;
      lifecycle.budget.charge(defined({ cost, tokens }));
    },
    async undo() {
      if (cursor.at() === start) throw nothingToUndo();
      await cursor.rollback(cursor.tree.node(cursor.at()).parent);
    },
    async advise(asked) {
      const { agent } = asked;
      const view = { ...(await cursor.view()), random: createRandom(`${seed} ${cursor.at()}`) };
      const by: Actor = { role: asked.role, name: agent.name };
      const recordCall = (call: ModelCall): void =>
        lifecycle.append(writeCall(call, { by, at: cursor.at(), cursor: cursor.number }));
      const decision = await ask(cursor, asked, { ...view, recordCall });
      const { action, thought = null } = decision;
      const text = action === null ? 'knows no next step' : describeStep(action, view.observation.text);
      return { by: agent.name, action, text, thought, decision };
    },
  };
}

type AskedView = Parameters<Policy['act']>[0];

async function ask(cursor: Cursor, asked: AskedAgent, view: AskedView): Promise<Decision> {
  if (asked.agent.privileged !== true) {
    if (asked.role === 'student') return asked.agent.act(view);
    return asked.agent.correct({ view, reason: 'A person asks for the next step.', rejected: asked.rejected });
  }
  const session = await cursor.trail.session().fork?.();
  if (session === undefined || !isStateSession(session)) throw noState(asked.agent.name);
  try {
    if (asked.role === 'student') return await asked.agent.act(view, session);
    const request = { view, reason: 'A person asks for the next step.', rejected: asked.rejected };
    return await asked.agent.correct(request, session);
  } finally {
    session.close();
  }
}

interface CorrectionMark {
  readonly cursor: Cursor;
  readonly start: number;
  readonly replaces: number | null;
  readonly by: Actor;
  readonly reason: string;
}

/** Says that the first step of the branch stands in the place of the one that was rejected. */
function markCorrection({ append, budget }: Lifecycle, { cursor, start, replaces, by, reason }: CorrectionMark): void {
  const first = cursor.tree.path(cursor.at()).find(({ id }) => id > start);
  if (replaces === null || first === undefined) return;
  append({ kind: 'review', nodes: [replaces], by, accept: false, at: replaces, reason, retries: 0 });
  append({ kind: 'correction', node: first.id, replaces, reason });
  for (const what of ['reviews', 'shown', 'corrections', 'interventions'] as const) budget.count(what);
}

function nothingToUndo(): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'invalid-action',
    message: 'There is no step to take back.',
    expected: 'Take a step first.',
  });
}

function noState(name: string): EspalierError {
  return new EspalierError({
    boundary: 'input',
    code: 'unsupported',
    message: `${name} looks at the state of the world, which this environment does not show.`,
    expected: 'Ask somebody who looks at the screen.',
  });
}
