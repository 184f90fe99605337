import type { Environment } from '../../core/contracts.ts';
import type { DrivenEpisode } from '../../episode/driven/contract.ts';
import { createSemaphore, type InTurn } from '../../core/semaphore.ts';
import type { Offer } from '../mcp/offer.ts';
import type { Role } from './keys.ts';
import type { LastAnswer } from './session-file.ts';

/** Somebody who opens sessions: one connection. */
export interface Client {
  /** Recorded as the student of its episodes. */
  readonly name: string;
  readonly role: Role;
  /** Stands for everybody without a connection: together they have at most half of all places. */
  readonly isShared?: boolean;
}

/** Who opens sessions without a connection, such as over HTTP. */
export const unconnected: Readonly<Record<Role, Client>> = {
  student: { name: 'http', role: 'student', isShared: true },
  teacher: { name: 'http', role: 'teacher', isShared: true },
};

export interface ServedEnvironment {
  readonly environment: Environment;
  readonly offer: Offer;
}

/** A world that a client acts in. */
export interface ServedSession {
  /** Hard to guess: who knows it may act in it. */
  readonly id: string;
  /** Outlives its connection, and a restart of the server. */
  readonly keeps: boolean;
  /** Another one after each reset. */
  episode: DrivenEpisode;
  served: ServedEnvironment;
  /** What the client calls the episode. */
  name: string | null;
  /** Null when it outlived its connection. */
  client: Client | null;
  /** When its last request ended. */
  lastUsed: number;
  /** Requests under way. */
  busy: number;
  /** Requests run one after another, in the order they came. */
  readonly inTurn: InTurn;
  /** What the client was told last, where there is no screen to look at. */
  told: string | null;
  /** It was resumed after its last step, which an earlier server took and did not verify. */
  isUnverified: boolean;
  /** The answer to the request that ends it, kept for a retry after a restart; null before, and where there is none. */
  answer: LastAnswer | null;
}

export type SessionParts = Pick<ServedSession, 'id' | 'keeps' | 'episode' | 'served' | 'name'> &
  Partial<Pick<ServedSession, 'answer'>>;

export function createSession(parts: SessionParts, now: number): ServedSession {
  const fresh = { client: null, busy: 0, told: null, isUnverified: false, answer: null };
  return { ...fresh, ...parts, lastUsed: now, inTurn: createSemaphore(1).run };
}
