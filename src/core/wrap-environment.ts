import {
  after,
  environmentMembers,
  type Awaitable,
  type Environment,
  type Session,
  type StateEnvironment,
} from './contracts.ts';
import type { Task } from './records.ts';

/** An environment that may show the states of its sessions. */
type AnyEnvironment = Environment & Partial<Pick<StateEnvironment, 'verifier'>>;

type Member = keyof AnyEnvironment;

/** What a wrapper does to an environment. Members that it does not name are passed on; one that it sets to undefined is gone. */
type EnvironmentWrapper = {
  /** `openWarm` goes with `open`: who opens another way opens so always. */
  readonly [M in Member]?: AnyEnvironment[M] | undefined;
} & {
  /** What becomes of every session, however it was opened. */
  opened?(session: Session, task: Task): Awaitable<Session>;
};

const members = Object.keys(environmentMembers) as Member[];

/** The same environment with some members changed. What shows the states of its sessions is not passed on. */
export function wrapEnvironment(environment: Environment, wrapper: EnvironmentWrapper): Environment {
  return wrapStateEnvironment(environment, { verifier: undefined, ...wrapper });
}

/** Like `wrapEnvironment`, for wrappers that agents with privileged access look through. */
export function wrapStateEnvironment(environment: AnyEnvironment, wrapper: EnvironmentWrapper): AnyEnvironment {
  const { opened } = wrapper;
  // What a family has beside the contract, such as the controls of a folder of pages, is passed on as it is.
  const own = Object.entries(environment).filter(([name]) => !(name in environmentMembers));
  const made: Partial<Record<Member, unknown>> = Object.fromEntries(own);
  for (const name of members) {
    const isReplaced = name in wrapper || (name === 'openWarm' && 'open' in wrapper);
    const member: unknown = isReplaced ? wrapper[name] : environment[name];
    if (member === undefined) continue;
    // Bound, as environments may be objects of a class.
    made[name] = typeof member === 'function' && !isReplaced ? (member.bind(environment) as unknown) : member;
  }
  if (opened === undefined) return made as AnyEnvironment;
  const { open, openWarm } = made as AnyEnvironment;
  const through =
    (from: Environment['open']): Environment['open'] =>
    task =>
      after(from(task), session => orClosed(session, () => opened(session, task)));
  made.open = through(open);
  if (openWarm !== undefined) made.openWarm = through(openWarm);
  return made as AnyEnvironment;
}

/** A session that its wrapper refuses is closed: nobody else knows of it. */
function orClosed(session: Session, wrap: () => Awaitable<Session>): Awaitable<Session> {
  const refuse = (cause: unknown): Awaitable<never> =>
    after(session.close(), () => {
      throw cause;
    });
  try {
    const wrapped = wrap();
    return wrapped instanceof Promise ? wrapped.catch(refuse) : wrapped;
  } catch (cause) {
    return refuse(cause);
  }
}
