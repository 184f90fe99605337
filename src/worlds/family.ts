import type { Timers } from '../core/clock.ts';
import type { Environment, Planner } from '../core/contracts.ts';
import type { JsonObject } from '../core/json.ts';
import type { Entry } from '../core/naming/registry.ts';
import type { OwnLadder, WorldLadder } from './admission.ts';
import type { App } from './app/app.ts';

interface AppSource {
  readonly app: App<JsonObject>;
}

/** What the name of an environment stands for. An app can be taken apart, an environment only opened. */
export type Source =
  | AppSource
  | {
      readonly environment: Environment;
      /** How its templates are admitted. */
      readonly ladder?: WorldLadder | OwnLadder;
    };

/** What a family may ask for when it opens an environment. */
export interface FamilyHost {
  /** Another environment by its name. */
  find(name: string): Promise<Source>;
  /** A planner that visits at most so many states. It reads no clock, so that it finds the same on every machine. */
  planner(mostStates: number): Promise<Planner>;
}

/** The same for what other people serve. */
export interface ServedHost extends FamilyHost {
  readonly timers: Timers;
  /** Takes a remark for the user that is no result. */
  onNotice(text: string): void;
}

interface FamilyEntry extends Entry {
  /** What its names begin with, `sql:`; or the whole name of an app, `mail`. */
  readonly name: string;
  /** A name of the family that works everywhere. */
  readonly example?: string;
  /** Nobody plans in them: a state is no value that the planner can read. */
  readonly isPlanned?: false;
  /** What names began with before: still read, with a hint. */
  readonly formerly?: string;
  /** The same name, whatever folder it is read in; `inner` does that for another environment. Left out where names hold no path. */
  absolute?(name: string, inner: (name: string) => string): string;
}

/** Environments of one kind, made in this process. Adding one is a folder with a `family.ts`, and a line in `catalog.ts`. */
export interface Family extends FamilyEntry {
  readonly served?: undefined;
  open(name: string, host: FamilyHost): Promise<Source>;
}

/** An app of ours: its name is all that it needs. */
export interface AppFamily extends Family {
  open(): Promise<AppSource>;
}

/** Environments that other people serve: pages, or tools alone. Nobody sees their state. */
export interface ServedFamily<H extends ServedHost = ServedHost> extends FamilyEntry {
  readonly served: 'pages' | 'tools';
  open(name: string, host: H): Promise<Source>;
}

/** The type of its state is an app's own business. */
export function appSource<S extends JsonObject>(app: App<S>): AppSource {
  return { app: app as unknown as App<JsonObject> };
}

/** What follows the prefix of a name: `7` in `tools:7`. */
export function placeIn(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
