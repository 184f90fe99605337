/** Types of the view of memories. */

/** A file that `espalier remember` wrote. */
export interface MemoryFile {
  /** Its path below the folder of the studio: names it. */
  readonly file: string;
  /** Why it cannot be read; null when it can. */
  readonly problem: string | null;
  /** How often it was written. */
  readonly version: number;
  readonly items: number;
  readonly retired: number;
  readonly refused: number;
}

export interface MemoryItemRow {
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  /** The memory that made it, and where and from which tasks. */
  readonly writer: string;
  readonly environment: string;
  readonly tasks: readonly string[];
  /** The version that it came with; null in files from before versions were kept. */
  readonly since: number | null;
  readonly uses: number;
  readonly wins: number;
  readonly broken: number;
  /** Why it is not read any more; null while it is. */
  readonly retired: string | null;
}

export interface MemoryFilter {
  readonly kind?: string | undefined;
  /** In title, text, writer or tasks. */
  readonly text?: string | undefined;
  readonly from: number;
}

export interface MemoryView {
  readonly file: MemoryFile;
  /** Items by kind. */
  readonly kinds: readonly (readonly [kind: string, count: number])[];
  /** Items that fit the filter, and a page of them. */
  readonly found: number;
  readonly rows: readonly MemoryItemRow[];
  /** What gates turned away, the last first. */
  readonly refused: readonly { readonly title: string; readonly reason: string }[];
}

export interface StudioMemories {
  list(): readonly MemoryFile[];
  view(file: string, filter: MemoryFilter): MemoryView;
}
