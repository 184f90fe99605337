import { actionKey, type Action } from '../action.ts';
import { after, isStateSession, type Session, type Snapshot, type StateSession } from '../contracts.ts';
import { diff, type Change } from '../diff.ts';
import { describeStep } from '../episode/view.ts';
import { causeText, EspalierError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { StepOutcome, Task } from '../records.ts';
import { withRole, wrapStateSession, type AnySession } from '../wrap-session.ts';

/** What happens with a step that breaks a contract: refused, refused until it is repeated, or taken and recorded. */
export type Mediation = 'block' | 'ask' | 'log';

/** A rule for the steps of an agent, held while the episode runs. */
export interface StepContract {
  /** A word, the same in every run: `no-delete`. */
  readonly id: string;
  /** The rule in a sentence: the agent is told it when a step is refused. */
  readonly about: string;
  readonly mediation: Mediation;
  /** Whether the step may be taken. It must depend on nothing but what it is given. */
  holds(step: ProposedStep): boolean;
}

/** A step that was not taken yet. */
export interface ProposedStep {
  readonly task: Task;
  readonly action: Action;
  /** What it does: `click button "Star" in "Lunch"`. */
  readonly description: string;
  readonly screen: string;
  /** The steps of this episode so far, for rules over a whole run. */
  readonly history: readonly PastStep[];
  /** The state before it, and what it would be after it; null where the environment does not show its state. */
  before(): Json | null;
  after(): Json | null;
  /**
   * What it would change in the state, whether it is a click, a call or a confirmation: judge steps by this. Null where the
   * environment does not show its state.
   */
  changes(): readonly Change[] | null;
}

export interface PastStep {
  readonly action: Action;
  readonly description: string;
  readonly applied: boolean;
  /** The contract that asked about this step. */
  readonly askedBy?: string;
}

/** What an outcome says of contracts: `contracts` names those in force at the first step, `contract` one that was broken. */
export const contractIncidents = { inForce: 'contracts', broken: 'contract' } as const;
export const contractProblem = 'contract';

interface MediatedSnapshot extends Snapshot {
  readonly inner: Snapshot;
  readonly history: readonly PastStep[];
}

/** The session with contracts in front of every step. Without contracts it is the session itself. */
export function mediateSession<S extends Session>(session: S, contracts: readonly StepContract[]): S {
  // Synchronous where the session is: nothing here waits unless the session does.
  return contracts.length === 0 ? session : (mediated(session, contracts, []) as S);
}

function mediated(session: AnySession, contracts: readonly StepContract[], start: readonly PastStep[]): AnySession {
  let history = start;
  return wrapStateSession<AnySession>(session, {
    step: take => action =>
      after(session.observe(), ({ text: screen }) => {
        const description = describeStep(action, screen);
        const broken = brokenBy({ session, contracts, history }, { action, description, screen });
        const stopped = broken.find(({ mediation }) => mediation === 'block') ?? askingIn(broken, action, history);
        const done = (outcome: StepOutcome): StepOutcome => {
          const askedBy = stopped?.mediation === 'ask' ? { askedBy: stopped.id } : {};
          const said = withIncidents(outcome, [
            ...(history.length === 0
              ? [{ kind: contractIncidents.inForce, detail: contracts.map(({ id }) => id).join(', ') }]
              : []),
            ...broken.map(({ id }) => ({ kind: contractIncidents.broken, detail: id })),
          ]);
          history = [...history, { action, description, applied: outcome.applied, ...askedBy }];
          return said;
        };
        return after(stopped === undefined ? take(action) : withRole(session, refusal(stopped)), done);
      }),
    snapshot: take => () => after(take(), inner => ({ owner: inner.owner, inner, history }) as MediatedSnapshot),
    restore: put => given =>
      after(put((given as MediatedSnapshot).inner), () => {
        ({ history } = given as MediatedSnapshot);
      }),
    forked: fork => mediated(fork, contracts, history),
  });
}

interface Place {
  readonly session: Session;
  readonly contracts: readonly StepContract[];
  readonly history: readonly PastStep[];
}

/** The contracts that a step would break, in their order. */
function brokenBy(
  { session, contracts, history }: Place,
  proposed: Pick<ProposedStep, 'action' | 'description' | 'screen'>,
): readonly StepContract[] {
  const before = (): Json | null => (isStateSession(session) ? session.state() : null);
  let reached: Json | undefined;
  const stateAfter = (): Json | null => {
    if (!isStateSession(session)) return null;
    // Several contracts may ask: the step is tried once.
    reached ??= stateReached(session, proposed.action);
    return reached;
  };
  const step: ProposedStep = {
    ...proposed,
    task: session.task,
    history,
    before,
    after: stateAfter,
    changes() {
      const [from, to] = [before(), stateAfter()];
      return from === null || to === null ? null : diff(from, to);
    },
  };
  return contracts.filter(contract => {
    try {
      const holds: unknown = contract.holds(step);
      if (typeof holds === 'boolean') return !holds;
      throw new TypeError(`\`holds\` returned ${holds instanceof Promise ? 'a promise' : typeof holds}`);
    } catch (cause) {
      throw new EspalierError({
        boundary: 'environment',
        code: 'invalid-module',
        message: `The contract "${contract.id}" threw: ${causeText(cause)}.`,
        expected: 'Expected `holds` to return true or false for every step.',
        cause,
      });
    }
  });
}

function stateReached(session: StateSession, action: Action): Json {
  const tried = session.fork();
  tried.step(action);
  return tried.state();
}

/** The first contract that asks about a step. A step that an agent repeats after it was asked is confirmed, for all that ask. */
function askingIn(
  broken: readonly StepContract[],
  action: Action,
  history: readonly PastStep[],
): StepContract | undefined {
  const last = history.at(-1);
  if (last?.askedBy !== undefined && actionKey(last.action) === actionKey(action)) return undefined;
  return broken.find(({ mediation }) => mediation === 'ask');
}

function refusal({ id, about, mediation }: StepContract): StepOutcome {
  const advice = mediation === 'ask' ? ' Take the same step again if it is meant.' : '';
  return { applied: false, problem: { code: contractProblem, message: `Contract ${id}: ${about}${advice}` } };
}

function withIncidents(outcome: StepOutcome, said: NonNullable<StepOutcome['incidents']>): StepOutcome {
  return said.length === 0 ? outcome : { ...outcome, incidents: [...(outcome.incidents ?? []), ...said] };
}
