import { invalidOption } from '../../core/errors.ts';
import { isLoopback } from '../../serve/http.ts';
import { createKeyGuard } from '../../serve/key-guard.ts';
import type { Keys } from '../../serve/sessions/keys.ts';
import type { ServerPlace } from '../../serve/sessions/place.ts';
import { createSystemClock } from '../../system/clock.ts';

export interface ServeOptions {
  readonly task?: string | undefined;
  readonly option?: readonly string[] | undefined;
  readonly host: string;
  readonly port?: number | undefined;
  readonly rolloutModels?: readonly string[] | undefined;
  readonly idle: number;
  readonly sessions?: number | undefined;
  readonly clientSessions: number;
  readonly heldOut?: boolean | undefined;
  readonly otlp?: string | undefined;
  /** So many processes behind one address. */
  readonly processes?: number | undefined;
  /** Addresses of servers that this one is the address of. */
  readonly behind?: readonly string[] | undefined;
  /** Where this server stands among those behind one address. */
  readonly place?: Omit<ServerPlace, 'keyOf'> | undefined;
  readonly out?: string | undefined;
  readonly log?: string | undefined;
  readonly json?: boolean | undefined;
  /** Ports of further protocols, by the names of their flags. */
  readonly [port: string]: unknown;
}

export const usual = { port: 8900, sessions: 10_000, protocolSessions: 256 };

/** What the flag of a protocol is called among the options: `nemoGym`. */
export function optionOf(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const keyNames = { student: 'ESPALIER_STUDENT_KEY', teacher: 'ESPALIER_TEACHER_KEY' };
const shortestKey = 16;

/** Keys do not stand on the command line, where other users of the machine could read them. */
export function keysFor(host: string): Keys {
  const student = process.env[keyNames.student] ?? null;
  const teacher = process.env[keyNames.teacher] ?? null;
  if (student === null && !isLoopback(host))
    throw invalidOption(
      `At ${host} other machines can reach the server, and it has no key.`,
      `Set ${keyNames.student} to a long random text, or leave out --host.`,
    );
  for (const [name, key] of [
    [keyNames.student, student],
    [keyNames.teacher, teacher],
  ] as const)
    if (key !== null && key.length < shortestKey)
      throw invalidOption(
        `${name} has ${key.length} characters.`,
        `Expected at least ${shortestKey}, drawn at random.`,
      );
  if (student !== null && student === teacher)
    throw invalidOption('The keys of students and of teachers are the same.', 'Expected two different ones.');
  return { student, teacher, guard: createKeyGuard(createSystemClock()) };
}
