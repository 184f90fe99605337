import type { BrowserPool } from '../../src/envs/web/browser/pool.ts';
import type { Site } from '../../src/envs/web/site.ts';

export type Outcome = 'held' | 'out';

/** One way in which something of others may try to leave its box. */
export interface Attack {
  /** What is attacked: a row is found by area and name. */
  readonly area: string;
  readonly name: string;
  /** What the attacker does, in a few words. */
  readonly how: string;
  /** What the attack would need that the usual headless Chromium has not; without it nothing can get out. */
  readonly needs?: string | undefined;
  run(tools: AttackTools): Promise<Outcome>;
}

/** What attacks share. */
export interface AttackTools {
  /** Opens a page as a session does, clicks its first button if it has one, and closes it. */
  visit(url: string, files?: NonNullable<Site['files']>): Promise<void>;
  readonly pool: BrowserPool;
}

export interface AttackResult extends Omit<Attack, 'run'> {
  readonly outcome: Outcome;
}
