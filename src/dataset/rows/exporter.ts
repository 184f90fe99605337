import type { EpisodeRecord } from '../../core/episode/record.ts';
import type { Entry } from '../../core/naming/registry.ts';
import type { Candidate } from './candidate.ts';
import type { Row, Table } from './columns.ts';
import type { PassingTrajectory } from './preferences-checked.ts';
import type { Requests } from '../requests/requests.ts';

/** An episode as it is exported. */
export interface ExportedEpisode {
  readonly record: EpisodeRecord;
  /** Its leaves that the archive kept; none of an episode that is not trained on. */
  readonly archived: readonly Candidate[];
  /** What a model is asked at each step. */
  readonly requests: Requests;
  /** Steps that are not learned: they stay in what was asked, and have no row of their own, or one that says so. */
  readonly masked: ReadonlySet<number>;
  /** Whether the action of this node is right in its state, as some exported episode shows. */
  isRight(node: number): boolean;
  /** Whether some exported trajectory of the same task passed from the state after this node. */
  passesFrom(node: number): boolean;
  /** A trajectory of the same task that passed, in this episode or in another one; null when none did. */
  passing(): PassingTrajectory | null;
}

/** A table of rows that an export writes: a file of its own for each format. */
export interface Exporter extends Table, Entry {
  readonly name: string;
  readonly about: string;
  /** `training` leaves out evaluation and held-out templates; `all` takes every finished episode. */
  readonly episodes: 'training' | 'all';
  /** Whether its rows name a node, whose picture goes with them. */
  readonly pictured: boolean;
  /** Whether its rows say where the element of their step is, in exports that know. */
  readonly located?: true;
  /** Written only when it is asked for by name. */
  readonly isOptional?: boolean;
  /** Rows are written by the chat template of a model; left out, they need none. */
  readonly needsTemplate?: true;
  rows(episode: ExportedEpisode): Iterable<Row>;
}
