import type { Bottleneck, Knob, Settings } from '../knobs.ts';

/** A knob as this server has it. */
export interface ServerKnob {
  readonly name: string;
  /** In the unit of the server. */
  readonly initial: string;
  readonly unit: string | null;
  readonly kind: 'bool' | 'enum' | 'integer' | 'real' | 'string';
  readonly least: number | null;
  readonly most: number | null;
  readonly choices: readonly string[] | null;
}

/** What a load did to a server. */
export interface Observed {
  readonly milliseconds: number;
  readonly temporaryBytes: number;
  /** The share of pages that were not in its buffers. */
  readonly readShare: number;
  /** The share of the moments of clients that waited for the log. */
  readonly logWaits: number;
}

/** What procedures may ask: a server of one version under one workload, and so many measurements. */
export interface Bench {
  catalog(): Promise<ReadonlyMap<string, ServerKnob>>;
  /** Transactions a second; null where the server does not start with these settings. Spends one measurement. */
  measure(settings: Settings): Promise<number | null>;
  /** Watches the workload with the server's defaults. Spends one measurement. */
  observe(): Promise<Observed>;
  left(): number;
}

/** An executable procedure. It says why it does not apply, or gives what it found. */
export interface Skill<Given, Found> {
  readonly name: string;
  /** Why it does not apply; null where it does. */
  refuses(given: Given): string | null;
  run(bench: Bench, given: Given): Promise<Found>;
}

/** A procedure that does not apply is not run. */
export async function follow<Given, Found>(skill: Skill<Given, Found>, bench: Bench, given: Given): Promise<Found> {
  const why = skill.refuses(given);
  if (why !== null) throw new SkillRefused(`${skill.name}: ${why}`);
  return skill.run(bench, given);
}

export class SkillRefused extends Error {}

export interface Refused {
  readonly name: string;
  readonly why: string;
}

export interface Checked {
  readonly settings: Settings;
  readonly refused: readonly Refused[];
}

export interface Profile {
  readonly bottlenecks: readonly Bottleneck[];
  readonly observed: Observed;
  readonly knobs: readonly Knob[];
}
