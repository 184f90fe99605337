/** Types of the map of the archive. */

/** What an export would keep, by the two descriptors of the archive. */
export interface ArchiveMap {
  /** Names of the descriptors. */
  readonly rowName: string;
  readonly columnName: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly entries: readonly ArchiveMapEntry[];
  /** Not all training episodes were read. */
  readonly isPartial: boolean;
}

interface ArchiveMapEntry {
  readonly row: string;
  readonly column: string;
  readonly episode: number;
  readonly key: string;
  readonly steps: number;
  readonly interventions: number;
}
