import { after, basicPowers, type Environment, type Session } from '../../core/contracts.ts';
import { causeText, EspalierError, invalidModule } from '../../core/errors.ts';

/** An environment that a module of the user's exports, as it is: what it does wrong is told with the module and the member. */
export function moduleEnvironment(environment: Environment, path: string): Environment {
  return new Proxy(environment, {
    get(target, name) {
      const value: unknown = reading(path, String(name), () => Reflect.get(target, name, target));
      if (typeof value !== 'function') return value;
      const call = (...given: unknown[]): unknown => Reflect.apply(value, target, given);
      if (name === 'task') return (...given: unknown[]) => settled(path, 'task()', () => call(...given));
      // What breaks while a world opens costs its episode; what opens must be a session.
      if (name === 'open' || name === 'openWarm')
        return (...given: unknown[]) => after(call(...given), session => requireSession(session, path));
      return call;
    },
  });
}

function settled(path: string, what: string, made: () => unknown): unknown {
  const value = reading(path, what, made);
  if (!(value instanceof Promise)) return value;
  return value.catch((cause: unknown) => {
    throw wrong(path, what, cause);
  });
}

/** Reads something of a module, or calls it. */
export function reading<T>(path: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw wrong(path, what, cause);
  }
}

function wrong(path: string, what: string, cause: unknown): EspalierError {
  if (cause instanceof EspalierError) return cause;
  return invalidModule(
    `The module ${path} cannot be used: its ${what} throws: ${causeText(cause)}.`,
    'Correct it there.',
  );
}

function requireSession(session: unknown, path: string): Session {
  const missing = basicPowers.filter(power => {
    const given = typeof session === 'object' && session !== null;
    const value = given
      ? reading(path, `session.${power}`, () => (session as Record<string, unknown>)[power])
      : undefined;
    return power === 'task' ? value === undefined : typeof value !== 'function';
  });
  if (missing.length === 0) return session as Session;
  throw invalidModule(
    `The module ${path} cannot be used: the session that its environment opens has no ${missing.join(', ')}.`,
    `Expected a session with ${basicPowers.join(', ')}.`,
  );
}
