import type { Action } from '../../core/action.ts';
import type { Candidate, Snapshot, StateEnvironment, StateSession } from '../../core/contracts.ts';
import { createDigest, type Digest } from '../../core/digest.ts';
import { EspalierError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { sealTask, type StepOutcome, type Task } from '../../core/records.ts';
import { wrapStateEnvironment } from '../../core/wrap-environment.ts';
import { wrapStateSession } from '../../core/wrap-session.ts';
import { refusal } from '../../worlds/rules/rule-session.ts';

/** Who decides where, and who decides what is done there. */
const splitRoles = ['planner', 'executor'] as const;

/** The element that the planner pointed at; null when it is the planner's turn. */
type Pointed = string | null;

/**
 * The same app for two agents. The planner sees the whole screen and points at an element, or finishes. The executor can use
 * that element alone, and then it is the planner's turn again. So every step of one agent alone is two steps here.
 */
export function splitEnvironment(environment: StateEnvironment): StateEnvironment {
  const id = `team-${environment.id}`;
  const digest = createDigest();
  const outer = (task: Task): Task =>
    sealTask({
      ...task,
      id: `team-${task.id}`,
      environment: id,
      budget: { ...task.budget, steps: 2 * task.budget.steps },
    });
  const inner = (task: Task): Task =>
    sealTask({
      ...task,
      id: task.id.replace(/^team-/, ''),
      environment: environment.id,
      budget: { ...task.budget, steps: task.budget.steps / 2 },
    });
  return wrapStateEnvironment(environment, {
    id,
    title: `${environment.title}, for a planner and an executor`,
    tools: [],
    roles: splitRoles,
    task: (template, seed) => outer(environment.task(template, seed)),
    open: task => split(environment.open(inner(task)), { task, digest, pointed: null }),
    verifier(task) {
      const own = environment.verifier(inner(task));
      const bare = (state: JsonObject): JsonObject => {
        const { team: _team, ...rest } = state;
        return rest;
      };
      return { ...own, verify: (final, ending) => own.verify(bare(final as JsonObject), ending) };
    },
  }) as StateEnvironment;
}

interface SplitState {
  readonly task: Task;
  readonly digest: Digest;
  readonly pointed: Pointed;
}

interface SplitSnapshot extends Snapshot {
  readonly below: Snapshot;
  readonly pointed: Pointed;
}

function split(session: StateSession, { task, digest, pointed: start }: SplitState): StateSession {
  let pointed = start;
  const owner = `team of ${task.id}`;
  const role = (): string => (pointed === null ? 'planner' : 'executor');
  const step = (take: StateSession['step'], action: Action): StepOutcome => {
    const by = role();
    if (pointed === null) {
      if (action.kind === 'finish') return { ...take(action), role: by };
      const ref = pointedBy(session, action);
      if (ref === null)
        return {
          ...refusal('not-allowed', 'The planner points at an element that can be used, or finishes.'),
          role: by,
        };
      pointed = ref;
      return { applied: true, role: by };
    }
    if (!('ref' in action) || action.ref !== pointed)
      return { ...refusal('not-allowed', `The executor uses ${pointed}, which the planner pointed at.`), role: by };
    const outcome = take(action);
    // Also where it was refused: the planner may point elsewhere.
    pointed = null;
    return { ...outcome, role: by };
  };
  const wrapped = wrapStateSession(session, {
    task: () => task,
    observe: look => () => ({ text: shownTo(look().text, pointed) }),
    step: take => action => step(take as StateSession['step'], action),
    digest: ask => () => digest({ below: ask(), pointed }),
    candidates: list => () => offered(list(), pointed),
    state: read => () => ({ ...(read() as JsonObject), team: { turn: role(), pointed } }),
    guide: ask => () => {
      const guide = ask();
      // Only the planner can finish.
      return pointed === null ? guide : { ...guide, unmet: Math.max(1, guide.unmet) };
    },
    snapshot: take => () => ({ owner, below: take(), pointed }) as SplitSnapshot,
    restore: put => given => {
      const { below, pointed: then, owner: whose } = given as SplitSnapshot;
      if (whose !== owner) throw foreign(owner, whose);
      put(below);
      pointed = then;
    },
    forked: fork => split(fork, { task, digest, pointed }),
  });
  return { ...wrapped, role };
}

/** The element that an action of the planner points at; null for none that can be used. */
function pointedBy(session: StateSession, action: Action): Pointed {
  if (!('ref' in action)) return null;
  const { ref } = action;
  return session.candidates().some(one => 'ref' in one.action && one.action.ref === ref) ? ref : null;
}

/** Each element once for the planner; what can be done with the element for the executor. */
function offered(candidates: readonly Candidate[], pointed: Pointed): readonly Candidate[] {
  if (pointed !== null) return candidates.filter(({ action }) => 'ref' in action && action.ref === pointed);
  const byRef = new Map<string, Candidate>();
  for (const one of candidates)
    if ('ref' in one.action && !byRef.has(one.action.ref))
      byRef.set(one.action.ref, { ...one, action: { kind: 'click', ref: one.action.ref } });
  return [...byRef.values()];
}

/** The executor can act on one element of the screen; the planner clicks on any, also where there is something to enter. */
function shownTo(text: string, pointed: Pointed): string {
  if (pointed === null)
    return text.replaceAll(
      /(\[e\d+\] )(textbox|combobox) "/g,
      (_, mark: string, role: string) => `${mark}${pointable[role]} "`,
    );
  return text.replaceAll(/\[(e\d+)\] /g, (mark, ref: string) => (ref === pointed ? mark : ''));
}

const pointable: Readonly<Record<string, string>> = { textbox: 'field', combobox: 'choice' };

function foreign(owner: string, given: unknown): EspalierError {
  return new EspalierError({
    boundary: 'environment',
    code: 'foreign-snapshot',
    message: `A snapshot of "${String(given)}" was given to "${owner}".`,
    expected: 'Restore a snapshot in the session that took it, or in a fork of it.',
  });
}
