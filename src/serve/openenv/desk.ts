import type { Plan } from '../../core/contracts.ts';
import type { DrivenEpisode } from '../../episode/driven/contract.ts';
import type { Metrics } from '../sessions/metrics.ts';
import type { Client, ServedSession } from '../sessions/served-session.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** What all connections share. */
export interface Desk {
  readonly sessions: Sessions;
  readonly metrics: Metrics;
  /** Privileged; null where nobody can plan. */
  readonly plan: ((episode: DrivenEpisode) => Promise<Plan>) | null;
  now(): number;
  onFault(cause: unknown): void;
}

/** One connection. */
export interface Conversation {
  readonly client: Client;
  /** The session that plain requests mean. */
  own: ServedSession | null;
}
