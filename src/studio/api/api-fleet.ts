/** A fleet as the studio shows it; whoever opens the studio brings it. */
export interface StudioFleet {
  readonly workers: readonly FleetWorker[];
  readonly runs: readonly FleetRun[];
}

interface FleetWorker {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly offers: string;
  readonly slots: number;
  readonly busy: number;
  readonly episodes: number;
  /** Since its last sign of life. */
  readonly seconds: number;
  readonly lives: boolean;
}

interface FleetRun {
  readonly id: number;
  readonly name: string;
  readonly needs: string;
  readonly state: string;
  /** Null while its plan is walked for the first time. */
  readonly planned: number | null;
  readonly done: number;
  readonly errored: number;
  readonly waiting: number;
  readonly held: number;
  readonly refusals: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
  /** Episodes that broke, by the side that did. */
  readonly boundaries: Readonly<Record<string, number>>;
  readonly tokens: number;
  readonly dollars: number;
  /** Episodes in a second. */
  readonly rate: number;
}

/** Looks at a fleet. */
export interface FleetWindow {
  look(): Promise<StudioFleet>;
}
