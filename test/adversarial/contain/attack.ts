import type { BrowserPool } from '../../../src/envs/web/browser/pool.ts';
import type { Site } from '../../../src/envs/web/sessions/site.ts';
import type { HostileApps } from './state.ts';
import type { VerifierGround } from './verifiers.ts';

/** One way in which something of others may try to leave its box. */
export interface Attack {
  /** What is attacked: a row is found by area and name. */
  readonly area: string;
  readonly name: string;
  /** What the attacker does, in a few words. */
  readonly how: string;
  /** What the attack would need that the usual headless Chromium has not; without it nothing can get out. */
  readonly needs?: string | undefined;
  /** How it got out; null when it was held. */
  run(tools: AttackTools): Promise<string | null>;
}

/** What attacks share. */
export interface AttackTools {
  /** Opens a page as a session does, clicks its first button if it has one, and closes it. */
  visit(url: string, files?: NonNullable<Site['files']>): Promise<void>;
  readonly pool: BrowserPool;
  readonly apps: HostileApps;
  readonly verifiers: VerifierGround;
}

export interface AttackResult extends Omit<Attack, 'run'> {
  /** How it got out; null when it was held. */
  readonly escape: string | null;
}
